/** One e-mail, as it waits to be sent. */
export interface Mail {
  to: string;
  subject: string;
  /** Short mails are plain text alone: it reads well everywhere. */
  text: string;
  html?: string;
  /** The name beside the sender's address, where it is not that of MAIL_FROM. */
  senderName?: string;
  /** Becomes the Message-ID: of two mails with the same one, which come of a crash, many mailboxes show one. */
  id?: string;
}
