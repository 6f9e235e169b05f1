import { noteRepliesMailed } from "../conversations/note-replies-mailed.ts";
import { repliesToMail } from "../conversations/replies-to-mail.ts";
import type { JobHandler } from "../jobs/job.ts";
import type { Perform } from "../perform.ts";
import { repliesMail } from "./replies-mail.ts";
import { AddressRefused, type Mailer } from "./send-mail.ts";

/**
 * The handler of the job `send-replies-mail`: mails a visitor who has left the replies that are still unseen. What was mailed
 * is noted after it was sent, so that a crash between the two sends it again, and never loses it. An address that the mail
 * server refuses for good counts as mailed. docs/decisions/0024-care-for-visitors.md
 */
export function sendRepliesMailJob(
  mailer: Mailer | undefined,
  perform: () => Perform,
): JobHandler<"send-replies-mail"> {
  return async ({ conversationId }, { teamId }) => {
    // Mail was switched off while the job waited; a later reply sets another timer.
    if (!mailer) return;
    const actor = { kind: "system", teamId } as const;
    const replies = await perform()(actor, repliesToMail, { conversationId });
    if (!replies) return;
    await mailer.send(repliesMail(conversationId, replies)).catch((error) => {
      if (!(error instanceof AddressRefused)) throw error;
    });
    await perform()(actor, noteRepliesMailed, { conversationId, upTo: replies.upTo });
  };
}
