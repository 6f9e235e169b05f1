import { hash } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * The form of every token we issue: `fd_key_<team><secret><checksum>`.
 *
 * - The prefix identifies it to people and secret scanners; the CRC-32 at the end lets them check a find without us.
 * - The team is part of it, so that the look-up stays within one team (invariant 4, and no directory of tokens).
 * - The secret has 256 random bits, so a plain SHA-256 of the whole token is enough to store (ASVS 6.5.2).
 */
export type TokenKind =
  | "key"
  | "invite"
  | "assistant"
  | "confirm"
  | "identity"
  | "session"
  | "second"
  | "browser"
  | "reset"
  | "file"
  | "export"
  | "data"
  | "code"
  | "access"
  | "refresh";

/**
 * A token that a visitor's browser creates itself: 32 random bytes. It contains no team: the widget it is sent with leads
 * there.
 */
export const VISITOR_TOKEN = /^fd_visitor_[0-9A-Za-z]{43}$/;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TEAM_LENGTH = 22;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SECRET_BYTES = 32;

/** A new token of `teamId`; store only `tokenHash` of it. */
export function newToken(kind: TokenKind, teamId: string, random: (bytes: number) => Buffer): string {
  const team = toBase62(BigInt(`0x${teamId.replaceAll("-", "")}`), TEAM_LENGTH);
  const secret = toBase62(BigInt(`0x${random(SECRET_BYTES).toString("hex")}`), SECRET_LENGTH);
  const body = `fd_${kind}_${team}${secret}`;
  return body + checksum(body);
}

/** The team that a token claims to belong to, or undefined when it is no token of this kind (checked without the database). */
export function tokenTeam(kind: TokenKind, token: string): string | undefined {
  const prefix = `fd_${kind}_`;
  if (token.length !== prefix.length + TEAM_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH) return undefined;
  if (!token.startsWith(prefix) || !/^[0-9A-Za-z]+$/.test(token.slice(prefix.length))) return undefined;
  const body = token.slice(0, -CHECKSUM_LENGTH);
  if (checksum(body) !== token.slice(-CHECKSUM_LENGTH)) return undefined;
  const team = fromBase62(body.slice(prefix.length, prefix.length + TEAM_LENGTH));
  const hex = team.toString(16).padStart(32, "0");
  if (hex.length > 32) return undefined;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** What is stored of a token, and how it is found. */
export function tokenHash(token: string): string {
  return hash("sha256", token, "hex");
}

function checksum(body: string): string {
  return toBase62(BigInt(crc32(body)), CHECKSUM_LENGTH);
}

function toBase62(value: bigint, length: number): string {
  let rest = value;
  let text = "";
  while (text.length < length) {
    text = ALPHABET[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return text;
}

function fromBase62(text: string): bigint {
  let value = 0n;
  for (const letter of text) value = value * 62n + BigInt(ALPHABET.indexOf(letter));
  return value;
}
