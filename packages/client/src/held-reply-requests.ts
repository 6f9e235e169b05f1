/** Asks the service to hold a reply, or to undo it, and asks again until there is an answer. */
import type { DraftReturnedBy } from "@frontdesk/core/domain/draft";
import type { InboxAnswer } from "./agent-requests.ts";
import { retryWaitMs } from "./clock.ts";
import type { InboxContext } from "./inbox-context.ts";
import type { MessageFromInbox } from "./inbox-store.ts";
import type { OutboxAnswer } from "./outbox.ts";
import { isRefusal } from "./visitor-requests.ts";

/** The wait before holding is asked for again, as a number of failures: short, as the time to undo is. */
const RETRY = 1;
const UNAUTHORIZED = 401;

/** It was sent before. */
type Sent = InboxAnswer<"sendMessage">;

export interface HeldReplyRequests {
  /**
   * "later": the session has ended, or `goOn` has said no.
   *
   * @param until when it is sent, in milliseconds since 1970
   * @param goOn whether to ask again
   */
  hold(message: MessageFromInbox, until: number, goOn: () => boolean): Promise<Sent | HoldEnd>;
  /** "later": the session has ended. */
  undo(message: MessageFromInbox): Promise<Sent | "undone" | "later">;
  /** Asks again now. */
  wake(): void;
  close(): void;
}
type HoldEnd = "held" | "returned" | "returned-by-email" | "refused" | "later";

export function heldReplyRequests({ ask, clock }: Pick<InboxContext, "ask" | "clock">): HeldReplyRequests {
  /** What is tried again later, by what cancels it. */
  const retries = new Map<() => void, () => void>();

  return {
    async hold(message, until, goOn) {
      const { conversation_id, client_id, content, attachments, after_number, anyway, resolve, drafted_with_ai } =
        message;
      const reply = {
        ...{ client_id, content },
        ...(attachments && { attachments }),
        ...(after_number !== undefined && { after_number }),
        ...(anyway && { anyway }),
        ...(resolve && { resolve }),
        ...(drafted_with_ai && { drafted_with_ai }),
      };
      do {
        const hold_ms = Math.max(1, Math.ceil(until - clock.now()));
        const answer = await ask("holdReply", { params: { conversation_id }, body: { ...reply, hold_ms } });
        if (answer.ok) return answer.body.sent ?? "held";
        if (isReturned(answer)) return returnedBy(answer) ? "returned-by-email" : "returned";
        if (isRefusal(answer.status)) return answer.status === UNAUTHORIZED ? "later" : "refused";
        await pause(RETRY, answer.retryAfterMs);
      } while (goOn());
      return "later";
    },
    async undo({ conversation_id, client_id }) {
      for (let failures = 0; ; failures += 1) {
        const answer = await ask("undoReply", { params: { conversation_id }, query: { client_id } });
        if (answer.ok) return answer.body.sent ?? "undone";
        // Refused: there is no such conversation any more.
        if (isRefusal(answer.status)) return answer.status === UNAUTHORIZED ? "later" : "undone";
        await pause(failures, answer.retryAfterMs);
      }
    },
    wake() {
      for (const [cancel, act] of [...retries]) {
        cancel();
        act();
      }
    },
    close() {
      for (const cancel of retries.keys()) cancel();
    },
  };

  function pause(failures: number, retryAfterMs: number): Promise<void> {
    return new Promise((resolve) => {
      const act = () => {
        retries.delete(cancel);
        resolve();
      };
      const cancel = clock.after(Math.max(retryWaitMs(failures, clock.random), retryAfterMs), act);
      retries.set(cancel, act);
    });
  }
}

/** The reply was undone, given back, or its sending was refused while no browser was there: it is a draft at the service. */
export function isReturned(answer: OutboxAnswer<unknown>): boolean {
  return !answer.ok && RETURNED.has(answer.body.reason ?? "");
}
const RETURNED: ReadonlySet<string> = new Set(["reply-undone", "reply-returned", "reply-returned-by-email"]);

/** What has made it a draft again, where the agent is shown that. */
export function returnedBy(answer: OutboxAnswer<unknown>): DraftReturnedBy | null {
  return !answer.ok && answer.body.reason === "reply-returned-by-email" ? "email" : null;
}
