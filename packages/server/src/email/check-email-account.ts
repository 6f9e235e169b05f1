import type { ImapFlow } from "imapflow";
import type { DrivenAccount, Finding } from "../channels/channel-driver.ts";
import type { VettedSockets } from "../outbound/vetted-socket.ts";
import { codeOf, connectionProblem } from "./connection-problem.ts";
import { type EmailSettings, type ImapInbound, readEmailSettings, type SmtpOutbound } from "./email-settings.ts";
import { openImap } from "./open-imap.ts";
import { openSmtp } from "./open-smtp.ts";

interface CheckParts {
  sockets: VettedSockets;
  /** Whether the installation has a mail server of its own. */
  sendsMail: boolean;
}

/**
 * Tries an e-mail account: connects to the mailbox, signs in and opens its folder; connects to the mail server that sends and
 * signs in. Nothing is changed and no mail sent. A server that cannot be reached ends what is tried of it.
 */
export function checkEmailAccount(parts: CheckParts) {
  return async ({ settings, secrets }: DrivenAccount, signal: AbortSignal): Promise<Finding[]> => {
    const { inbound, outbound } = readEmailSettings(settings);
    const [received, sent] = await Promise.all([
      checkInbound(parts, inbound, secrets.inbound_password, signal),
      checkOutbound(parts, outbound, secrets.outbound_password, signal),
    ]);
    return [...received, ...sent];
  };
}

async function checkInbound(
  { sockets }: CheckParts,
  inbound: EmailSettings["inbound"],
  password: string | undefined,
  signal: AbortSignal,
): Promise<Finding[]> {
  if (inbound.kind === "http")
    return [passed("callback", "Mails are received when they're posted to the callback URL.")];
  if (password === undefined) {
    return [failed("imap-sign-in", `The password for ${inbound.host} is missing. Enter it.`)];
  }
  let client: ImapFlow | undefined;
  try {
    client = await openImap(
      sockets,
      { server: inbound, username: inbound.username, credentials: { password } },
      signal,
    );
    return await tryMailbox(client, inbound);
  } catch (error) {
    return [failed("imap-connection", connectionProblem(error, inbound))];
  } finally {
    client?.close();
  }
}

/** Rejects when it cannot be connected to. */
async function tryMailbox(client: ImapFlow, inbound: ImapInbound): Promise<Finding[]> {
  const { host, folder } = inbound;
  const connected = passed("imap-connection", `${host} accepts connections.`);
  try {
    await client.connect();
  } catch (error) {
    if (!isRefusedSignIn(error)) throw error;
    return [connected, refusedSignIn("imap-sign-in", host)];
  }
  const signedIn = passed("imap-sign-in", `${host} accepts the user name and the password.`);
  try {
    await client.mailboxOpen(folder, { readOnly: true });
  } catch {
    const message = `There is no folder ${JSON.stringify(folder)} at ${host}, or it can't be opened. Choose another folder.`;
    return [connected, signedIn, failed("imap-folder", message)];
  }
  return [connected, signedIn, passed("imap-folder", `The folder ${JSON.stringify(folder)} can be read.`)];
}

async function checkOutbound(
  { sockets, sendsMail }: CheckParts,
  outbound: SmtpOutbound | null,
  password: string | undefined,
  signal: AbortSignal,
): Promise<Finding[]> {
  if (outbound === null) {
    if (sendsMail) return [passed("outbound", "Replies are sent through this server's own mail server.")];
    const message =
      "This server has no mail server of its own. Enter one that sends, or ask the operator to set SMTP_URL.";
    return [failed("outbound", message)];
  }
  const { host, username } = outbound;
  const connected = passed("smtp-connection", `${host} accepts connections.`);
  if (username !== null && password === undefined) {
    return [failed("smtp-sign-in", `The password for ${host} is missing. Enter it.`)];
  }
  const transport = openSmtp(sockets, { outbound, password }, signal);
  try {
    await transport.verify();
  } catch (error) {
    return codeOf(error) === "EAUTH" || codeOf(error) === "ENOAUTH"
      ? [connected, refusedSignIn("smtp-sign-in", host)]
      : [failed("smtp-connection", connectionProblem(error, outbound))];
  } finally {
    transport.close();
  }
  return username === null
    ? [connected]
    : [connected, passed("smtp-sign-in", `${host} accepts the user name and the password.`)];
}

const isRefusedSignIn = (error: unknown): boolean =>
  (error as { authenticationFailed?: boolean } | undefined)?.authenticationFailed === true;

const passed = (check: string, message: string): Finding => ({ check, ok: true, message });
const failed = (check: string, message: string): Finding => ({ check, ok: false, message });

const refusedSignIn = (check: string, host: string): Finding =>
  failed(check, `${host} doesn't accept the user name and the password. Check both, or create an app password.`);
