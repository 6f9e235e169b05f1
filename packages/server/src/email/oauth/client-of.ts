import type { EmailSettings } from "../email-settings.ts";
import { CLIENT_SECRET } from "./change-oauth.ts";
import type { OAuthClient } from "./token-requests.ts";

/** What obtains the tokens of an account; undefined when it has no app. */
export function clientOf(
  { oauth }: Pick<EmailSettings, "oauth">,
  secrets: Readonly<Record<string, string>>,
): OAuthClient | undefined {
  return oauth ? { app: oauth, secret: secrets[CLIENT_SECRET] } : undefined;
}
