import type { MailAddress, ParsedMail } from "../parse/parsed-mail.ts";
import { type AutomaticKind, automaticKind } from "../rules/automatic-mail.ts";
import { distinctAddresses, isOwnAddress, readAddress } from "../rules/mail-address.ts";
import { replyTokenHash, tokensOfIds, tokensOfMail } from "../rules/reply-token.ts";

/** What the import of a mail needs of it. */
export interface IncomingMail {
  headerId: string | null;
  /** Who wrote it; null when it names no address. */
  sender: MailAddress | null;
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  replyTo: readonly MailAddress[];
  subject: string;
  references: readonly string[];
  /** The ids that it answers, the most telling first. */
  answers: readonly string[];
  /** Hashes of the tokens in its addresses. */
  tokens: readonly string[];
  /** Hashes of the tokens in its own id: only our mails have one that exists. */
  ownTokens: readonly string[];
  automatic: AutomaticKind | undefined;
  text: string;
  /** ms since the epoch; null when it says none. */
  sentAt: number | null;
}

/** No more addresses of a mail are kept. */
const ADDRESSES_MAX = 100;
/** No more ids are looked up. */
const ANSWERS_MAX = 20;

/** @param ownAddresses those of the account */
export function readIncoming(mail: ParsedMail, ownAddresses: readonly string[]): IncomingMail {
  const recipients = (addresses: readonly MailAddress[]) => distinctAddresses(addresses).slice(0, ADDRESSES_MAX);
  const answers = [...mail.inReplyTo, ...mail.references.toReversed()];
  return {
    headerId: mail.messageId,
    sender: writerOf(mail, ownAddresses),
    to: recipients(mail.to),
    cc: recipients(mail.cc),
    replyTo: recipients(mail.replyTo),
    subject: mail.subject,
    references: mail.references,
    answers: [...new Set(answers)].slice(0, ANSWERS_MAX),
    tokens: tokensOfMail(mail, ownAddresses, []).map(replyTokenHash),
    ownTokens: mail.messageId === null ? [] : tokensOfIds([mail.messageId]).map(replyTokenHash),
    automatic: automaticKind(mail, ownAddresses),
    text: textOf(mail),
    sentAt: mail.date,
  };
}

/** From, unless a list or group of ours has put its own address there (DMARC): then who the answer goes to. */
function writerOf({ from, replyTo, headers }: ParsedMail, ownAddresses: readonly string[]): MailAddress | null {
  const isOurs = ({ address }: MailAddress) => isOwnAddress(address, ownAddresses);
  const [first] = distinctAddresses(from);
  if (first && !isOurs(first)) return first;
  const original = headers.find(([name]) => name === "x-original-from")?.[1] ?? "";
  const address = readAddress(/<([^<>]+)>\s*$/.exec(original.slice(-1_000))?.[1] ?? original);
  if (first && address !== undefined) return { name: null, address };
  return distinctAddresses(replyTo).find((each) => !isOurs(each)) ?? first ?? null;
}

function textOf({ text, textOfHtml }: ParsedMail): string {
  const plain = text?.trim() ?? "";
  return plain === "" ? (textOfHtml?.trim() ?? "") : plain;
}
