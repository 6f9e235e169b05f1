/** What the dashboard requests of channel accounts besides the REST API. */
import type { Static } from "typebox";
import { Type } from "typebox";
import { mailSecurities } from "./channel-settings.ts";
import { ErrorReason } from "./errors.ts";
import { choice, email, idOf, nullable, timestamp } from "./fields.ts";
import type { HttpOperation } from "./operation.ts";
import { ChannelFinding, checkNewChannel } from "./rest/channels.ts";

/** How a mailbox is signed in to by IMAP: `app-password` is one that its owner creates for this, `none`: with no password at all. */
export const mailSignIns = ["password", "app-password", "none"] as const;

/** `refused`: the person did not allow it, `app`: the app is refused, `away`: the provider did not answer. */
export const signInProblems = ["refused", "app", "away"] as const;

/** Codes of Microsoft have some 2,000 characters. */
const QUERY_MAX = 8_192;

const MailServer = Type.Object({ host: Type.String(), port: Type.Integer(), security: choice(mailSecurities) });

/** The servers of a mailbox, as far as its address and the DNS say. `is_known` false: they are guessed. */
export const FoundMailServers = Type.Object({
  /** The name of the provider, when it is a known one. */
  provider: nullable(Type.String()),
  is_known: Type.Boolean(),
  inbound: MailServer,
  outbound: MailServer,
  sign_in: choice(mailSignIns),
  /** IMAP has to be switched on at the provider first. */
  imap_is_off: Type.Boolean(),
  /** Where an app password is created. */
  app_password_url: nullable(Type.String()),
  /** Whose app a mailbox can be signed in to with; null where only passwords are taken, or nothing is known. */
  oauth: nullable(choice(["google", "microsoft"])),
});
export type FoundMailServers = Static<typeof FoundMailServers>;

export const MailboxUse = Type.Object({
  /** In the last 24 hours. */
  sent: Type.Integer(),
  limit: Type.Integer(),
  /** The emails that wait to be sent. */
  waiting: Type.Integer(),
});
export type MailboxUse = Static<typeof MailboxUse>;

/** What is wrong with an account: the REST API's sentence, and by name (`domain/channel-reason.ts`) where it is known. */
export const ChannelTrouble = Type.Object({
  channel_id: Type.String(),
  state_reason: nullable(Type.String()),
  named_reason: nullable(ErrorReason),
});
export type ChannelTrouble = Static<typeof ChannelTrouble>;

/** A finding of the REST API, and by name. */
export const NamedFinding = Type.Object({ ...ChannelFinding.properties, named_reason: ErrorReason });
export type NamedFinding = Static<typeof NamedFinding>;

/** A suppressed address. `named_reason`: null where the reason is known as a sentence alone. */
export const ShownSuppression = Type.Object({
  address: Type.String(),
  reason: Type.String(),
  named_reason: nullable(ErrorReason),
  created_at: timestamp,
});
export type ShownSuppression = Static<typeof ShownSuppression>;

const params = Type.Object({ id: idOf("the channel account") });
const findings = { 200: { body: Type.Object({ findings: Type.Array(NamedFinding) }) } } as const;

export const channelOperations = {
  /** Of the accounts that need a sign-in or are failing. */
  listChannelReasons: {
    method: "GET",
    path: "/channels/reasons",
    responses: { 200: { body: Type.Object({ reasons: Type.Array(ChannelTrouble) }) } },
  },
  /** The REST API's operation of this name, with the findings by name. */
  checkChannel: { method: "POST", path: "/channels/{id}/check", params, responses: findings },
  checkNewChannel: { method: "POST", path: "/channels/check", body: checkNewChannel.body, responses: findings },
  /** The REST API's operation of this name, with the reasons by name. */
  listSuppressions: {
    method: "GET",
    path: "/channels/{id}/suppressions",
    params,
    query: Type.Object({
      page: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      limit: Type.Integer({ minimum: 1, maximum: 100 }),
    }),
    responses: {
      200: { body: Type.Object({ suppressions: Type.Array(ShownSuppression), total: Type.Integer() }) },
    },
  },
  /** Looks only in the DNS; no server is connected to. By POST, because an address does not belong in a URL. */
  findMailServers: {
    method: "POST",
    path: "/channels/mail-servers",
    body: Type.Object({ address: email }),
    responses: { 200: { body: FoundMailServers } },
  },
  /** How much of its daily limit a mailbox has used. */
  getMailboxUse: {
    method: "GET",
    path: "/channels/{id}/use",
    params: Type.Object({ id: idOf("the channel account") }),
    responses: { 200: { body: MailboxUse } },
  },
  /** Where the browser goes to sign in to a mailbox at its provider. */
  beginMailboxSignIn: {
    method: "POST",
    path: "/channels/{id}/sign-in",
    params,
    responses: { 200: { body: Type.Object({ url: Type.String() }) } },
  },
  /** What the provider has sent back with the browser, as it is. `problem`: why there is no sign-in, in the provider's words. */
  endMailboxSignIn: {
    method: "POST",
    path: "/channels/sign-in",
    body: Type.Object({ query: Type.String({ maxLength: QUERY_MAX }) }),
    responses: {
      200: {
        body: Type.Object({
          channel_id: Type.String(),
          problem: nullable(choice(signInProblems)),
          words: nullable(Type.String()),
        }),
      },
    },
  },
  /** The address that an app of one's own has to be registered with. */
  getMailboxSignInUrl: {
    method: "GET",
    path: "/channels/sign-in",
    responses: { 200: { body: Type.Object({ redirect_uri: Type.String() }) } },
  },
} as const satisfies Record<string, HttpOperation>;
