import { type Report, readReport } from "../bounce/read-report.ts";
import type { MailAddress, ParsedMail } from "../parse/parsed-mail.ts";
import { textOfMail } from "../parse/text-of-mail.ts";
import { type TrimmedText, trimQuotes } from "../parse/trim-quotes.ts";
import { type AutomaticKind, automaticKind } from "../rules/automatic-mail.ts";
import { forwardedFrom } from "../rules/forwarded-mail.ts";
import { distinctAddresses, isOwnAddress } from "../rules/mail-address.ts";
import { answeredIds } from "../rules/message-ids.ts";
import { replyTokenHash, tokensInText, tokensOfIds, tokensOfMail } from "../rules/reply-token.ts";
import { isSpam } from "../rules/spam-verdict.ts";
import { marksOfIds, marksOfMail } from "../rules/test-mark.ts";
import { verdictOf } from "../rules/verdict.ts";
import { type WriterRules, whoWrote } from "../rules/who-wrote.ts";

/** What the import of a mail needs of it. */
export interface IncomingMail {
  headerId: string | null;
  /** Who wrote it; null when it names no address. */
  sender: MailAddress | null;
  /** Whether that is as certain as the From of a mail (`rules/who-wrote.ts`): only then does it join a conversation. */
  isTrusted: boolean;
  /** The account's own server says that it is not from the domain of its From. */
  dmarcFailed: boolean;
  /** The same server says that it is. False also where there is no such server. */
  dmarcPassed: boolean;
  /** The account's own server says that it is spam. */
  isSpam: boolean;
  /**
   * The one writer of the mail that it forwards; null for none. Only of a mail that the account's own server has found to be from its
   * sender: a forward by an agent then begins a conversation with that writer.
   */
  forwardedFrom: MailAddress | null;
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  replyTo: readonly MailAddress[];
  subject: string;
  references: readonly string[];
  /** The ids that it answers, the most telling first. */
  answers: readonly string[];
  /** Hashes of the tokens in its addresses. */
  tokens: readonly string[];
  /** Hashes of the tokens that only our mails have: in its own id, and in the Reply-To of one from our address. */
  ownTokens: readonly string[];
  /** Marks of a test mail, also of one that it reports about or answers automatically; the vault says whether they are ours. */
  testMarks: readonly string[];
  automatic: AutomaticKind | undefined;
  /** What a mail server says about a mail of ours; undefined for all other mails. */
  report: Report | undefined;
  /** All of it. */
  text: string;
  /** The same in two parts: what is new in an answer, and what it quotes. */
  trimmed: TrimmedText;
  /** ms since the epoch; null when it says none. */
  sentAt: number | null;
  /** Whether it has HTML that can be shown. */
  hasHtml: boolean;
}

/** No more addresses of a mail are kept. */
const ADDRESSES_MAX = 100;

/**
 * @param writers of the account
 * @param authservId `EmailSettings.authservId`
 */
export function readIncoming(mail: ParsedMail, writers: WriterRules, authservId: string | null): IncomingMail {
  const { ownAddresses } = writers;
  const recipients = (addresses: readonly MailAddress[]) => distinctAddresses(addresses).slice(0, ADDRESSES_MAX);
  const verdict = verdictOf(mail.headers, authservId);
  const writer = whoWrote(mail, writers, verdict);
  const automatic = writer?.isByForm ? undefined : automaticKind(mail, ownAddresses);
  const report = automatic === "bounce" ? readReport(mail, ownAddresses) : undefined;
  const answers = answeredIds(mail);
  return {
    headerId: mail.messageId,
    sender: writer ? { name: writer.name, address: writer.address } : null,
    isTrusted: writer?.isTrusted ?? false,
    dmarcFailed: verdict?.dmarc === "fail",
    dmarcPassed: verdict?.dmarc === "pass",
    isSpam: isSpam(mail.headers, authservId),
    forwardedFrom: (verdict?.dmarc === "pass" && writer?.isTrusted && forwardedFrom(mail, ownAddresses)) || null,
    to: recipients(mail.to),
    cc: recipients(mail.cc),
    replyTo: recipients(writer?.replyTo ?? []),
    subject: mail.subject,
    references: mail.references,
    answers,
    tokens: tokensOfMail(mail, ownAddresses, []).map(replyTokenHash),
    ownTokens: tokensOfOurs(mail, ownAddresses).map(replyTokenHash),
    testMarks: [...marksOfMail(mail), ...marksOfIds(causeOf(automatic, answers, report))],
    automatic,
    report,
    text: textOfMail(mail).text.trim(),
    trimmed: trimQuotes(mail, { isFirst: false }),
    sentAt: mail.date,
    hasHtml: (mail.html ?? "").trim() !== "",
  };
}

/**
 * The id of the one mail that an automatic mail is about. The further ones are of its thread, or of what it quotes: by them a report
 * about another mail would count as one about a test mail.
 */
function causeOf(
  automatic: AutomaticKind | undefined,
  answers: readonly string[],
  report: Report | undefined,
): string[] {
  if (automatic === undefined || automatic === "list") return [];
  return (report?.originalIds ?? answers).slice(0, 1);
}

/** A relay may have replaced the id of our mail, but not where it is answered. */
function tokensOfOurs({ messageId, from, replyTo }: ParsedMail, ownAddresses: readonly string[]): string[] {
  const inId = messageId === null ? [] : tokensOfIds([messageId]);
  const isFromUs = from.some(({ address }) => isOwnAddress(address, ownAddresses));
  const answersTo = isFromUs ? replyTo.map(({ address }) => address).join("\n") : "";
  return [...inId, ...tokensInText(answersTo, ownAddresses)];
}
