/** The state of an agent's screens, and its subscribers. The parts of the inbox write to it; docs/decisions/0026-inbox.md. */
import type { InboxPeople, inboxOperations } from "@frontdesk/core/contract/inbox";
import type { SessionBody } from "@frontdesk/core/contract/session";
import { emptyInbox, type InboxState } from "./inbox-state.ts";
import type { ConnectionState } from "./live-stream.ts";
import type { OutboxMessage } from "./outbox.ts";

/** A message as it is sent, with its conversation. */
export type MessageFromInbox = SessionBody<typeof inboxOperations.sendMessage> & { conversation_id: string };
export type WaitingMessage = OutboxMessage<MessageFromInbox> & {
  /** While it can be undone: when it is sent, in milliseconds since 1970, and whether it is being undone. */
  readonly hold?: { readonly until: number; readonly isUndoing: boolean };
};

export interface AgentInboxState extends InboxState {
  readonly connection: ConnectionState;
  /** The session or key has ended: the agent has to sign in again, then `open()`. */
  readonly isOver: boolean;
  /** Null until they are fetched. */
  readonly people: InboxPeople | null;
  /** Written and not confirmed yet, oldest first; none of it is in a thread. */
  readonly outbox: readonly WaitingMessage[];
  /** The conversations with a draft of the agent. */
  readonly drafts: ReadonlySet<string>;
  /** The conversations with files of replies that were not sent. */
  readonly returned: ReadonlySet<string>;
  /** How many messages that waited here were dropped, since their conversation was erased. */
  readonly dropped: number;
}

export interface InboxStore {
  /** After setting this or one of the next four, call `changed()`. */
  inbox: InboxState;
  people: InboxPeople | null;
  connection: ConnectionState;
  isOver: boolean;
  dropped: number;
  getState(): AgentInboxState;
  /** Computes the next state, and calls every listener. */
  changed(): void;
  /** Calls `listener` after every change; the returned function ends it. */
  subscribe(listener: () => void): () => void;
}

export function createInboxStore({
  me,
  waiting,
  drafted,
  returned,
}: {
  me: string;
  /** The current messages of the outbox. */
  waiting(): readonly WaitingMessage[];
  /** The conversations that have a draft now. */
  drafted(): readonly string[];
  /** The conversations that have files of replies that were not sent. */
  returned(): readonly string[];
}): InboxStore {
  const listeners = new Set<() => void>();
  const waitingShown = unlessSame((messages: readonly WaitingMessage[]) => messages);
  const draftsShown = unlessSame((ids: readonly string[]): ReadonlySet<string> => new Set(ids));
  const returnedShown = unlessSame((ids: readonly string[]): ReadonlySet<string> => new Set(ids));
  const store: InboxStore = {
    inbox: emptyInbox(me),
    people: null,
    connection: "connecting",
    isOver: false,
    dropped: 0,
    getState: () => state,
    changed() {
      state = shown();
      for (const listener of listeners) {
        try {
          listener();
        } catch (error) {
          // A listener that throws must not stop the inbox; the error is reported as an uncaught one.
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  let state = shown();
  return store;

  function shown(): AgentInboxState {
    const { inbox, people, connection, isOver, dropped } = store;
    const messages = waiting();
    const sent = new Set(
      messages.flatMap(
        ({ conversation_id }) => inbox.threads.get(conversation_id)?.messages.map(({ client_id }) => client_id) ?? [],
      ),
    );
    return {
      ...inbox,
      connection,
      isOver,
      dropped,
      people,
      outbox: waitingShown(messages.filter(({ client_id }) => !sent.has(client_id))),
      drafts: draftsShown(drafted()),
      returned: returnedShown(returned()),
    };
  }
}

/** Derives the shown state. Unchanged parts keep their object, so that nothing is rendered again. */
function unlessSame<Known, Shown>(make: (known: Known) => Shown): (known: Known) => Shown {
  let before: { text: string; shown: Shown } | undefined;
  return (known) => {
    const text = JSON.stringify(known);
    if (before?.text !== text) before = { text, shown: make(known) };
    return before.shown;
  };
}
