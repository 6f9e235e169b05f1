import type { SealedPlace, Vault } from "../../access/vault.ts";
import type { ParsedMail } from "../parse/parsed-mail.ts";
import { headersOf } from "./mail-headers.ts";

/**
 * The mark of a test mail (docs/decisions/0066-mail-round-trip.md): every process of this installation knows by it, without storing
 * anything, that the mail is ours. No one else can write one: it is sealed with the installation's key. It is in the Message-ID, which
 * reports and automatic answers name, and in a header of its own, as some relays replace the Message-ID.
 */
export const TEST_HEADER = "X-Frontdesk-Test";

const IN_ID = /^<frontdesk-test\.([\w.-]{1,200})@/;
/** No more marks of a mail are looked at. */
const MARKS_MAX = 10;

/** Of the team, not of one mailbox: a copy may be forwarded to another one. */
const placeOf = (teamId: string): SealedPlace => ({ column: "test-mail", teamId, id: teamId });

/** A new mark, another one each time. */
export const newTestMark = (vault: Vault, teamId: string): string => vault.seal("", placeOf(teamId));

export const testMessageId = (mark: string, domain: string): string => `<frontdesk-test.${mark}@${domain}>`;

/** Whether this installation has made the mark, for this team. */
export function isTestMark(vault: Vault, teamId: string, mark: string): boolean {
  try {
    // The vault still opens texts of its first version at any place; none of those is empty.
    return vault.open(mark, placeOf(teamId)) === "";
  } catch {
    return false;
  }
}

/** What a mail says that it is marked with. */
export function marksOfMail({ headers, messageId }: Pick<ParsedMail, "headers" | "messageId">): string[] {
  const written = headersOf(headers, TEST_HEADER.toLowerCase()).slice(0, MARKS_MAX);
  return [...new Set([...written, ...marksOfIds(messageId === null ? [] : [messageId])])];
}

/** The marks in Message-IDs. */
export const marksOfIds = (ids: readonly string[]): string[] =>
  ids.flatMap((id) => IN_ID.exec(id)?.[1] ?? []).slice(0, MARKS_MAX);
