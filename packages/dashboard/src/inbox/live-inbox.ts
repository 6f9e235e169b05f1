/** The inbox of the signed-in agent, as React hooks. Its state is in `@frontdesk/client/agent`, and nowhere else here. */
import {
  type AgentInbox,
  type AgentInboxState,
  aiDraftOf,
  createAgentInbox,
  type Face,
  type GivenReason,
  listKey,
  type Typist,
} from "@frontdesk/client/agent";
import type {
  InboxActionInput,
  InboxActionName,
  InboxConversationDetails,
  InboxCounts,
  InboxPeople,
} from "@frontdesk/core/contract/inbox";
import type { LiveConversation, LiveMessage } from "@frontdesk/core/contract/live";
import type { DraftReturnedBy } from "@frontdesk/core/domain/draft";
import type { InboxQuery } from "@frontdesk/core/domain/inbox";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { ROOT } from "../service/send.ts";

const NOBODY: readonly Face[] = [];
const NOTHING: readonly never[] = [];

let inbox: AgentInbox | undefined;
let owner: string | undefined;

/** Creates the inbox of an agent, once; call it before a screen reads it. */
export function inboxOf(me: string): AgentInbox {
  if (!inbox || owner !== me) {
    inbox?.close();
    inbox = createAgentInbox({ origin: ROOT, me });
    inbox.subscribe(changed);
    owner = me;
  }
  return inbox;
}

/** Closes the inbox: another agent may sign in. */
export function closeInbox(): void {
  inbox?.close();
  inbox = owner = undefined;
}

export function theInbox(): AgentInbox {
  if (!inbox) throw new Error("The inbox was read before anybody was signed in.");
  return inbox;
}

// Rendering

/** One frame at 60 Hz. */
const FRAME_MS = 16;
const frameListeners = new Set<() => void>();
let isThrottled = false;
let hasChanged = false;

/**
 * Screens render once per frame: the first change at once, later ones in the frame together. A stream that brings hundreds of
 * events in a row, after a disconnect or a bulk change, would otherwise leave no time for anything else.
 */
function changed(): void {
  hasChanged = true;
  // Timers of a background tab are delayed by up to a minute, but its title must be current.
  if (!isThrottled || document.hidden) draw();
}

function draw(): void {
  isThrottled = hasChanged;
  if (!hasChanged) return;
  hasChanged = false;
  setTimeout(draw, FRAME_MS);
  for (const listener of frameListeners) listener();
}

function subscribeToFrames(listener: () => void): () => void {
  frameListeners.add(listener);
  return () => frameListeners.delete(listener);
}

/** A part of the state; the component renders again when that part changes. */
export function useInboxState<Part>(part: (state: AgentInboxState) => Part): Part {
  const { getState } = theInbox();
  return useSyncExternalStore(subscribeToFrames, () => part(getState()));
}

/** The browser knows at once that it is offline; a dead connection is detected by its silence. */
export function useConnection(): AgentInboxState["connection"] {
  const connection = useInboxState((state) => state.connection);
  return useHasNetwork() ? connection : "offline";
}

function useHasNetwork(): boolean {
  return useSyncExternalStore(
    (listener) => {
      for (const event of ["online", "offline"]) addEventListener(event, listener);
      return () => {
        for (const event of ["online", "offline"]) removeEventListener(event, listener);
      };
    },
    () => navigator.onLine,
  );
}

/** The same, outside of components. Also before an agent is signed in. */
export const isOffline = () => navigator.onLine === false || inbox?.getState().connection === "offline";

export const useIsOver = () => useInboxState(({ isOver }) => isOver);
export const useCounts = (): InboxCounts["views"] | null => useInboxState(({ counts }) => counts);
/** The built-in AI; null until it is set up, or is known to be. */
export const useAi = (): InboxPeople["ai"] => useInboxState(({ people }) => people?.ai ?? null);
export const usePeople = (): InboxPeople | null => useInboxState(({ people }) => people);

/** Whether a conversation can be started by email. */
export const useMaySendMail = (): boolean =>
  useInboxState(({ people }) => people?.channels.some(({ can_send }) => can_send) ?? false);

/** Whether the team has a mailbox. */
export const useHasMailbox = (): boolean =>
  useInboxState(({ people }) => people?.channels.some(({ channel }) => channel === "email") ?? false);

// Lists

export interface ShownList {
  conversations: readonly LiveConversation[];
  loaded: boolean;
  hasMore: boolean;
}

/** The conversations of a list, kept up to date while it is shown. */
export function useInboxList(query: InboxQuery): ShownList {
  const key = listKey(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key contains the whole query
  useEffect(() => theInbox().openList(query), [key]);
  const list = useInboxState(({ lists }) => lists.get(key));
  const known = useInboxState(({ conversations }) => conversations);
  return useMemo(
    () => ({
      conversations: (list?.ids ?? NOTHING).flatMap((id) => known.get(id)?.conversation ?? []),
      loaded: list?.loaded ?? false,
      hasMore: list?.next != null,
    }),
    [list, known],
  );
}

/** The conversation after this one in a list, or before it at the end. */
export function neighborOf(query: InboxQuery, conversationId: string): string | undefined {
  const ids = theInbox().getState().lists.get(listKey(query))?.ids ?? NOTHING;
  const at = ids.indexOf(conversationId);
  return at < 0 ? ids[0] : (ids[at + 1] ?? ids[at - 1]);
}

/** All conversations that are in the state, without a request. */
export function loadedConversations(): LiveConversation[] {
  return [...theInbox().getState().conversations.values()].map(({ conversation }) => conversation);
}

// One conversation

export interface ShownThread {
  messages: readonly LiveMessage[];
  loaded: boolean;
  hasBefore: boolean;
  /** The conversation does not exist. */
  isUnknown: boolean;
}

const NO_THREAD: ShownThread = { messages: NOTHING, loaded: false, hasBefore: false, isUnknown: false };

/** Keeps a conversation up to date while it is shown, and reports to the others that this agent views it. */
export function useOpenConversation(id: string): {
  conversation: LiveConversation | undefined;
  thread: ShownThread;
  details: InboxConversationDetails | undefined;
} {
  useEffect(() => {
    const open = () => theInbox().openConversation(id);
    // Paint the loaded thread before it is fetched again.
    return theInbox().getState().threads.get(id)?.loaded ? afterPainting(open) : open();
  }, [id]);
  return {
    conversation: useInboxState(({ conversations }) => conversations.get(id)?.conversation),
    thread: useInboxState(({ threads }) => threads.get(id)) ?? NO_THREAD,
    details: useInboxState(({ details }) => details.get(id)),
  };
}

/** @param begin returns its own clean-up; called after the next frame is painted, unless ended before */
function afterPainting(begin: () => () => void): () => void {
  let end: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(() => {
      end = begin();
    });
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    end?.();
  };
}

/** Whether it was erased, or a contact or message redacted, while this page was open. */
export const useIsErased = (id: string) => useInboxState(({ erased }) => erased.has(id));

/** The other agents who view it. */
export const useViewers = (id: string) => useInboxState(({ viewing }) => viewing.get(id) ?? NOBODY);

/** What the AI is about to say to the visitor; null while nothing is known. */
export const useAiDraft = (id: string) => useInboxState((state) => aiDraftOf(state, id));

/** Which agents type a reply, and whether the visitor types. */
export function useTyping(id: string): { visitor: boolean; agents: readonly NonNullable<Typist>[] } {
  const typists = useInboxState(({ typing }) => typing.get(id) ?? (NOTHING as readonly Typist[]));
  return useMemo(
    () => ({ visitor: typists.includes(null), agents: typists.flatMap((typist) => typist ?? []) }),
    [typists],
  );
}

export const useIsOnline = (contactId: string | undefined) =>
  useInboxState(({ presence }) => contactId !== undefined && presence.contacts.has(contactId));

/** False until it is known who is online; the agent always is. */
export const useHasLeft = (contactId: string) =>
  useInboxState(({ presence }) => presence.agents.size > 0 && !presence.contacts.has(contactId));

/** The draft of this conversation, stored until it is sent. */
export function useDraft(id: string, mode: "reply" | "note"): { text: string; set(text: string): void } {
  const { subscribe, draft, setDraft } = theInbox();
  // Not throttled to frames: a field that renders late loses letters.
  const text = useSyncExternalStore(subscribe, () => draft(id, mode));
  return useMemo(() => ({ text, set: (next) => setDraft(id, mode, next) }), [text, id, mode, setDraft]);
}

/** What came in while the reply was held, which is why it is a draft again; null once the agent has changed it. */
export function useReturnedBy(id: string): DraftReturnedBy | null {
  return useInboxState(() => theInbox().draftReturnedBy(id));
}

// Actions

/** Conversations per request of a bulk change: few enough for a progress bar. */
const AT_ONCE = 25;

/** A conversation that could not be changed, and why. */
export interface FailedChange extends GivenReason {
  id: string;
}

/** Performs an action on conversations; it is shown at once. */
export async function changeConversations<Name extends InboxActionName>(
  conversations: readonly LiveConversation[],
  name: Name,
  input: InboxActionInput<Name>,
): Promise<FailedChange[]> {
  const ids = conversations.map(({ id }) => id);
  if (ids.length === 0) return [];
  const failed: FailedChange[] = [];
  for (let done = 0; done < ids.length; done += AT_ONCE) {
    if (ids.length > AT_ONCE) showProgress(done / ids.length);
    const result = await theInbox().act(ids.slice(done, done + AT_ONCE), name, input);
    failed.push(...result.failed);
  }
  showProgress(undefined);
  return failed;
}

let progress: number | undefined;
const watchers = new Set<() => void>();

function showProgress(next: number | undefined): void {
  if (progress === next) return;
  progress = next;
  for (const watcher of watchers) watcher();
}

/** Progress of a bulk change, from 0 to 1; undefined while there is none. */
export function useBulkProgress(): number | undefined {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => progress,
  );
}
