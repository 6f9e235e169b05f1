/** One e-mail, as it waits to be sent. Plain text: it is short, and reads well everywhere. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}
