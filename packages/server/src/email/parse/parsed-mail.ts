/** A mail address: the domain in lower case, the local part as written; `name` decoded, null when there is none. */
export interface MailAddress {
  name: string | null;
  address: string;
}

export interface MailPart {
  /** Cleaned file name; null when the part has none. */
  name: string | null;
  mime: string;
  /** Without angle brackets. */
  contentId: string | null;
  disposition: "attachment" | "inline" | null;
  content: Uint8Array;
}

/** A part that is listed below the message. */
export interface MailAttachment extends MailPart {
  name: string;
}

/** The HTML of a mail, as it came: what shows it has to make it harmless. */
export interface MailHtml {
  html: string;
  /** Whether it is only the beginning. */
  isCut: boolean;
  /** Those that the HTML refers to, as `data:` addresses. */
  images: readonly { contentId: string; url: string }[];
}

export interface ParsedMail {
  /** From the top: names in lower case, values unfolded and not decoded. */
  headers: readonly (readonly [name: string, value: string])[];
  /** With angle brackets, as all message ids; null when missing or malformed. */
  messageId: string | null;
  inReplyTo: readonly string[];
  references: readonly string[];
  from: readonly MailAddress[];
  replyTo: readonly MailAddress[];
  to: readonly MailAddress[];
  cc: readonly MailAddress[];
  /** Decoded, whitespace folded; "" when missing. */
  subject: string;
  /** ms since the epoch; null when missing or malformed. */
  date: number | null;
  /** The text part, decoded. */
  text: string | null;
  html: string | null;
  /** `html` made text, by html-to-text; null without html. */
  textOfHtml: string | null;
  parts: readonly MailPart[];
  /** The parts that are not shown in `html`. */
  attachments: readonly MailAttachment[];
  /** Top-level content type in lower case, with its parameters. */
  contentType: { type: string; params: Readonly<Record<string, string>> };
}
