import type { OAuthApp } from "../email-settings.ts";

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
        scope: MICROSOFT_SCOPE,
        // The browser may be signed in to Microsoft as another person than the mailbox.
        parameters: { prompt: "select_account" },
      };
    }
    case "custom":
      return {
        name: null,
        authorizeUrl: new URL(app.authorize_url ?? ""),
        tokenUrl: new URL(app.token_url ?? ""),
        scope: app.scope ?? "",
        parameters: {},
      };
    default:
      return app.provider satisfies never;
  }
}

/** Which app a token belongs to: those of another are worth nothing. */
export const appKey = (app: OAuthApp): string => `${oauthProvider(app).tokenUrl.href} ${app.client_id}`;
