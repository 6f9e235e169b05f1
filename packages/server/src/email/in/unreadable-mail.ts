import { readAddress } from "../rules/mail-address.ts";
import { readMessageId } from "../rules/message-ids.ts";
import type { IncomingMail } from "./incoming-mail.ts";

/** No more of it is looked at. */
export const HEADERS_MAX = 64 * 1_024;
const LINE_MAX = 998;

const UNREADABLE = "This email could not be read. Its original is attached.";

/** A mail that cannot be read, so that it is not lost: who sent it, as far as its headers say, and a text that says so. */
export function unreadableMail(raw: Uint8Array): IncomingMail {
  const text = Buffer.from(raw.subarray(0, HEADERS_MAX)).toString("latin1");
  const headers = text.split(/\r?\n\r?\n/, 1)[0] ?? "";
  const headerOf = (name: string): string => {
    const line = headers.split(/\r?\n/).find((each) => each.toLowerCase().startsWith(`${name}:`)) ?? "";
    return line.slice(name.length + 1, LINE_MAX).trim();
  };
  const from = headerOf("from");
  const address = readAddress(/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from);
  return {
    headerId: readMessageId(headerOf("message-id")) ?? null,
    sender: address === undefined ? null : { name: null, address },
    isTrusted: false,
    dmarcFailed: false,
    forwardedFrom: null,
    ...{ to: [], cc: [], replyTo: [], references: [], answers: [], tokens: [], ownTokens: [] },
    // Encoded words are left as they are: what reads them may be what failed.
    subject: headerOf("subject").replaceAll(/[^\x20-\x7e]/g, "?"),
    ...{ automatic: undefined, report: undefined },
    ...{ text: UNREADABLE, trimmed: { shown: UNREADABLE, folded: "" } },
    ...{ sentAt: null, hasHtml: false },
  };
}
