/**
 * What an agent has begun to write, for each conversation and mode. It is kept in the browser with every key, and at the
 * service a moment later, so that it is there after a crash, in another tab, and on another machine.
 *
 *   write -> kept here, not told -> (1 s of quiet) -> told -> kept here, told
 *                 ^    ^ |                                       |
 *                 |    | '- refused -> kept here, refused        |
 *                 |    '------ wake, open again ------'          |
 *                 '------------------ write ---------------------'
 *
 * What was refused (the session is over, say) is not stored, and so it stays here. Of a conversation that is not there
 * any more there is nothing to store.
 */
import type { Draft } from "@frontdesk/core/contract/inbox";
import type { AskInbox } from "./agent-requests.ts";
import { type Clock, retryWaitMs } from "./clock.ts";
import type { StoredValues } from "./browser-storage.ts";
import { isRefusal } from "./visitor-requests.ts";

const QUIET_MS = 1_000;
/** The wait after which it is told again, as a number of failures. */
const TELL_AGAIN = 3;
const NOT_FOUND = 404;

export type DraftMode = Draft["mode"];

interface StoredDraft {
  /** Empty: there is none any more, and the service is to be told. */
  content: string;
  told: boolean;
}

export interface LocalDrafts {
  /** Empty when nothing was begun. */
  get(conversationId: string, mode: DraftMode): string;
  /** The conversations in which something was begun. */
  conversations(): string[];
  set(conversationId: string, mode: DraftMode, content: string): void;
  /** It was sent, and the service has dropped its own. What was begun meanwhile stays. */
  sent(conversationId: string, mode: DraftMode): void;
  /** Fetches what the service has. What was written here, and is not told or was told meanwhile, is newer. */
  refresh(): Promise<void>;
  /** Tells what was not told yet. */
  wake(): void;
  /** Resolves when the service was asked to keep all that it does not have yet, whatever it answered. */
  handOver(): Promise<void>;
  close(): void;
}

export function openLocalDrafts({
  name,
  values,
  clock,
  ask,
  onChange,
  onStored,
}: {
  name: string;
  values: StoredValues;
  clock: Clock;
  ask: AskInbox;
  onChange(): void;
  /** The service has stored a draft, or dropped one that was emptied. */
  onStored(conversationId: string): void;
}): LocalDrafts {
  const prefix = `${name}:`;
  /** What the service has refused, by its key: it is not asked again for the same. */
  const refused = new Map<string, string>();
  let cancel = () => {};
  let closed = false;
  let telling = false;
  tellAfter(0);

  return {
    get: (conversationId, mode) => read(keyOf(conversationId, mode))?.content ?? "",
    conversations: () => [
      ...new Set(values.keys(prefix).flatMap((key) => (read(key)?.content ? [placeOf(key)[0] as string] : []))),
    ],
    set(conversationId, mode, content) {
      const key = keyOf(conversationId, mode);
      if ((read(key)?.content ?? "") === content) return;
      keep(key, { content, told: false });
      tellAfter(QUIET_MS);
    },
    sent(conversationId, mode) {
      const key = keyOf(conversationId, mode);
      const begun = read(key)?.content;
      if (begun) {
        keep(key, { content: begun, told: false });
        tellAfter(QUIET_MS);
      } else {
        values.delete(key);
        onChange();
      }
    },
    async refresh() {
      const before = new Map(values.keys(prefix).map((key) => [key, values.get(key)]));
      const answer = await ask("listDrafts", {});
      // What was forgotten since must not come back.
      if (!answer.ok || closed) return;
      const theirs = new Map(
        answer.body.drafts.map((draft) => [keyOf(draft.conversation_id, draft.mode), draft.content]),
      );
      const isAsItWas = (key: string) => values.get(key) === (before.get(key) ?? null) && read(key)?.told !== false;
      for (const key of before.keys()) if (!theirs.has(key) && isAsItWas(key)) values.delete(key);
      for (const [key, content] of theirs) if (isAsItWas(key)) keep(key, { content, told: true });
      onChange();
    },
    wake() {
      refused.clear();
      tellAfter(0);
    },
    async handOver() {
      await Promise.all(untold().map(tellOne));
    },
    close() {
      closed = true;
      cancel();
    },
  };

  function keyOf(conversationId: string, mode: DraftMode): string {
    return `${prefix}${conversationId}:${mode}`;
  }

  function placeOf(key: string): [string, DraftMode] {
    return key.slice(prefix.length).split(":") as [string, DraftMode];
  }

  /** What we did not write ourselves is left alone. */
  function read(key: string): StoredDraft | undefined {
    const text = values.get(key);
    // Asked for with every drawing, and most often there is none: nothing is thrown for that.
    if (text === null) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  function keep(key: string, draft: StoredDraft): void {
    values.set(key, JSON.stringify(draft));
    onChange();
  }

  function tellAfter(ms: number): void {
    cancel();
    if (closed) return;
    cancel = clock.after(ms, tell);
  }

  async function tell(): Promise<void> {
    if (telling) return;
    telling = true;
    let failed = false;
    for (const key of untold()) failed = !(await tellOne(key)) || failed;
    telling = false;
    if (failed) tellAfter(retryWaitMs(TELL_AGAIN, clock.random));
    else if (untold().length > 0) tellAfter(QUIET_MS);
  }

  function untold(): string[] {
    return values.keys(prefix).filter((key) => {
      const draft = read(key);
      return draft?.told === false && refused.get(key) !== draft.content;
    });
  }

  /** Answers false when it is to be tried again. */
  async function tellOne(key: string): Promise<boolean> {
    const draft = read(key);
    if (!draft) return true;
    const [conversation_id, mode] = placeOf(key);
    const params = { conversation_id };
    const answer = draft.content
      ? await ask("putDraft", { params, body: { mode, content: draft.content } })
      : await ask("deleteDraft", { params, query: { mode } });
    if (!answer.ok && !isRefusal(answer.status)) return false;
    if (answer.ok) onStored(conversation_id);
    // Somebody goes on typing meanwhile, here or in another tab.
    if (read(key)?.content !== draft.content) return true;
    if (!answer.ok && answer.status !== NOT_FOUND) refused.set(key, draft.content);
    else if (draft.content) values.set(key, JSON.stringify({ ...draft, told: true }));
    else values.delete(key);
    return true;
  }
}
