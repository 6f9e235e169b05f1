import type { ParsedMail } from "../parse/parsed-mail.ts";
import { readHeaderBlock, textOfPart } from "../rules/header-block.ts";
import { foldAddress, isOwnAddress } from "../rules/mail-address.ts";
import { headerOf, headersOf } from "../rules/mail-headers.ts";
import { readMessageIds } from "../rules/message-ids.ts";
import { tokensInText, tokensOfIds, tokensOfMail } from "../rules/reply-token.ts";
import { type FailedRecipient, RECIPIENTS_MAX } from "./failed-recipient.ts";
import { addressOf, namesRecipients, recipientsOfStatus } from "./recipients-of-status.ts";
import { recipientsIn, recipientsOfText } from "./recipients-of-text.ts";
import { splitOriginal } from "./split-original.ts";

export interface Report {
  recipients: FailedRecipient[];
  /** Of the mail that the report is about. */
  originalIds: string[];
  /** In the recipient of the report and in the returned headers. */
  envelopeTokens: string[];
  /** Somebody has marked the mail as spam (RFC 5965): the addresses, empty where the report names none. Undefined: a bounce. */
  complaint?: string[];
}

/** A report has three parts; no more are looked at. */
const PARTS_MAX = 10;

/**
 * What a report says about a mail of ours: a complaint (RFC 5965), or whom it has not reached, by its machine-readable part (RFC 3464),
 * else by X-Failed-Recipients, else by the text as mail servers write it. An empty list of recipients is a report that is not understood.
 */
export function readReport(
  mail: Pick<ParsedMail, "headers" | "to" | "cc" | "text" | "textOfHtml" | "parts" | "inReplyTo" | "references">,
  ownAddresses: readonly string[],
  envelopeRecipients: readonly string[] = [],
): Report {
  const { said, original } = splitOriginal(mail.text ?? mail.textOfHtml ?? "");
  const parts = mail.parts.slice(0, PARTS_MAX);
  const returned = [...parts.filter(isReturned).map(({ content }) => textOfPart(content)), original].join("\n\n");
  const notOwn = ({ address }: FailedRecipient) => !isOwnAddress(address, ownAddresses);

  const sentTo = recipientsIn(returned);
  const structured = parts
    .filter(isStatus)
    .flatMap(({ content }) => recipientsOfStatus(textOfPart(content), said, ownAddresses, sentTo));
  const complaint = complaintIn(parts, returned);
  const bounced = () =>
    isUnderstood(parts) ? structured : recipientsOfText(mail.headers, said, returned, ownAddresses);
  const recipients = complaint ? [] : bounced();
  const ids = [...idsIn(returned), ...mail.inReplyTo, ...mail.references];
  return {
    recipients: distinct(recipients.filter(notOwn)).slice(0, RECIPIENTS_MAX),
    originalIds: [...new Set(ids)],
    envelopeTokens: [
      ...new Set([
        ...tokensOfMail(mail, ownAddresses, envelopeRecipients),
        ...tokensInText(returned, ownAddresses),
        ...tokensOfIds(ids),
      ]),
    ],
    ...(complaint && { complaint }),
  };
}

/** Undefined where it is none, or says that a mail is not spam after all. */
function complaintIn(parts: ParsedMail["parts"], returned: string): string[] | undefined {
  // Outlook.com names who has complained in the mail that it returns.
  const outlook = addressOf(/^x-hmxmroriginalrecipient:(.*)$/im.exec(returned)?.[1]);
  if (outlook !== undefined) return [outlook];
  const part = parts.find(({ mime }) => mime === "message/feedback-report");
  if (!part) return undefined;
  const fields = readHeaderBlock(textOfPart(part.content).replaceAll(/\r\n?/g, "\n"));
  if (headerOf(fields, "feedback-type")?.toLowerCase() === "not-spam") return undefined;
  return headersOf(fields, "original-rcpt-to")
    .flatMap((value) => addressOf(value) ?? [])
    .slice(0, RECIPIENTS_MAX);
}

const isStatus = ({ mime }: ParsedMail["parts"][number]): boolean =>
  mime === "message/delivery-status" || mime === "message/global-delivery-status";

const isReturned = ({ mime }: ParsedMail["parts"][number]): boolean =>
  /^(?:message\/(?:rfc822|global|global-headers|partial)|text\/rfc822-headers)$/.test(mime);

/** A status part that names recipients by an address is believed, also where it says that all were reached. */
const isUnderstood = (parts: ParsedMail["parts"]): boolean =>
  parts.some((part) => isStatus(part) && namesRecipients(textOfPart(part.content)));

/** The ids in the returned headers; some providers replace ours, and keep it in a header of their own. */
function idsIn(returned: string): string[] {
  const lines = returned
    .replaceAll(/\r?\n[ \t]+/g, " ")
    .matchAll(/^[>\s]{0,10}(?:x-microsoft-original-)?message-id:(.*)$/gim);
  return [...lines].flatMap(([, value]) => readMessageIds(value as string));
}

function distinct(recipients: readonly FailedRecipient[]): FailedRecipient[] {
  const byAddress = new Map(recipients.toReversed().map((each) => [foldAddress(each.address), each]));
  return [...byAddress.values()].reverse();
}
