import type { ImapFlow } from "imapflow";
import type { DrivenAccount, Finding } from "../channels/channel-driver.ts";
import type { VettedSockets } from "../outbound/vetted-socket.ts";
import { codeOf, connectionProblem } from "./connection-problem.ts";
import type { Credentials } from "./credentials.ts";
import {
  type EmailSettings,
  type ImapInbound,
  type MailAuth,
  readEmailSettings,
  type SmtpOutbound,
} from "./email-settings.ts";
import { clientOf } from "./oauth/client-of.ts";
import type { MailboxTokens } from "./oauth/mailbox-tokens.ts";
import { oauthProvider } from "./oauth/oauth-provider.ts";
import { openImap } from "./open-imap.ts";
import { openSmtp } from "./open-smtp.ts";

interface CheckParts {
  sockets: VettedSockets;
  /** Whether the installation has a mail server of its own. */
  sendsMail: boolean;
  tokens: MailboxTokens;
}

/** What a server of the account is signed in to with; why there is nothing to sign in with. */
type Found =
  /** `another`: a token may have been taken back before its time was over. */
  { credentials: Credentials | undefined; another?: () => Promise<Found> } | { missing: string };

/**
 * Tries an e-mail account: connects to the mailbox, signs in and opens its folder; connects to the mail server that sends and
 * signs in. Nothing is changed and no mail sent. A server that cannot be reached ends what is tried of it.
 */
export function checkEmailAccount(parts: CheckParts) {
  return async (account: DrivenAccount, signal: AbortSignal): Promise<Finding[]> => {
    const { inbound, outbound } = readEmailSettings(account.settings);
    const { inbound_password, outbound_password } = account.secrets;
    const [toReceive, toSend] = await Promise.all([
      credentialsOf(parts, account, inbound, inbound_password),
      credentialsOf(parts, account, outbound, outbound_password),
    ]);
    const [received, sent] = await Promise.all([
      withAnother(toReceive, (found) => checkInbound(parts, inbound, found, signal)),
      withAnother(toSend, (found) => checkOutbound(parts, outbound, found, signal)),
    ]);
    return [...received, ...sent];
  };
}

async function withAnother(found: Found, check: (found: Found) => Promise<Finding[]>): Promise<Finding[]> {
  const findings = await check(found);
  const isRefused = findings.some(({ check: name, ok }) => !ok && name.endsWith("-sign-in"));
  return isRefused && "another" in found && found.another ? check(await found.another()) : findings;
}

async function credentialsOf(
  parts: CheckParts,
  account: DrivenAccount,
  server: EmailSettings["inbound"] | SmtpOutbound | null,
  password: string | undefined,
  refused?: string,
): Promise<Found> {
  if (server === null || !("auth" in server) || server.username === null) return { credentials: undefined };
  if (server.auth === "password") {
    if (password !== undefined) return { credentials: { password } };
    return { missing: `The password for ${server.host} is missing. Enter it.` };
  }
  const { tokens } = parts;
  const settings = readEmailSettings(account.settings);
  const client = clientOf(settings, account.secrets);
  const taken = client && (await tokens.take({ team_id: account.team_id, id: account.id }, client, { refused }));
  if (taken && "token" in taken) {
    const { token, isFresh } = taken;
    const another = () => credentialsOf(parts, account, server, password, token);
    return { credentials: { accessToken: token }, ...(!isFresh && { another }) };
  }
  const name = (settings.oauth && oauthProvider(settings.oauth).name) ?? "the provider";
  const words = taken?.words ? ` It says: ${taken.words}` : "";
  if (taken?.problem === "away") return { missing: `Can't reach ${name} to sign in. Try again later.` };
  if (taken?.problem === "app") return { missing: `The app was refused. Check its client ID and secret.${words}` };
  return { missing: `Sign in to ${name} to connect this mailbox.${words}` };
}

async function checkInbound(
  { sockets }: CheckParts,
  inbound: EmailSettings["inbound"],
  found: Found,
  signal: AbortSignal,
): Promise<Finding[]> {
  if (inbound.kind === "http")
    return [passed("callback", "Mails are received when they're posted to the callback URL.")];
  if ("missing" in found) return [failed("imap-sign-in", found.missing)];
  const { credentials = { password: "" } } = found;
  let client: ImapFlow | undefined;
  try {
    client = await openImap(sockets, { server: inbound, username: inbound.username, credentials }, signal);
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
    return [connected, refusedSignIn("imap-sign-in", inbound)];
  }
  const signedIn = acceptedSignIn("imap-sign-in", inbound);
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
  found: Found,
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
  if ("missing" in found) return [failed("smtp-sign-in", found.missing)];
  const transport = openSmtp(sockets, { outbound, credentials: found.credentials }, signal);
  try {
    await transport.verify();
  } catch (error) {
    return codeOf(error) === "EAUTH" || codeOf(error) === "ENOAUTH"
      ? [connected, refusedSignIn("smtp-sign-in", outbound)]
      : [failed("smtp-connection", connectionProblem(error, outbound))];
  } finally {
    transport.close();
  }
  return username === null ? [connected] : [connected, acceptedSignIn("smtp-sign-in", outbound)];
}

const isRefusedSignIn = (error: unknown): boolean =>
  (error as { authenticationFailed?: boolean } | undefined)?.authenticationFailed === true;

const passed = (check: string, message: string): Finding => ({ check, ok: true, message });
const failed = (check: string, message: string): Finding => ({ check, ok: false, message });

type SignedIn = { host: string; auth: MailAuth };

const acceptedSignIn = (check: string, { host, auth }: SignedIn): Finding =>
  passed(check, auth === "oauth" ? `${host} accepts the sign-in.` : `${host} accepts the user name and the password.`);

const refusedSignIn = (check: string, { host, auth }: SignedIn): Finding =>
  failed(
    check,
    auth === "oauth"
      ? `${host} doesn't accept the sign-in. Check the user name, and whether this mailbox may be used by IMAP and SMTP.`
      : `${host} doesn't accept the user name and the password. Check both, or create an app password.`,
  );
