import { literalPattern } from "@frontdesk/core/domain/literal-pattern";
import { tokenHash } from "../../access/token.ts";
import type { ParsedMail } from "../parse/parsed-mail.ts";
import { readDomain, taggedAddress } from "./mail-address.ts";

/**
 * The token in the address that a reply is answered to, `support+r.TOKEN@acme.example`, and in its Message-ID. It leads back to
 * the conversation where a relay has replaced the Message-ID, or a mail program has left out References.
 *
 * 130 random bits, in base 32 and lower case: servers fold local parts. Stored is its hash (docs/decisions/0006).
 */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const TOKEN_LENGTH = 26;
const TOKEN = `[${ALPHABET}]{${TOKEN_LENGTH}}`;
const TAG = "r.";
/** The random part of a Message-ID before the token, in characters of 5 bits. */
const UNIQUE_LENGTH = 16;

/** No mail has more: what a sender writes beyond them is not looked up. */
export const CANDIDATES_MAX = 20;
/** No more of a header is looked at. */
const HEADER_MAX = 100_000;

/** The headers in which mail servers note where they delivered a mail. */
const DELIVERY_HEADERS = new Set([
  "to",
  "cc",
  "delivered-to",
  "x-original-to",
  "envelope-to",
  "x-envelope-to",
  "x-delivered-to",
  "x-forwarded-to",
]);

type Random = (bytes: number) => Uint8Array;

export const newReplyToken = (random: Random): string => base32(random, TOKEN_LENGTH);

/** What is stored of a token, and how it is found. */
export const replyTokenHash = (token: string): string => tokenHash(token.toLowerCase());

/** The address with the token; undefined where it would be too long, and the plain address is used. */
export const replyAddress = (address: string, token: string): string | undefined =>
  taggedAddress(address, `${TAG}${token}`);

/** A new Message-ID: unique by its first part, and leading to the conversation by its second. */
export const newMessageId = (random: Random, token: string, domain: string): string =>
  `<${base32(random, UNIQUE_LENGTH)}.${token}@${readDomain(domain) ?? "localhost"}>`;

/** The tokens that a mail to one of the addresses carries, as candidates: whether they exist is for the store to say. */
export function tokensOfMail(
  mail: Pick<ParsedMail, "headers" | "to" | "cc">,
  ownAddresses: readonly string[],
  envelopeRecipients: readonly string[],
): string[] {
  const texts = [
    ...envelopeRecipients,
    ...mail.headers.flatMap(([name, value]) => (DELIVERY_HEADERS.has(name) ? [value] : [])),
    ...[...mail.to, ...mail.cc].map(({ address }) => address),
  ];
  return tokensInText(texts.join("\n"), ownAddresses);
}

/** The tokens in addresses anywhere in a text. */
export function tokensInText(text: string, ownAddresses: readonly string[]): string[] {
  const found = new Set<string>();
  for (const own of ownAddresses) {
    for (const { groups } of text.slice(0, HEADER_MAX).matchAll(addressWithToken(own))) {
      if (groups?.token) found.add(groups.token.toLowerCase());
    }
  }
  return [...found].slice(0, CANDIDATES_MAX);
}

/** A text in which own addresses with tokens are the plain ones: for readers who must not answer into the conversation. */
export function withoutReplyTokens(text: string, ownAddresses: readonly string[]): string {
  return ownAddresses.reduce((rest, own) => rest.replaceAll(addressWithToken(own), "$<local>@$<domain>"), text);
}

function addressWithToken(own: string): RegExp {
  const at = own.lastIndexOf("@");
  const [local, domain] = [own.slice(0, at), own.slice(at + 1)].map(literalPattern);
  // Not within a longer local part, nor with a longer domain.
  const pattern = `(?<![\\w.!#$%&'*+/=?^\`{|}~-])(?<local>${local})\\+${literalPattern(TAG)}(?<token>${TOKEN})@(?<domain>${domain})(?![\\w-]|\\.\\w)`;
  return new RegExp(pattern, "giu");
}

/** The tokens in Message-IDs of ours, the last first: in References, it is the latest. */
export function tokensOfIds(ids: readonly string[]): string[] {
  const ours = new RegExp(`^<[${ALPHABET}]{${UNIQUE_LENGTH}}\\.(${TOKEN})@`, "iu");
  const tokens = ids.toReversed().flatMap((id) => ours.exec(id)?.[1]?.toLowerCase() ?? []);
  return [...new Set(tokens)].slice(0, CANDIDATES_MAX);
}

/** Random characters of 5 bits each; a byte gives one, as 256 is a multiple of 32. */
function base32(random: Random, length: number): string {
  return Array.from(random(length), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
