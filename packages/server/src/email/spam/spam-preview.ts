import type { IncomingMail } from "../in/incoming-mail.ts";
import { EXCERPT_MAX, oneLine, SENDER_NAME_MAX, SUBJECT_MAX } from "../one-line.ts";

/** What the list of spam shows of a mail without reading its original. */
export interface SpamPreview {
  /** The name of who wrote it; null when there is none. */
  name: string | null;
  subject: string;
  /** The first words of its text. */
  excerpt: string;
}

/** As `mail_imports.preview` has it. */
export function spamPreview({ sender, subject, text }: Pick<IncomingMail, "sender" | "subject" | "text">): string {
  const preview: SpamPreview = {
    name: sender?.name ? oneLine(sender.name, SENDER_NAME_MAX) : null,
    subject: oneLine(subject, SUBJECT_MAX),
    excerpt: oneLine(text, EXCERPT_MAX),
  };
  return JSON.stringify(preview);
}

export function readSpamPreview(preview: string | null): SpamPreview {
  return preview === null ? { name: null, subject: "", excerpt: "" } : JSON.parse(preview);
}
