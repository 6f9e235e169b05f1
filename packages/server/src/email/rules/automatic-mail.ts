import type { ParsedMail } from "../parse/parsed-mail.ts";
import { isOwnAddress } from "./mail-address.ts";
import { headerOf, headersOf, keywordOf } from "./mail-headers.ts";

/**
 * Mail that no human has written to us. It is kept, but reopens nothing, is not unread and is never answered.
 *
 * - `bounce`: a report about a mail of ours (delivery status, complaint); it ends as a state of that mail
 * - `auto-reply`: an absence note, an acknowledgement of a ticket system
 * - `list`: newsletters and mailing lists
 * - `notice`: read receipts and everything else that programs write
 */
export type AutomaticKind = "auto-reply" | "list" | "bounce" | "notice";

export interface MailToJudge
  extends Pick<ParsedMail, "headers" | "from" | "subject" | "contentType" | "inReplyTo" | "parts"> {
  /** The envelope's sender where the way in knows it: "" is the null sender. Undefined: as Return-Path says. */
  envelopeFrom?: string | undefined;
}

/** @param ownAddresses the account's; mail through a list at one of them is the customers' */
export function automaticKind(mail: MailToJudge, ownAddresses: readonly string[]): AutomaticKind | undefined {
  if (isReport(mail)) return "bounce";
  if (isReceipt(mail)) return "notice";
  const submitted = keywordOf(headerOf(mail.headers, "auto-submitted") ?? "no");
  if (isAutoReply(mail, submitted)) return "auto-reply";
  if (isFromList(mail, ownAddresses)) return "list";
  return isNotice(mail, submitted) ? "notice" : undefined;
}

function isReport(mail: MailToJudge): boolean {
  const { type, params } = mail.contentType;
  const reportType = (params["report-type"] ?? "").toLowerCase();
  if (type === "multipart/report") return reportType !== "disposition-notification";
  if (type === "message/delivery-status" || headerOf(mail.headers, "x-failed-recipients") !== undefined) return true;
  return isFromDaemon(mail) || isReturnedMail(mail) || isOutlookComplaint(mail);
}

/** `mailer-daemon` is a program, as an address, as a name, and where its address has no domain. */
function isFromDaemon({ from, headers }: MailToJudge): boolean {
  if (from.length === 0) return /^(?:<>|[^@]*\bmailer-daemon\b[^@]*)$/i.test(headerOf(headers, "from") ?? "");
  return from.some(
    ({ name, address }) => isDaemon(address) || /^(?:mailer[- ]daemon|mail delivery (?:sub)?system)$/i.test(name ?? ""),
  );
}

const isDaemon = (address: string): boolean => /^mailer-?daemon(?:[+=.@-]|$)/i.test(address);

/** Outlook.com writes complaints in a form of its own, with the mail that they are about. */
const isOutlookComplaint = ({ from, subject }: MailToJudge): boolean =>
  from.some(({ address }) => /^staff@hotmail\.com$/i.test(address)) && /^complaint about message from /i.test(subject);

/** What servers call their reports, where no header says that they are. */
const RETURNED_SUBJECT =
  /^(?:undeliver(?:able|ed)\b|(?:mail )?delivery (?:has )?(?:fail|error|status)|mail delivery|failure notice|returned mail|non-?delivery|mail system error|(?:mail|message) (?:could not be|was not|not) delivered)/i;

/** `postmaster` may be a person, but never one with the null sender; with that, absence notes are written too, but they return no mail. */
function isReturnedMail(mail: MailToJudge): boolean {
  const isPostmaster = mail.from.some(({ address }) => /^post_?master@/i.test(address));
  const isNamedSo = RETURNED_SUBJECT.test(mail.subject);
  const hasReturned = mail.parts.some(({ mime }) => mime === "message/rfc822");
  if (hasNullSender(mail)) return isPostmaster || isNamedSo || hasReturned;
  return isPostmaster && (isNamedSo || (hasReturned && !/^(?:re|aw|fwd?|wg|tr|rv)\s*:/i.test(mail.subject)));
}

function isReceipt({ contentType, headers }: MailToJudge): boolean {
  return (
    (contentType.type === "multipart/report" && contentType.params["report-type"] !== undefined) ||
    headerOf(headers, "x-ms-exchange-message-is-mdn") !== undefined
  );
}

/** Headers that only vacation programs and autoresponders write. */
const AUTO_REPLY_HEADERS = ["x-autoreply", "x-autorespond", "x-autoresponder", "x-autoreply-from", "x-mail-autoreply"];

/** What absence notes are called where their headers say only that a program wrote them (Exchange, Outlook.com). */
const AUTO_REPLY_SUBJECT =
  /^(?:automatic reply|auto(?:matic)? ?-?response|autoreply|out of (?:the )?office|automatische (?:antwort|antwoord)|automatisch antwoord|abwesenheit|réponse automatique|respuesta automática|resposta automática|risposta automatica|odpowiedź automatyczna|automatisk (?:svar|sv)|autosvar|automaattinen vastaus|otomatik yanıt|автоматический ответ|自動応答|自动回复|自動回覆|자동 회신)/iu;

function isAutoReply(mail: MailToJudge, submitted: string): boolean {
  if (submitted === "auto-replied") return true;
  if (AUTO_REPLY_HEADERS.some((name) => saysYes(headerOf(mail.headers, name)))) return true;
  if (precedences(mail).some((each) => /^auto[_-]?reply$/.test(each))) return true;
  // iCloud says it in this header alone.
  if (keywordOf(headerOf(mail.headers, "x-apple-action") ?? "") === "vacation") return true;
  if (!isNotice(mail, submitted)) return false;
  const source = headerOf(mail.headers, "x-ms-exchange-generated-message-source") ?? "";
  return /mailbox rules agent/i.test(source) || mail.inReplyTo.length > 0 || AUTO_REPLY_SUBJECT.test(mail.subject);
}

const saysYes = (value: string | undefined): boolean => value !== undefined && !/^(?:no|false|0)$/i.test(value);

const precedences = ({ headers }: MailToJudge): string[] =>
  [...headersOf(headers, "precedence"), ...headersOf(headers, "x-precedence")].map(keywordOf);

function isFromList(mail: MailToJudge, ownAddresses: readonly string[]): boolean {
  const listId = headerOf(mail.headers, "list-id");
  if (isOwnList(mail, listId, ownAddresses)) return false;
  const names = ["list-unsubscribe", "x-ml-name", "x-mlserver"];
  if (listId !== undefined || names.some((name) => headerOf(mail.headers, name) !== undefined)) return true;
  return precedences(mail).some((each) => each === "list" || each === "bulk");
}

/** A group of ours (`support@` of Google Groups, of Mailman) writes a list's headers into each customer's mail. */
function isOwnList({ headers }: MailToJudge, listId: string | undefined, ownAddresses: readonly string[]): boolean {
  const post = /<mailto:([^>?\s]+)/i.exec(headerOf(headers, "list-post") ?? "")?.[1];
  if (post !== undefined) return isOwnAddress(post, ownAddresses);
  const id = /<([^<>\s]+)>/.exec(listId ?? "")?.[1]?.toLowerCase();
  return id !== undefined && ownAddresses.some((own) => own.toLowerCase().replace("@", ".") === id);
}

function isNotice(mail: MailToJudge, submitted: string): boolean {
  return (
    submitted !== "no" ||
    hasNullSender(mail) ||
    headerOf(mail.headers, "x-auto-response-suppress") !== undefined ||
    precedences(mail).includes("junk")
  );
}

/** RFC 5321 4.5.5: what is sent about a mail has no sender, so that nothing is sent about it. Some stores write a daemon for it. */
function hasNullSender({ headers, envelopeFrom }: MailToJudge): boolean {
  const sender = (envelopeFrom ?? headerOf(headers, "return-path"))?.replaceAll(/[\s<>]/g, "");
  return sender !== undefined && (sender === "" || isDaemon(sender));
}
