import type { InboxPeople } from "@frontdesk/core/contract/inbox";
import type { HeldMail, SpamItem } from "@frontdesk/core/contract/inbox-spam";
import { usePeople } from "../inbox/live-inbox.ts";
import { shortWhen } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";

type ListedMail = SpamItem | HeldMail;

export const subjectOf = ({ subject }: ListedMail): string => subject || t("mail.noSubject");

export function mailboxName({ channel_id }: ListedMail, people: InboxPeople | null): string {
  const mailbox = people?.channels.find(({ id }) => id === channel_id);
  return mailbox ? (mailbox.name ?? mailbox.address) : "";
}

/** Who an email of a list is from. */
export function SenderLine({ sender }: ListedMail) {
  return (
    <p className="flex items-baseline gap-2">
      <span dir="auto" className="aligned min-w-0 truncate">
        {sender.name ?? sender.address ?? t("spam.noSender")}
      </span>
      {sender.name && sender.address && <bdi className="min-w-0 truncate text-meta text-subtle">{sender.address}</bdi>}
    </p>
  );
}

/** When it came, and to which mailbox. */
export function ReceivedLine(item: ListedMail) {
  const mailbox = mailboxName(item, usePeople());
  return (
    <p className="text-meta text-subtle">
      <span className="numbers">{shortWhen(item.received_at)}</span>
      {mailbox && (
        <>
          {" · "}
          <bdi className="wrap-anywhere">{mailbox}</bdi>
        </>
      )}
    </p>
  );
}
