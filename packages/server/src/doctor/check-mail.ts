import { SMTP_TIMEOUT_MS, smtpTransport } from "../mail/smtp-transport.ts";
import type { Check } from "./check.ts";

/** The mail server: reached, and it accepts our name and password. No mail is sent. */
export async function checkMail(smtpUrl: string | undefined): Promise<Check> {
  const name = "mail";
  if (smtpUrl === undefined) {
    const says =
      "SMTP_URL is not set: invitations are links that you pass on yourself, and visitors who left get no mail.";
    return { name, state: "note", says };
  }
  const { hostname, port } = new URL(smtpUrl);
  const server = port ? `${hostname}:${port}` : hostname;
  const transport = smtpTransport(smtpUrl);
  try {
    await Promise.race([transport.verify(), tooLate()]);
    return { name, state: "ok", says: `${server} answers.` };
  } catch (error) {
    const says = `${server} does not take our mail: ${(error as Error).message}`;
    return { name, state: "problem", says, do: "Check SMTP_URL: host, port, user and password, smtp:// or smtps://." };
  } finally {
    transport.close();
  }
}

/** Each step of a connection has its own time-out; this is the one for all of them. */
function tooLate(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${SMTP_TIMEOUT_MS / 1000} s`)), SMTP_TIMEOUT_MS).unref();
  });
}
