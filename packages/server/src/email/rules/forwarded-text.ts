import type { MailAddress } from "../parse/parsed-mail.ts";
import { baseSubject } from "./mail-subject.ts";
import { withoutReplyTokens } from "./reply-token.ts";

/** Longest text that is passed on, in UTF-16 units. */
const TEXT_MAX = 200_000;
/** Longest line of a header. */
const LINE_MAX = 500;
/** In each of To and Cc. */
const PEOPLE_MAX = 20;

export interface ForwardedMail {
  from: MailAddress;
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  subject: string;
  /** ms since the epoch. */
  sentAt: number;
  text: string;
  /** The names of the files that go along. */
  files: readonly string[];
}

/**
 * A mail below the text with which it is forwarded, in the form that mail programs write and read (`forwarded-mail.ts`).
 * The addresses of our own lose their tokens: who gets the forward could answer into the conversation by them.
 */
export function forwardedText(mail: ForwardedMail, ownAddresses: readonly string[]): string {
  const header = [
    `From: ${person(mail.from)}`,
    `Date: ${new Date(mail.sentAt).toISOString().slice(0, 16).replace("T", " ")} UTC`,
    `Subject: ${baseSubject(mail.subject)}`,
    ...people("To", mail.to),
    ...people("Cc", mail.cc),
    ...(mail.files.length > 0 ? [`Attachments: ${mail.files.join(", ")}`] : []),
  ].map(oneLine);
  const text = mail.text.slice(0, TEXT_MAX).toWellFormed().trim();
  return withoutReplyTokens(["---------- Forwarded message ----------", ...header, "", text].join("\n"), ownAddresses);
}

/** What the subject of a forward is. */
export const forwardSubject = (subject: string): string => `Fwd: ${baseSubject(subject)}`.trimEnd();

const person = ({ name, address }: MailAddress): string => (name ? `${name} <${address}>` : address);

function people(label: string, listed: readonly MailAddress[]): string[] {
  if (listed.length === 0) return [];
  const more = listed.length - PEOPLE_MAX;
  return [`${label}: ${listed.slice(0, PEOPLE_MAX).map(person).join(", ")}${more > 0 ? ` (+${more})` : ""}`];
}

const oneLine = (line: string): string =>
  line
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .slice(0, LINE_MAX)
    .toWellFormed()
    .trim();
