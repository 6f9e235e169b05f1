import type { EmailSettings } from "../email-settings.ts";
import { CLIENT_SECRET, PRIVATE_KEY } from "./change-oauth.ts";
import type { OAuthClient } from "./token-requests.ts";

/** What obtains the tokens of an account; undefined when it has no app. */
export function clientOf(
  settings: Pick<EmailSettings, "oauth" | "address" | "inbound" | "outbound">,
  secrets: Readonly<Record<string, string>>,
): OAuthClient | undefined {
  const { oauth } = settings;
  if (!oauth) return undefined;
  const client = { app: oauth, secret: secrets[CLIENT_SECRET] };
  if (oauth.grant !== "service") return client;
  return { ...client, service: { mailbox: mailboxOf(settings), privateKey: secrets[PRIVATE_KEY] } };
}

/** What the mailbox is signed in to as. */
export function mailboxOf({
  address,
  inbound,
  outbound,
}: Pick<EmailSettings, "address" | "inbound" | "outbound">): string {
  return inbound.kind === "imap" ? inbound.username : (outbound?.username ?? address);
}
