import { createTransport } from "nodemailer";
import type { Check } from "./check.ts";

const TIMEOUT_MS = 10_000;

/** The mail server: reached, and it takes our name and password. No mail is sent. */
export async function checkMail(smtpUrl: string | undefined): Promise<Check> {
  const name = "mail";
  if (smtpUrl === undefined) {
    const says =
      "SMTP_URL is not set: invitations are links that you pass on yourself, and visitors who left get no mail.";
    return { name, state: "note", says };
  }
  const { hostname, port } = new URL(smtpUrl);
  const server = port ? `${hostname}:${port}` : hostname;
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
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
    setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS).unref();
  });
}
