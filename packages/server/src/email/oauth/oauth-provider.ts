import { createHash } from "node:crypto";
import type { OAuthApp } from "../email-settings.ts";
import type { OAuthClient } from "./token-requests.ts";

/** Where the app of an account signs people in, and asks for tokens. */
export interface OAuthProvider {
  /** As people know it; null for one of the team's own. */
  name: string | null;
  authorizeUrl: URL;
  tokenUrl: URL;
  scope: string;
  /** What the provider wants besides, to give a token that can be renewed. */
  parameters: Readonly<Record<string, string>>;
}

/** To read and send mail, also without a signed-in person. Shared mailboxes are named by the user name of the account. */
const MICROSOFT_SCOPE =
  "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access";

/** What an administrator has allowed the app at Microsoft, whatever it is. */
const MICROSOFT_SERVICE_SCOPE = "https://outlook.office365.com/.default";

/** The provider of an app. Addresses of `custom` were vetted when they were saved, and are at each request. */
export function oauthProvider(app: OAuthApp): OAuthProvider {
  switch (app.provider) {
    case "google":
      return {
        name: "Google",
        authorizeUrl: new URL("https://accounts.google.com/o/oauth2/v2/auth"),
        tokenUrl: new URL("https://oauth2.googleapis.com/token"),
        scope: "https://mail.google.com/",
        // Without consent asked for anew, the second sign-in gives no token to renew with.
        parameters: { access_type: "offline", prompt: "consent" },
      };
    case "microsoft": {
      const base = `https://login.microsoftonline.com/${app.tenant ?? "common"}/oauth2/v2.0`;
      return {
        name: "Microsoft",
        authorizeUrl: new URL(`${base}/authorize`),
        tokenUrl: new URL(`${base}/token`),
        scope: app.grant === "service" ? MICROSOFT_SERVICE_SCOPE : MICROSOFT_SCOPE,
        // The browser may be signed in to Microsoft as another person than the mailbox.
        parameters: { prompt: "select_account" },
      };
    }
    case "custom":
      return {
        name: null,
        // Where no person signs in, there is none; it names the provider all the same.
        authorizeUrl: new URL(app.authorize_url ?? app.token_url ?? ""),
        tokenUrl: new URL(app.token_url ?? ""),
        scope: app.scope ?? "",
        parameters: {},
      };
    default:
      return app.provider satisfies never;
  }
}

/**
 * Which app a token belongs to: those of another are worth nothing. Where no person has granted it, so are those of another mailbox, and
 * those that were obtained with another secret: a wrong one shows at once, not when the token is over.
 */
export function appKey({ app, secret, service }: OAuthClient): string {
  const key = `${oauthProvider(app).tokenUrl.href} ${app.client_id}`;
  if (!service) return key;
  const proof = createHash("sha256")
    .update(service.privateKey ?? secret ?? "")
    .digest("base64url");
  return `${key} ${proof} ${service.mailbox}`;
}
