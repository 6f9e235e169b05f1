import { SMTP_TIMEOUT_MS, smtpTransport } from "../mail/smtp-transport.ts";
import type { Check } from "./check.ts";

/** The mail server: reached, and it accepts our name and password. No mail is sent. */
export async function checkMail(smtpUrl: string | undefined): Promise<Check> {
  const name = "mail";
  if (smtpUrl === undefined) {
    const says =
      "SMTP_URL is not set. You need to send links to join and to reset a password yourself, and visitors who have left get no email.";
    return { name, state: "note", says };
  }
  const { hostname, port } = new URL(smtpUrl);
  const server = port ? `${hostname}:${port}` : hostname;
  const transport = smtpTransport(smtpUrl);
  try {
    await Promise.race([transport.verify(), tooLate()]);
    return { name, state: "ok", says: `${server} responds.` };
  } catch (error) {
    const says = `${server} does not accept mail from Frontdesk: ${(error as Error).message}`;
    return { name, state: "problem", says, do: "Check SMTP_URL: host, port, user and password, smtp:// or smtps://." };
  } finally {
    transport.close();
  }
}

/** Each step of a connection has its own time-out; this is the one for all of them. */
function tooLate(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`no response within ${SMTP_TIMEOUT_MS / 1000} s`)), SMTP_TIMEOUT_MS).unref();
  });
}
