/** What a mail server is signed in to with: a password, or a token of the mailbox's provider (XOAUTH2). */
export type Credentials = { password: string } | { accessToken: string };

/** As imapflow takes them besides the user name. */
export const imapAuth = (credentials: Credentials): { pass: string } | { accessToken: string } =>
  "password" in credentials ? { pass: credentials.password } : { accessToken: credentials.accessToken };

/** As a transport of nodemailer takes them. */
export const smtpAuth = (user: string, credentials: Credentials) =>
  "password" in credentials
    ? { user, pass: credentials.password }
    : ({ type: "OAuth2", user, accessToken: credentials.accessToken } as const);
