/**
 * An agent's drafts, one per conversation and mode. A draft is stored in the browser with every key press, and at the service a
 * moment later, so that it survives a crash and is available in other tabs and on other machines.
 *
 *   write -> here alone -> (1 s of quiet) -> sent -> here and at the service
 *              ^   ^ |                                 |
 *              |   | '- refused -> here, refused       |
 *              |   '----- wake, open again --'         |
 *              '----------------- write ---------------'
 *
 * Refused drafts (an ended session, for instance) stay here. A draft of a deleted conversation is dropped.
 */
import type { Draft } from "@frontdesk/core/contract/inbox";
import type { DraftReturnedBy } from "@frontdesk/core/domain/draft";
import type { AskInbox } from "./agent-requests.ts";
import { type StoredValues, storedJson } from "./browser-storage.ts";
import { type Clock, retryWaitMs } from "./clock.ts";
import { isRefusal } from "./visitor-requests.ts";

const QUIET_MS = 1_000;
/** The wait before it is stored again, as a number of failures. */
const RETRY = 3;
const NOT_FOUND = 404;

export type DraftMode = Draft["mode"];

interface StoredDraft {
  /** Empty: it was deleted here, and has to be deleted at the service. */
  content: string;
  /** Whether the service has it. The name is part of the stored value. */
  told: boolean;
  /** Of a reply that was not sent, until it is changed. */
  returnedBy?: DraftReturnedBy;
}

export interface LocalDrafts {
  /** Empty when there is none. */
  get(conversationId: string, mode: DraftMode): string;
  /** What has made a reply that was held a draft again, until it is changed; null for any other. */
  returnedBy(conversationId: string): DraftReturnedBy | null;
  /** The conversations that have a draft. */
  conversations(): string[];
  set(conversationId: string, mode: DraftMode, content: string, returnedBy?: DraftReturnedBy | null): void;
  /** The message was sent, and the service has dropped its draft. A draft begun meanwhile stays. */
  sent(conversationId: string, mode: DraftMode): void;
  /** Forgets those of a conversation that was erased; the service has none any more. */
  drop(conversationId: string): void;
  /** Fetches the service's drafts. Those written or stored here meanwhile are newer. */
  refresh(): Promise<void>;
  /** Stores at the service what it does not have yet. */
  wake(): void;
  /** Resolves when the service was asked to store everything it does not have yet, whatever the answers. */
  handOver(): Promise<void>;
  close(): void;
}

export function openLocalDrafts({
  name,
  values,
  clock,
  ask,
  isErased,
  onChange,
  onStored,
}: {
  name: string;
  values: StoredValues;
  clock: Clock;
  ask: AskInbox;
  isErased(conversationId: string): boolean;
  onChange(): void;
  /** The service has stored a draft, or deleted an emptied one. */
  onStored(conversationId: string): void;
}): LocalDrafts {
  const prefix = `${name}:`;
  /** Drafts that the service has refused, by key: the same content is not sent again. */
  const refused = new Map<string, string>();
  let cancel = () => {};
  let closed = false;
  let isStoring = false;
  storeAfter(0);

  return {
    get: (conversationId, mode) => read(keyOf(conversationId, mode))?.content ?? "",
    returnedBy: (conversationId) => read(keyOf(conversationId, "reply"))?.returnedBy ?? null,
    conversations: () => [
      ...new Set(values.keys(prefix).flatMap((key) => (read(key)?.content ? [partsOfKey(key)[0] as string] : []))),
    ],
    set(conversationId, mode, content, returnedBy) {
      const key = keyOf(conversationId, mode);
      const before = read(key);
      if ((before?.content ?? "") === content && (before?.returnedBy ?? null) === (returnedBy ?? null)) return;
      store(key, { content, told: false, ...(returnedBy && { returnedBy }) });
      storeAfter(QUIET_MS);
    },
    sent(conversationId, mode) {
      const key = keyOf(conversationId, mode);
      const begun = read(key)?.content;
      if (begun) {
        store(key, { content: begun, told: false });
        storeAfter(QUIET_MS);
      } else {
        values.delete(key);
        onChange();
      }
    },
    drop(conversationId) {
      for (const key of values.keys(`${prefix}${conversationId}:`)) values.delete(key);
      onChange();
    },
    async refresh() {
      const before = new Map(values.keys(prefix).map((key) => [key, values.get(key)]));
      const answer = await ask("listDrafts", {});
      // A draft dropped since must not come back.
      if (!answer.ok || closed) return;
      const theirs = new Map(
        answer.body.drafts
          .filter((draft) => !isErased(draft.conversation_id))
          .map(({ conversation_id, mode, content, returned_by }): [string, StoredDraft] => [
            keyOf(conversation_id, mode),
            { content, told: true, ...(returned_by && { returnedBy: returned_by }) },
          ]),
      );
      const isAsItWas = (key: string) => values.get(key) === (before.get(key) ?? null) && read(key)?.told !== false;
      for (const key of before.keys()) if (!theirs.has(key) && isAsItWas(key)) values.delete(key);
      for (const [key, draft] of theirs) if (isAsItWas(key)) store(key, draft);
      onChange();
    },
    wake() {
      refused.clear();
      storeAfter(0);
    },
    async handOver() {
      await Promise.all(unstored().map(storeOne));
    },
    close() {
      closed = true;
      cancel();
    },
  };

  function keyOf(conversationId: string, mode: DraftMode): string {
    return `${prefix}${conversationId}:${mode}`;
  }

  function partsOfKey(key: string): [string, DraftMode] {
    return key.slice(prefix.length).split(":") as [string, DraftMode];
  }

  function read(key: string): StoredDraft | undefined {
    return storedJson(values, key);
  }

  function store(key: string, draft: StoredDraft): void {
    values.set(key, JSON.stringify(draft));
    onChange();
  }

  function storeAfter(ms: number): void {
    cancel();
    if (closed) return;
    cancel = clock.after(ms, storeAll);
  }

  async function storeAll(): Promise<void> {
    if (isStoring) return;
    isStoring = true;
    let failed = false;
    for (const key of unstored()) failed = !(await storeOne(key)) || failed;
    isStoring = false;
    if (failed) storeAfter(retryWaitMs(RETRY, clock.random));
    else if (unstored().length > 0) storeAfter(QUIET_MS);
  }

  function unstored(): string[] {
    return values.keys(prefix).filter((key) => {
      const draft = read(key);
      return draft?.told === false && refused.get(key) !== draft.content;
    });
  }

  /** Resolves to false when it has to be tried again. */
  async function storeOne(key: string): Promise<boolean> {
    const draft = read(key);
    if (!draft) return true;
    const [conversation_id, mode] = partsOfKey(key);
    const params = { conversation_id };
    const answer = draft.content
      ? await ask("putDraft", {
          params,
          body: { mode, content: draft.content, ...(draft.returnedBy && { returned_by: draft.returnedBy }) },
        })
      : await ask("deleteDraft", { params, query: { mode } });
    if (!answer.ok && !isRefusal(answer.status)) return false;
    if (answer.ok) onStored(conversation_id);
    // It was changed meanwhile, in this tab or another one.
    if (read(key)?.content !== draft.content) return true;
    if (!answer.ok && answer.status !== NOT_FOUND) refused.set(key, draft.content);
    // A reply of files alone has no text, and is said to be a draft here.
    else if (draft.content || draft.returnedBy) values.set(key, JSON.stringify({ ...draft, told: true }));
    else values.delete(key);
    return true;
  }
}
