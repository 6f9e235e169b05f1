import { type ChannelReason, channelReason } from "@frontdesk/core/domain/channel-reason";
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
import type { MailboxTokens, MissingToken } from "./oauth/mailbox-tokens.ts";
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
  { credentials: Credentials | undefined; another?: () => Promise<Found> } | { missing: ChannelReason };

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
    return { missing: channelReason("check.no-password", { host: server.host }) };
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
  return { missing: whyNoToken(settings, taken, client?.service !== undefined) };
}

function whyNoToken({ oauth }: EmailSettings, missing: MissingToken | undefined, isService: boolean): ChannelReason {
  const provider = oauth && oauthProvider(oauth).name;
  const words = missing?.words;
  switch (missing?.problem) {
    case "away":
      return provider ? channelReason("check.provider-away", { provider }) : channelReason("check.some-provider-away");
    case "app":
      if (isService) return words ? channelReason("check.service-says", { words }) : channelReason("check.service");
      return words ? channelReason("check.app-says", { words }) : channelReason("check.app");
    default:
      if (provider)
        return words
          ? channelReason("check.sign-in-says", { provider, words })
          : channelReason("check.sign-in", { provider });
      return words
        ? channelReason("check.sign-in-somewhere-says", { words })
        : channelReason("check.sign-in-somewhere");
  }
}

async function checkInbound(
  { sockets }: CheckParts,
  inbound: EmailSettings["inbound"],
  found: Found,
  signal: AbortSignal,
): Promise<Finding[]> {
  if (inbound.kind === "http") return [passed("callback", channelReason("check.callback"))];
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
  const connected = passed("imap-connection", channelReason("check.reached", { host }));
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
    return [connected, signedIn, failed("imap-folder", channelReason("check.no-folder", { folder, host }))];
  }
  return [connected, signedIn, passed("imap-folder", channelReason("check.folder", { folder }))];
}

async function checkOutbound(
  { sockets, sendsMail }: CheckParts,
  outbound: SmtpOutbound | null,
  found: Found,
  signal: AbortSignal,
): Promise<Finding[]> {
  if (outbound === null) {
    return [
      sendsMail
        ? passed("outbound", channelReason("check.installation"))
        : failed("outbound", channelReason("check.no-server")),
    ];
  }
  const { host, username } = outbound;
  const connected = passed("smtp-connection", channelReason("check.reached", { host }));
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

const passed = (check: string, reason: ChannelReason): Finding => ({ check, ok: true, reason });
const failed = (check: string, reason: ChannelReason): Finding => ({ check, ok: false, reason });

type SignedIn = { host: string; auth: MailAuth };

const acceptedSignIn = (check: string, { host, auth }: SignedIn): Finding =>
  passed(check, channelReason(auth === "oauth" ? "check.signed-in-oauth" : "check.signed-in", { host }));

const refusedSignIn = (check: string, { host, auth }: SignedIn): Finding =>
  failed(check, channelReason(auth === "oauth" ? "check.refused-oauth" : "check.refused", { host }));
