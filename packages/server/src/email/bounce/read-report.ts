import type { ParsedMail } from "../parse/parsed-mail.ts";
import { readHeaderBlock, textOfPart } from "../rules/header-block.ts";
import { foldAddress, isOwnAddress, readAddress } from "../rules/mail-address.ts";
import { headerOf, headersOf } from "../rules/mail-headers.ts";
import { readMessageIds } from "../rules/message-ids.ts";
import { tokensInText, tokensOfIds, tokensOfMail } from "../rules/reply-token.ts";
import { classOf, type FailureClass, statusIn } from "./failure-class.ts";
import { splitOriginal } from "./split-original.ts";

export interface FailedRecipient {
  address: string;
  /** `delayed`: the server goes on trying. */
  action: "failed" | "delayed";
  /** As `5.1.1`; null when the report has none. */
  status: string | null;
  class: FailureClass;
  /** The words of the server; "" when the report has none. */
  diagnostic: string;
}

export interface Report {
  recipients: FailedRecipient[];
  /** Of the mail that the report is about. */
  originalIds: string[];
  /** In the recipient of the report and in the returned headers. */
  envelopeTokens: string[];
  /** Somebody has marked the mail as spam (RFC 5965): the addresses, empty where the report names none. Undefined: a bounce. */
  complaint?: string[];
}

const RECIPIENTS_MAX = 100;
/** A report has three parts; no more are looked at. */
const PARTS_MAX = 10;
const DIAGNOSTIC_MAX = 1_000;

/**
 * What a report says about a mail of ours: a complaint (RFC 5965), or whom it has not reached, by its machine-readable part (RFC 3464), else by X-Failed-Recipients, else by the text
 * as mail servers write it. An empty list of recipients is a report that is not understood.
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

  const structured = parts.filter(isStatus).flatMap(({ content }) => recipientsOfStatus(textOfPart(content), said));
  const complaint = complaintIn(parts);
  const bounced = () => (isUnderstood(parts) ? structured : recipientsOfText(mail.headers, said, ownAddresses));
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
function complaintIn(parts: ParsedMail["parts"]): string[] | undefined {
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

/** A status part that names recipients is believed, also where it says that all were reached. */
const isUnderstood = (parts: ParsedMail["parts"]): boolean =>
  parts.some((part) => isStatus(part) && /^(?:final|original)-recipient:/im.test(textOfPart(part.content)));

function recipientsOfStatus(text: string, said: string): FailedRecipient[] {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .split(/\n[ \t]*\n/)
    .flatMap((group): FailedRecipient[] => {
      const fields = readHeaderBlock(group);
      const address =
        addressOf(headerOf(fields, "final-recipient")) ?? addressOf(headerOf(fields, "original-recipient"));
      const action = (headerOf(fields, "action") ?? "failed").toLowerCase();
      if (address === undefined || /^(?:delivered|relayed|expanded)/.test(action)) return [];
      const diagnostic = (headerOf(fields, "diagnostic-code") ?? "").replace(/^[\w-]+\s*;\s*/, "");
      const status = statusIn(headerOf(fields, "status") ?? "") ?? null;
      const words = diagnostic === "" ? linesAbout(address, said) : diagnostic;
      return [recipient(address, action.startsWith("delayed"), status, words)];
    });
}

/** The address of `rfc822; vera@example.com`, in any brackets. */
function addressOf(field: string | undefined): string | undefined {
  if (field === undefined) return undefined;
  return readAddress(field.slice(field.indexOf(";") + 1).replaceAll(/[<>"\s]/g, ""));
}

function recipientsOfText(headers: ParsedMail["headers"], said: string, own: readonly string[]): FailedRecipient[] {
  const named = (headerOf(headers, "x-failed-recipients") ?? "")
    .split(",")
    .flatMap((each) => readAddress(each) ?? [])
    .slice(0, RECIPIENTS_MAX);
  const addresses = named.length > 0 ? named : addressesIn(said).filter((each) => !isOwnAddress(each, own));
  const isDelayed = /\b(?:delayed|not yet been delivered|will (?:be retried|retry|keep trying)|still trying)\b/i.test(
    said,
  );
  return addresses.map((address) => {
    const words = linesAbout(address, said);
    return recipient(address, isDelayed, statusIn(words) ?? null, words);
  });
}

function recipient(address: string, isDelayed: boolean, status: string | null, words: string): FailedRecipient {
  const diagnostic = words.replaceAll(/\s+/g, " ").trim().slice(0, DIAGNOSTIC_MAX).toWellFormed();
  // A status of `5.0.0` says less than the words beside it.
  const exact = status === null || /^\d\.0\.0$/.test(status) ? (statusIn(diagnostic) ?? status) : status;
  const action = isDelayed ? "delayed" : "failed";
  return {
    address,
    action,
    status: exact,
    class: classOf({ isDelayed, status: exact, words: diagnostic }),
    diagnostic,
  };
}

/** Programs that write reports name themselves in them. */
const REPORTER = /^(?:mailer-daemon|postmaster|hostmaster|abuse|noreply|no-reply|support)@/i;

/** The addresses with which lines begin, in brackets or not; else the first ones anywhere. */
function addressesIn(said: string): string[] {
  const read = (pattern: RegExp) =>
    [...said.matchAll(pattern)]
      .flatMap(([, text]) => readAddress(text as string) ?? [])
      .filter((each) => !REPORTER.test(each));
  const atStart = read(
    /^[\s*>:.-]{0,20}(?:(?:to|recipient|user|address|e-?mail)[ :]{1,3})?[<"'(]?([^\s<>"'(),;:@]{1,64}@[\w.-]{1,253}\w)/gim,
  );
  return atStart.length > 0
    ? [...new Set(atStart)].slice(0, RECIPIENTS_MAX)
    : read(/(?<![^\s<>"'(),;:])([^\s<>"'(),;:@]{1,64}@[\w.-]{1,253}\w)/g).slice(0, 1);
}

const LINES_ABOUT = 12;

/** The lines from an address on, up to the next address of the same form; all lines where it isn't named. */
function linesAbout(address: string, said: string): string {
  const lines = said.split("\n");
  const folded = foldAddress(address);
  const first = lines.findIndex((line) => line.toLowerCase().includes(folded));
  if (first === -1) return lines.slice(0, LINES_ABOUT).join("\n");
  const rest = lines.slice(first, first + LINES_ABOUT);
  const next = rest.findIndex((line, index) => index > 0 && /^\s*<?[^\s<>@]+@[\w.-]+>?:?\s*$/.test(line));
  return (next === -1 ? rest : rest.slice(0, next)).join("\n");
}

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
