/**
 * The settings of channel accounts over REST. Every field may be left out of a change; which ones a new account needs, and what a
 * change merges, is in the server (`email/change-email-settings.ts`). Secrets are taken in and never given back.
 */
import type { Static } from "typebox";
import { Type } from "typebox";
import { widgetLanguages } from "../domain/widget-settings.ts";
import { choice, EMAIL_MAX, email, NAME_MAX, nullable, text } from "./fields.ts";

export const mailSecurities = ["tls", "starttls", "none"] as const;
export const inboundKinds = ["imap", "http"] as const;
export const afterImports = ["leave", "flag", "archive"] as const;
export const mailAuths = ["password", "oauth"] as const;
export const oauthProviders = ["google", "microsoft", "custom"] as const;
/** `person`: one signs in as the mailbox. `service`: an administrator has given the app access to it. */
export const oauthGrants = ["person", "service"] as const;

/** Longest host name (RFC 1035). */
const HOST_MAX = 253;
const USERNAME_MAX = 320;
const PASSWORD_MAX = 1_024;
const MAX_PORT = 65_535;
const PACE_MAX = 1_000;
const DAILY_LIMIT_MAX = 100_000;
const REOPEN_DAYS_MAX = 3_650;
const HOLD_SECONDS_MAX = 60;
/** Longest name of a server in Authentication-Results. */
const AUTHSERV_ID_MAX = 253;
/** Most addresses in a list of a mailbox. */
export const ADDRESSES_MAX = 50;
/** Longest text of an automatic reply. */
export const ACKNOWLEDGEMENT_MAX = 2_000;
const CLIENT_MAX = 512;
const URL_MAX = 2_048;
const SCOPE_MAX = 1_000;
const TENANT_MAX = 253;
/** Longest key file of a service account. */
const KEY_MAX = 10_000;

const host = text(HOST_MAX, { minLength: 1, description: "A host name or an IP address." });
const port = Type.Integer({ minimum: 1, maximum: MAX_PORT });
const security = choice(mailSecurities, {
  description:
    "`tls` from the first byte, `starttls` before anything else is sent, or `none`, which the operator has to allow.",
});
const username = text(USERNAME_MAX, { minLength: 1 });
const password = nullable(
  Type.String({ minLength: 1, maxLength: PASSWORD_MAX, description: "Never returned. Null removes it." }),
);
const auth = choice(mailAuths, {
  description: "How the mail server is signed in to: with a password, or with OAuth 2 by the settings in `oauth`.",
});
const kind = choice(inboundKinds, {
  description: "`imap` fetches mails from a mailbox; `http` takes raw mails at `callback_url`.",
});
const folder = text(NAME_MAX, { minLength: 1, description: "The folder that mails are fetched from." });
const afterImport = choice(afterImports, {
  description:
    "What happens to a mail on the server: nothing, it's marked as read (`flag`), or it's moved to the archive.",
});
const sentFolder = Type.Boolean({
  description:
    "Whether replies that teammates send from this mailbox with a mail program are imported, by its folder of sent mails.",
});

const addresses = (description: string) =>
  Type.Array(text(EMAIL_MAX, { minLength: 1 }), { maxItems: ADDRESSES_MAX, description });

const common = {
  aliases: addresses(
    "Other addresses whose mails arrive in this mailbox. They are the team's own: no reply goes to them. Replies leave from `address`.",
  ),
  form_senders: addresses(
    "Addresses that web forms send from. Their mails are taken as written by the person in Reply-To.",
  ),
  display_name: nullable(text(NAME_MAX, { description: "The sender's name in mails. Null: the agent's name." })),
  plus_addressing: Type.Boolean({
    description: "Whether replies go to `local+r.TOKEN@domain`. Turn it off if your mail server doesn't deliver these.",
  }),
  hold_seconds: Type.Integer({
    minimum: 0,
    maximum: HOLD_SECONDS_MAX,
    description: "How long a reply from the dashboard can be undone. Programs and assistants are not held.",
  }),
  pace: Type.Integer({ minimum: 1, maximum: PACE_MAX, description: "The most mails sent a minute." }),
  daily_limit: Type.Integer({
    minimum: 1,
    maximum: DAILY_LIMIT_MAX,
    description: "The most mails sent in any 24 hours. Others wait.",
  }),
  reopen_days: nullable(
    Type.Integer({
      minimum: 1,
      maximum: REOPEN_DAYS_MAX,
      description: "After so many days an answer starts a new conversation. Null: it always reopens the old one.",
    }),
  ),
  authserv_id: nullable(
    text(AUTHSERV_ID_MAX, {
      description:
        "The name by which your mail server signs `Authentication-Results`, such as `mx.example.com`. An email that it reports as forged (DMARC) then joins no conversation. Null: that of the provider, where it is known (Gmail, Microsoft 365), else nothing is checked.",
    }),
  ),
  acknowledgement: nullable(
    Type.Object(
      {
        text: nullable(
          text(ACKNOWLEDGEMENT_MAX, { description: "The team's own text. Null: a short text in `language`." }),
        ),
        language: choice(widgetLanguages, { description: "The language of the subject, which is fixed." }),
      },
      {
        description:
          "The automatic reply to the first email of a conversation, at most one a day for each sender. It's only sent where the mailbox's own server vouches for the sender (`authserv_id`), and never to automatic emails or lists. Null: none is sent.",
      },
    ),
  ),
};

const oauth = {
  provider: choice(oauthProviders, { description: "`custom` is any other: it needs both addresses and a scope." }),
  grant: choice(oauthGrants, {
    description:
      "`person`: an admin signs in once, in Settings > Channels. `service`: no one does, since an administrator of the mail service has given the app access to the mailbox; with client credentials, or with the key of a service account (Google, `private_key`).",
  }),
  client_id: text(CLIENT_MAX, {
    minLength: 1,
    description: "The ID of your own app at the provider. Of a service account of Google: its email address.",
  }),
  tenant: text(TENANT_MAX, {
    minLength: 1,
    description: "Microsoft only: the tenant's ID or domain, or `common` for any account.",
  }),
  authorize_url: Type.String({ maxLength: URL_MAX, description: "`custom` only: where people sign in. https." }),
  token_url: Type.String({ maxLength: URL_MAX, description: "`custom` only: where tokens are issued. https." }),
  scope: text(SCOPE_MAX, { minLength: 1, description: "`custom` only: what is asked for." }),
};

export const ChannelSettingsChange = Type.Object(
  {
    address: Type.Optional(email),
    display_name: Type.Optional(common.display_name),
    aliases: Type.Optional(common.aliases),
    form_senders: Type.Optional(common.form_senders),
    inbound: Type.Optional(
      Type.Object({
        kind: Type.Optional(kind),
        host: Type.Optional(host),
        port: Type.Optional(port),
        security: Type.Optional(security),
        username: Type.Optional(username),
        auth: Type.Optional(auth),
        password: Type.Optional(password),
        folder: Type.Optional(folder),
        after_import: Type.Optional(afterImport),
        sent_folder: Type.Optional(sentFolder),
      }),
    ),
    outbound: Type.Optional(
      nullable(
        Type.Object(
          {
            host: Type.Optional(host),
            port: Type.Optional(port),
            security: Type.Optional(security),
            username: Type.Optional(nullable(username)),
            auth: Type.Optional(auth),
            password: Type.Optional(password),
          },
          { description: "The mail server that sends. Null: the installation's own (`SMTP_URL`)." },
        ),
      ),
    ),
    oauth: Type.Optional(
      nullable(
        Type.Object(
          {
            provider: Type.Optional(oauth.provider),
            grant: Type.Optional(oauth.grant),
            client_id: Type.Optional(oauth.client_id),
            client_secret: Type.Optional(
              nullable(
                Type.String({
                  minLength: 1,
                  maxLength: PASSWORD_MAX,
                  description: "Never returned. Null removes it: some providers need none.",
                }),
              ),
            ),
            private_key: Type.Optional(
              nullable(
                Type.String({
                  minLength: 1,
                  maxLength: KEY_MAX,
                  description:
                    "`service` only: the JSON key file of the service account, or its private key (RSA) in PEM form. Never returned. Null removes it.",
                }),
              ),
            ),
            tenant: Type.Optional(oauth.tenant),
            authorize_url: Type.Optional(oauth.authorize_url),
            token_url: Type.Optional(oauth.token_url),
            scope: Type.Optional(oauth.scope),
          },
          {
            description: "How tokens are obtained for servers with `auth: oauth`.",
          },
        ),
      ),
    ),
    plus_addressing: Type.Optional(common.plus_addressing),
    hold_seconds: Type.Optional(common.hold_seconds),
    pace: Type.Optional(common.pace),
    daily_limit: Type.Optional(common.daily_limit),
    reopen_days: Type.Optional(common.reopen_days),
    authserv_id: Type.Optional(common.authserv_id),
    acknowledgement: Type.Optional(common.acknowledgement),
  },
  { description: "The settings of the channel." },
);
export type ChannelSettingsChange = Static<typeof ChannelSettingsChange>;

const passwordSet = Type.Boolean({ description: "Whether a password is stored." });

/** All fields of an e-mail account; those of `inbound` besides its kind are of IMAP alone. */
export const ChannelSettings = Type.Object({
  address: Type.Optional(Type.String()),
  display_name: Type.Optional(common.display_name),
  aliases: Type.Optional(common.aliases),
  form_senders: Type.Optional(common.form_senders),
  inbound: Type.Optional(
    Type.Object({
      kind,
      host: Type.Optional(host),
      port: Type.Optional(port),
      security: Type.Optional(security),
      username: Type.Optional(username),
      auth: Type.Optional(auth),
      password_set: Type.Optional(passwordSet),
      folder: Type.Optional(folder),
      after_import: Type.Optional(afterImport),
      sent_folder: Type.Optional(sentFolder),
    }),
  ),
  outbound: Type.Optional(
    nullable(Type.Object({ host, port, security, username: nullable(username), auth, password_set: passwordSet })),
  ),
  oauth: Type.Optional(
    nullable(
      Type.Object({
        provider: oauth.provider,
        grant: oauth.grant,
        client_id: oauth.client_id,
        private_key_set: Type.Boolean({ description: "Whether a private key is stored." }),
        client_secret_set: Type.Boolean({ description: "Whether a client secret is stored." }),
        tenant: Type.Optional(oauth.tenant),
        authorize_url: Type.Optional(oauth.authorize_url),
        token_url: Type.Optional(oauth.token_url),
        scope: Type.Optional(oauth.scope),
      }),
    ),
  ),
  plus_addressing: Type.Optional(common.plus_addressing),
  hold_seconds: Type.Optional(common.hold_seconds),
  pace: Type.Optional(common.pace),
  daily_limit: Type.Optional(common.daily_limit),
  reopen_days: Type.Optional(common.reopen_days),
  authserv_id: Type.Optional(common.authserv_id),
  acknowledgement: Type.Optional(common.acknowledgement),
});
export type ChannelSettings = Static<typeof ChannelSettings>;
