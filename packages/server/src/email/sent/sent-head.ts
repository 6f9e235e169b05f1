import type { MailHead } from "../parse/mail-head.ts";
import type { ParsedMail } from "../parse/parsed-mail.ts";
import { headersOf } from "../rules/mail-headers.ts";
import { readMessageIds } from "../rules/message-ids.ts";
import { replyTokenHash, tokensInText, tokensOfIds, tokensOfMail } from "../rules/reply-token.ts";

/** What is decided by in a mail of the folder of sent mails. The content type is known once it is fetched. */
export type SentHead = Omit<MailHead, "date"> & Partial<Pick<ParsedMail, "contentType">>;

/** Mail servers that replace a Message-ID keep the old one here. */
const REPLACED_IDS = ["x-microsoft-original-message-id", "x-google-original-message-id"];

/** The headers that are fetched of each new mail in the folder of sent mails; of one that is no reply, nothing else is. */
export const SENT_HEADERS: readonly string[] = [
  ...["from", "to", "cc", "reply-to", "message-id", "in-reply-to", "references"],
  ...["auto-submitted", "precedence", "authentication-results", ...REPLACED_IDS],
];

/** No more ids are looked up. */
const ANSWERS_MAX = 20;

/** What leads to the mails that it answers, and what only a mail of ours has. */
export function idsOfSent(head: SentHead, ownAddresses: readonly string[]) {
  const replaced = REPLACED_IDS.flatMap((name) => headersOf(head.headers, name)).flatMap(readMessageIds);
  const headerIds = [...(head.messageId === null ? [] : [head.messageId]), ...replaced];
  const answered = [...new Set([...head.inReplyTo, ...head.references.toReversed()])].slice(0, ANSWERS_MAX);
  const replyTo = head.replyTo.map(({ address }) => address).join("\n");
  return {
    headerIds,
    answers: answered,
    tokens: [...tokensOfMail({ ...head, headers: [] }, ownAddresses, []), ...tokensOfIds(answered)].map(replyTokenHash),
    ownTokens: [...tokensOfIds(headerIds), ...tokensInText(replyTo, ownAddresses)].map(replyTokenHash),
  };
}
