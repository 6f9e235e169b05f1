import type { Logger } from "../../logger.ts";
import type { Perform } from "../../perform.ts";
import { type TakeRawMails, takeFetchedMails } from "../in/take-mail.ts";
import { readMailHead } from "../parse/mail-head.ts";
import { isSentReply } from "./find-sent-reply.ts";
import { SENT_HEADERS } from "./sent-head.ts";
import { withoutBcc } from "./without-bcc.ts";

interface Mailbox {
  teamId: string;
  accountId: string;
}

/** What the reader of mailboxes asks about the mails of their folders of sent mails. */
export interface SentIntake {
  /** The headers that `wants` needs. */
  headers: readonly string[];
  /** Whether a mail is a reply in a conversation of the mailbox, by its headers: of any other, nothing is fetched or stored. */
  wants(mailbox: Mailbox, head: Uint8Array): Promise<boolean>;
  /** Stores whole mails for their import; resolves when they are stored or known. */
  take(mailbox: Mailbox, raws: readonly Uint8Array[]): Promise<void>;
}

export function createSentIntake({
  perform,
  takeRawMails,
  logger,
}: {
  perform: Perform;
  takeRawMails: TakeRawMails;
  logger: Pick<Logger, "warn">;
}): SentIntake {
  const take = takeFetchedMails({ takeRawMails }, logger, "sent");
  return {
    headers: SENT_HEADERS,
    wants: ({ teamId, accountId }, head) =>
      perform({ kind: "channel", teamId, accountId }, isSentReply, { head: readMailHead(head) }),
    take: (mailbox, raws) => take(mailbox, raws.map(withoutBcc)),
  };
}
