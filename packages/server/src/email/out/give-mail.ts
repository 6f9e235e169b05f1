import type { DrivenAccount } from "../../channels/channel-driver.ts";
import type { VettedSockets } from "../../outbound/vetted-socket.ts";
import { type EmailSettings, readEmailSettings } from "../email-settings.ts";
import { clientOf } from "../oauth/client-of.ts";
import type { MailboxTokens } from "../oauth/mailbox-tokens.ts";
import { installationServer } from "./installation-server.ts";
import { type MailServerAccess, type MailToSend, type SmtpResult, sendBySmtp, TROUBLE_WAIT_MS } from "./smtp-send.ts";

/** The server that mails of an account are given to; undefined when there is none. */
export function mailServerOf(
  { outbound }: Pick<EmailSettings, "outbound">,
  password: string | undefined,
  smtpUrl: string | undefined,
): MailServerAccess | undefined {
  if (outbound) return { kind: "own", ...outbound, password: password ?? null };
  return smtpUrl === undefined ? undefined : installationServer(smtpUrl);
}

/** Gives a mail of an account to its server, with a token where it takes one. Never rejects because of the server. */
export async function giveMail(
  parts: { sockets: VettedSockets; tokens: MailboxTokens },
  given: { account: DrivenAccount; access: MailServerAccess; mail: MailToSend },
  signal: AbortSignal,
  refused?: string,
): Promise<SmtpResult> {
  const { account, access, mail } = given;
  const settings = readEmailSettings(account.settings);
  const client = settings.outbound?.auth === "oauth" ? clientOf(settings, account.secrets) : undefined;
  if (!client || access.kind !== "own") return sendBySmtp({ access, sockets: parts.sockets, mail }, signal);
  const taken = await parts.tokens.take(account, client, { refused });
  if ("problem" in taken) {
    const state = taken.problem === "away" ? "failing" : "needs-sign-in";
    return { outcome: "trouble", state, reason: taken.reason, afterMs: TROUBLE_WAIT_MS };
  }
  const { token: accessToken, isFresh } = taken;
  const result = await sendBySmtp({ access: { ...access, accessToken }, sockets: parts.sockets, mail }, signal);
  // The token may have been taken back before its time was over.
  const isRefused = result.outcome === "trouble" && result.state === "needs-sign-in";
  return isRefused && !isFresh ? giveMail(parts, given, signal, accessToken) : result;
}
