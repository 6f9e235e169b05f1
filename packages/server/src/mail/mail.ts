/** One e-mail to be sent. */
export interface Mail {
  to: string;
  subject: string;
  /** Short mails are plain text alone: it reads well everywhere. */
  text: string;
  html?: string;
  /** The name of the sender, where it is not that of MAIL_FROM. */
  senderName?: string;
  /** Where answers go, if not to the sender. */
  replyTo?: string;
  /** Becomes the Message-ID: of two mails with the same one, which a crash may cause, many mailboxes show one. */
  id?: string;
}
