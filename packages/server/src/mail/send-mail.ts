import type { JobHandler } from "../jobs/job.ts";
import type { Mail } from "./mail.ts";
import { smtpTransport } from "./smtp-transport.ts";

export interface Mailer {
  /**
   * Resolves when the mail server has accepted the mail; rejects with its error when it has not.
   *
   * @throws AddressRefused when it will never accept mail for this address
   */
  send(mail: Mail): Promise<void>;
}

/** The mail server knows the address to be wrong: a retry is of no use. */
export class AddressRefused extends Error {
  override name = "AddressRefused";
}

/**
 * Sends mail to an SMTP server.
 *
 * @param options.smtpUrl as `smtpTransport` takes it
 * @param options.from the sender, `Name <address>`
 */
export function createMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  const transport = smtpTransport(smtpUrl);
  const address = /<(.+)>$/.exec(from)?.[1] ?? from;
  return {
    async send({ to, subject, text, html, senderName, replyTo, id }) {
      try {
        await transport.sendMail({
          from: senderName === undefined ? from : { name: senderName, address },
          // As an object it is one address, whatever it contains, and never a list.
          to: { name: "", address: to },
          ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
          subject,
          text,
          ...(html !== undefined && { html }),
          ...(id !== undefined && { messageId: `<${id}@${address.split("@")[1]}>` }),
          headers: { "Auto-Submitted": "auto-generated" },
        });
      } catch (error) {
        throw isRefusedAddress(error) ? new AddressRefused((error as Error).message, { cause: error }) : error;
      }
    },
  };
}

/** A 5xx for the recipient; one for the sender, or for us, is for the operator to correct. */
function isRefusedAddress(error: unknown): boolean {
  const { command, responseCode } = error as { command?: string; responseCode?: number };
  return command === "RCPT TO" && responseCode !== undefined && responseCode >= 500;
}

/** The handler of the job `send-mail`. Without a mailer the mail waits, for the operator to set one up. */
export function sendMailJob(mailer: Mailer | undefined): JobHandler<"send-mail"> {
  return async (mail) => {
    if (!mailer) throw new Error("SMTP_URL is not set, so no mail can be sent.");
    await mailer.send(mail);
  };
}
