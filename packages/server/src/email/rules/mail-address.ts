import { isEmailAddress } from "@frontdesk/core/domain/email-address";
import type { MailAddress } from "../parse/parsed-mail.ts";

/**
 * Addresses as we read and write them: a dot-atom, `@`, a domain. Quoted local parts, comments, routes and address literals are
 * refused: the parsers of mail libraries disagree about them, and have sent mail to the wrong address.
 */

/** Longest local part and longest label of a domain, in octets (RFC 5321 4.5.3.1.1, RFC 1035 2.3.4). */
export const LOCAL_MAX = 64;
const LABEL_MAX = 63;
/** No longer text is looked at: a domain with other letters gets longer, never this much shorter. */
const TEXT_MAX = 1_000;

/** An address in the form that is stored: the local part as written, the domain in ASCII and lower case. Undefined if it is none. */
export function readAddress(text: string): string | undefined {
  if (text.length > TEXT_MAX) return undefined;
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf("@");
  const local = trimmed.slice(0, at);
  const domain = readDomain(trimmed.slice(at + 1));
  if (at < 1 || local.length > LOCAL_MAX || domain === undefined) return undefined;
  const address = `${local}@${domain}`;
  return isEmailAddress(address) ? address : undefined;
}

/** A domain in ASCII (punycode) and lower case. */
export function readDomain(text: string): string | undefined {
  const plain = text.endsWith(".") ? text.slice(0, -1) : text;
  const ascii = isAscii(plain) ? plain.toLowerCase() : inPunycode(plain);
  if (ascii === undefined || ascii.split(".").some((label) => label.length > LABEL_MAX)) return undefined;
  return isEmailAddress(`x@${ascii}`) ? ascii : undefined;
}

const isAscii = (text: string): boolean => /^[\x21-\x7e]*$/.test(text);

function inPunycode(domain: string): string | undefined {
  // What has a meaning of its own in a URL is no part of a domain.
  if (/[\s/\\?#@:%[\]]/.test(domain)) return undefined;
  return URL.parse(`http://${domain}`)?.hostname;
}

/** The form in which two addresses are the same. Strictly, a local part has upper and lower case; no mail server tells them apart. */
export const foldAddress = (address: string): string => address.toLowerCase();

export const isSameAddress = (one: string, other: string): boolean => foldAddress(one) === foldAddress(other);

/** The address with a tag, `local+tag@domain`; undefined if the local part gets too long for it. */
export function taggedAddress(address: string, tag: string): string | undefined {
  const at = address.lastIndexOf("@");
  return readAddress(`${address.slice(0, at)}+${tag}${address.slice(at)}`);
}

/** Whether mail to the address arrives at one of ours: it is one of them, or one of them with a tag. */
export function isOwnAddress(address: string, ownAddresses: readonly string[]): boolean {
  const folded = foldAddress(address);
  return ownAddresses.some((ownAddress) => {
    const own = foldAddress(ownAddress);
    const at = own.lastIndexOf("@");
    return folded === own || (folded.startsWith(`${own.slice(0, at)}+`) && folded.endsWith(own.slice(at)));
  });
}

/** The addresses of which this one may be a tagged form, by the rule of `isOwnAddress`: itself first, then with ever more of its tag cut off. */
export function untaggedForms(address: string): string[] {
  const at = address.lastIndexOf("@");
  const forms = [address];
  for (let plus = address.lastIndexOf("+", at); plus > 0; plus = address.lastIndexOf("+", plus - 1)) {
    forms.push(address.slice(0, plus) + address.slice(at));
  }
  return forms;
}

/** The addresses that are readable, in their stored form, each once; the first name stays. */
export function distinctAddresses(addresses: readonly MailAddress[]): MailAddress[] {
  const found = new Map<string, MailAddress>();
  for (const { name, address: text } of addresses) {
    const address = readAddress(text);
    if (address !== undefined && !found.has(foldAddress(address))) found.set(foldAddress(address), { name, address });
  }
  return [...found.values()];
}
