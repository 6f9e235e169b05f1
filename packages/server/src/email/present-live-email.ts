import { type LiveEmail, type LiveMailHead, MAIL_PEOPLE_MAX } from "@frontdesk/core/contract/live-mail";
import type { MailRow } from "../storage/tables.ts";
import type { MailAddress } from "./parse/parsed-mail.ts";
import { baseSubject } from "./rules/mail-subject.ts";

/** The mail of a message, as the team sees it. */
export function presentLiveEmail(
  mail: Pick<MailRow, "sender" | "recipients" | "subject" | "header_id" | "folded_text">,
): LiveEmail {
  const { subject, header_id: message_id, folded_text } = mail;
  const quoted = folded_text === null ? {} : ({ has_quoted: true } as const);
  return { ...presentMailHead(mail), subject: baseSubject(subject), message_id, ...quoted };
}

/** Who a mail is from and to, with the first people of To and Cc. */
export function presentMailHead({ sender, recipients }: Pick<MailRow, "sender" | "recipients">): LiveMailHead {
  const { to, cc } = JSON.parse(recipients) as Record<"to" | "cc", MailAddress[]>;
  const [shownTo, shownCc] = [to.slice(0, MAIL_PEOPLE_MAX), cc.slice(0, MAIL_PEOPLE_MAX)];
  return {
    from: sender === null ? null : JSON.parse(sender),
    to: shownTo,
    cc: shownCc,
    more: to.length + cc.length - shownTo.length - shownCc.length,
  };
}
