import type { MailAddress, ParsedMail } from "../parse/parsed-mail.ts";
import { readHeaderBlock, textOfPart } from "../rules/header-block.ts";
import { headerOf } from "../rules/mail-headers.ts";
import { readMessageId } from "../rules/message-ids.ts";
import { marksOfMail } from "../rules/test-mark.ts";
import { readMailbox } from "../rules/who-wrote.ts";
import type { IncomingMail } from "./incoming-mail.ts";

/** No more of a header with addresses is looked at, and of any other one. */
const ADDRESSES_MAX = 2_000;
const LINE_MAX = 998;

const UNREADABLE = "This email could not be read. Its original is attached.";

/** What the headers at the beginning of a mail say, as `whoWrote` needs it. Never throws; only what is in ASCII is certain. */
export function writerHeaders(raw: Uint8Array): Pick<ParsedMail, "headers" | "from" | "replyTo" | "cc"> {
  const headers = readHeaderBlock(textOfPart(raw));
  const mailboxes = (name: string) => mailboxesIn(headerOf(headers, name) ?? "");
  return { headers, from: mailboxes("from"), replyTo: mailboxes("reply-to"), cc: mailboxes("cc") };
}

/** Without names, and those in quotes or comments are no addresses. */
function mailboxesIn(header: string): MailAddress[] {
  const plain = header
    .slice(0, ADDRESSES_MAX)
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, "")
    .replaceAll(/\([^()]*\)/g, "");
  return plain.split(",").flatMap((each) => {
    const address = readMailbox(each)?.address;
    return address === undefined ? [] : [{ name: null, address }];
  });
}

/** A mail that cannot be read, so that it is not lost: who sent it, as far as its headers say, and a text that says so. */
export function unreadableMail(raw: Uint8Array): IncomingMail {
  const { headers, from } = writerHeaders(raw);
  const first = (name: string) => (headerOf(headers, name) ?? "").slice(0, LINE_MAX);
  const headerId = readMessageId(first("message-id")) ?? null;
  return {
    headerId,
    sender: from[0] ?? null,
    isTrusted: false,
    dmarcFailed: false,
    dmarcPassed: false,
    isSpam: false,
    forwardedFrom: null,
    ...{ to: [], cc: [], replyTo: [], references: [], answers: [], tokens: [], ownTokens: [] },
    testMarks: marksOfMail({ headers, messageId: headerId }),
    // Encoded words are left as they are: what reads them may be what failed.
    subject: first("subject").replaceAll(/[^\x20-\x7e]/g, "?"),
    ...{ automatic: undefined, report: undefined },
    ...{ text: UNREADABLE, trimmed: { shown: UNREADABLE, folded: "" } },
    ...{ sentAt: null, hasHtml: false },
  };
}
