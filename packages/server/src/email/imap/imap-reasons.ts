import { tokenReasons } from "../oauth/mailbox-tokens.ts";

/** The reasons in the state of an account that its reader writes; it removes no others. */
export const imapReasons = {
  refused: "The mail server refused the user name or the password. Sign in again.",
  noFolder: "The folder does not exist on the mail server. Choose another one.",
  blocked: "The host of the mail server has an address that is not allowed.",
  noHost: "The host of the mail server has no address. Check its name.",
  certificate: "The certificate of the mail server is not valid for its host.",
  away: "The mail server cannot be reached. Frontdesk keeps trying.",
  noToken: tokenReasons.refused,
  noApp: tokenReasons.app,
  noProvider: tokenReasons.away,
} as const;
