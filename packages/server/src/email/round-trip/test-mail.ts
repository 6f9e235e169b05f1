import type { Vault } from "../../access/vault.ts";
import { mailKey } from "../in/mail-key.ts";
import { readMailHead } from "../parse/mail-head.ts";
import type { ParsedMail } from "../parse/parsed-mail.ts";
import { marksOfMail, newTestMark, TEST_HEADER, testMessageId } from "../rules/test-mark.ts";

/** A mail that a mailbox sends to itself. */
export interface TestMail {
  messageId: string;
  mark: string;
  raw: Uint8Array;
  /** The keys under which an import knows it (`in/mail-key.ts`), also with another Message-ID. */
  keys(messageIds: readonly string[]): Promise<string[]>;
}

export const TEST_SUBJECT = "Frontdesk test email";

/** @param now ms since the epoch */
export function newTestMail(
  { vault, now }: { vault: Vault; now: number },
  { teamId, address }: { teamId: string; address: string },
): TestMail {
  const mark = newTestMark(vault, teamId);
  const messageId = testMessageId(mark, address.slice(address.lastIndexOf("@") + 1));
  const rawWith = (id: string) => Buffer.from(linesOf({ address, mark, messageId: id, now }).join("\r\n"));
  return {
    messageId,
    mark,
    raw: rawWith(messageId),
    keys: (messageIds) => Promise.all(messageIds.map((id) => mailKey(piecesOf(rawWith(id))))),
  };
}

/** The headers of a mail that was found, if it is this one: whatever a search has found, or a server has put in its place. */
export function headersIfTestMail(bytes: Uint8Array, { messageId, mark }: TestMail): ParsedMail["headers"] | undefined {
  const head = readMailHead(bytes);
  return head.messageId === messageId || marksOfMail(head).includes(mark) ? head.headers : undefined;
}

/** Plain ASCII in short lines, so that no server has a reason to change it. No other server answers it: it says that it is automatic. */
const linesOf = ({
  address,
  mark,
  messageId,
  now,
}: {
  address: string;
  mark: string;
  messageId: string;
  now: number;
}) => [
  `From: <${address}>`,
  `To: <${address}>`,
  `Subject: ${TEST_SUBJECT}`,
  `Date: ${new Date(now).toUTCString().replace("GMT", "+0000")}`,
  `Message-ID: ${messageId}`,
  `${TEST_HEADER}: ${mark}`,
  "Auto-Submitted: auto-generated",
  "X-Auto-Response-Suppress: All",
  "MIME-Version: 1.0",
  "Content-Type: text/plain; charset=us-ascii",
  "",
  "Frontdesk has sent this email from your mailbox to itself, because someone",
  "ran `frontdesk doctor --mail`. It deletes it again where it can.",
  "You don't need to do anything.",
  "",
];

async function* piecesOf(raw: Uint8Array): AsyncGenerator<Uint8Array> {
  yield raw;
}
