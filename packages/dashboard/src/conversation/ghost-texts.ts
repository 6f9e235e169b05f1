import type { LiveMessage } from "@frontdesk/core/contract/live";
import type { CopilotAnswer, CopilotTask } from "../service/copilot.ts";

/** A visitor's message that waits for an answer. */
export interface AwaitedMessage {
  conversationId: string;
  messageId: string;
}

/** What is known of the reply suggested for a message. */
export type GhostText =
  | { state: "asked"; stop: AbortController }
  | { state: "there"; answer: CopilotAnswer }
  | { state: "over" };

export interface GhostTexts {
  /** Undefined while nothing is known. */
  of(message: AwaitedMessage): GhostText | undefined;
  /** Asks for one, unless something is known of it already. */
  ask(message: AwaitedMessage): void;
  /** It is taken or dropped, or the agent has begun to write without one: none is asked for any more. */
  end(message: AwaitedMessage): void;
  /** Ends a question that is under way; what is there stays. */
  leave(message: AwaitedMessage): void;
  subscribe(listener: () => void): () => void;
}

/**
 * Replies that the copilot suggests before it is asked for one: one for a message, whatever becomes of it. They are kept while
 * the page is open, those of the newest message of each conversation.
 *
 *   (nothing known) --ask--> asked --answer--> there --end--> over
 *          |                   '--failed, empty, leave, end--> over
 *          '--end--> over
 */
export function createGhostTexts(
  askCopilot: (task: CopilotTask, options: { signal: AbortSignal }) => Promise<CopilotAnswer>,
): GhostTexts {
  const known = new Map<string, { messageId: string; ghost: GhostText }>();
  const listeners = new Set<() => void>();

  const of = ({ conversationId, messageId }: AwaitedMessage) => {
    const newest = known.get(conversationId);
    return newest?.messageId === messageId ? newest.ghost : undefined;
  };
  const put = ({ conversationId, messageId }: AwaitedMessage, ghost: GhostText) => {
    known.set(conversationId, { messageId, ghost });
    for (const listener of listeners) listener();
  };
  const stopAsking = (conversationId: string) => {
    const ghost = known.get(conversationId)?.ghost;
    if (ghost?.state === "asked") ghost.stop.abort();
  };
  const end = (message: AwaitedMessage) => {
    if (of(message)?.state === "over") return;
    stopAsking(message.conversationId);
    put(message, { state: "over" });
  };

  return {
    of,
    end,
    ask(message) {
      if (of(message)) return;
      stopAsking(message.conversationId);
      const asked: GhostText = { state: "asked", stop: new AbortController() };
      const answered = (ghost: GhostText) => of(message) === asked && put(message, ghost);
      put(message, asked);
      // Nothing was asked for, so no problem is shown.
      askCopilot({ does: "draft", conversationId: message.conversationId }, { signal: asked.stop.signal }).then(
        (answer) => answered(answer.text.trim() === "" ? { state: "over" } : { state: "there", answer }),
        () => answered({ state: "over" }),
      );
    },
    leave(message) {
      if (of(message)?.state === "asked") end(message);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The visitor's message that waits for an answer: the last message, if it is the visitor's. Notes are no answers. */
export function awaitedIn(messages: readonly LiveMessage[] | undefined): LiveMessage | undefined {
  const last = messages?.findLast(({ type }) => type === "message");
  return last?.from === "visitor" && !last.is_redacted ? last : undefined;
}
