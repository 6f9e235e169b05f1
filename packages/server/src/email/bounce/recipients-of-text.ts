import type { ParsedMail } from "../parse/parsed-mail.ts";
import { foldAddress, isOwnAddress, readAddress } from "../rules/mail-address.ts";
import { headerOf } from "../rules/mail-headers.ts";
import { type FailedRecipient, failedRecipient, RECIPIENTS_MAX } from "./failed-recipient.ts";
import { statusIn } from "./failure-class.ts";
import { linesAbout, wordsIn } from "./lines-about.ts";
import { namesRecipients, recipientsOfStatus } from "./recipients-of-status.ts";

/** By the fields of RFC 3464 that a text has, else by X-Failed-Recipients, else by the text as mail servers write it. */
export function recipientsOfText(
  headers: ParsedMail["headers"],
  said: string,
  returned: string,
  own: readonly string[],
): FailedRecipient[] {
  const sentTo = recipientsIn(returned);
  if (namesRecipients(said)) return recipientsOfStatus(said, said, own, sentTo);
  const named = (headerOf(headers, "x-failed-recipients") ?? "")
    .split(",")
    .flatMap((each) => readAddress(each) ?? [])
    .slice(0, RECIPIENTS_MAX);
  const found = named.length > 0 ? named : addressesIn(said, sentTo, own);
  // A server between has put the report into one of its own.
  if (found.length === 0 && namesRecipients(returned)) return recipientsOfStatus(returned, said, own, sentTo);
  // A report that names none is about whom the mail was sent to.
  const addresses = found.length > 0 ? found : sentTo;
  const isDelayed = /\b(?:delayed|not yet been delivered|will (?:be retried|retry|keep trying)|still trying)\b/i.test(
    said,
  );
  const around = wordsIn(said);
  return addresses.map((address) => {
    const words = linesAbout(address, around, addresses);
    // Of one recipient alone, the whole text is about it.
    const context = addresses.length === 1 ? said : undefined;
    return failedRecipient(address, isDelayed, statusIn(words) ?? null, words, context);
  });
}

/** Programs that write reports name themselves in them. */
const REPORTER = /^(?:mailer-daemon|post_?master|hostmaster|abuse|noreply|no-reply|support)@/i;

const AT_START =
  /^[\s*>:.-]{0,20}(?:[45]\d\d[ -](?:[45]\.\d{1,3}\.\d{1,3} )?)?(?:(?:(?:rcpt )?to|recipient|user|address|e-?mail)[ :]{1,3})?[<"'(]?([^\s<>"'(),;:@]{1,64}@[\w.-]{1,253}\w)/gim;
const ANYWHERE = /(?<![^\s<>"'(),;:])([^\s<>"'(),;:@]{1,64}@[\w.-]{1,253}\w)/g;

/** The addresses with which lines begin, in brackets or not; else those that the mail was sent to, or the first one, anywhere. */
function addressesIn(said: string, sentTo: readonly string[], own: readonly string[]): string[] {
  const sent = new Set(sentTo.map(foldAddress));
  const isSentTo = (address: string) => sent.has(foldAddress(address));
  const read = (pattern: RegExp) =>
    [...said.matchAll(pattern)]
      .flatMap(([, text]) => readAddress(text as string) ?? [])
      .filter((each) => !isOwnAddress(each, own) && (isSentTo(each) || !REPORTER.test(each)));
  const atStart = read(AT_START);
  if (atStart.length > 0) return [...new Set(atStart)].slice(0, RECIPIENTS_MAX);
  const anywhere = read(ANYWHERE);
  const known = anywhere.filter(isSentTo);
  if (known.length > 0) return known.slice(0, RECIPIENTS_MAX);
  return anywhere.slice(0, 1);
}

/** Whom the returned headers say that the mail was sent to. */
export function recipientsIn(returned: string): string[] {
  const line = /^[>\s]{0,10}to:(.*)$/im.exec(returned.replaceAll(/\r?\n[ \t]+/g, " "))?.[1] ?? "";
  return [...line.matchAll(ANYWHERE)].flatMap(([, text]) => readAddress(text as string) ?? []).slice(0, RECIPIENTS_MAX);
}
