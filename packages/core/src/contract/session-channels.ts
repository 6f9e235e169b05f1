/** What the dashboard requests of channel accounts besides the REST API. */
import type { Static } from "typebox";
import { Type } from "typebox";
import { mailSecurities } from "./channel-settings.ts";
import { choice, email, idOf, nullable } from "./fields.ts";
import type { HttpOperation } from "./operation.ts";

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

export const channelOperations = {
  /** Looks only in the DNS; no server is connected to. By POST, because an address does not belong in a URL. */
  findMailServers: {
    method: "POST",
    path: "/channels/mail-servers",
    body: Type.Object({ address: email }),
    responses: { 200: { body: FoundMailServers } },
  },
  /** Where the browser goes to sign in to a mailbox at its provider. */
  beginMailboxSignIn: {
    method: "POST",
    path: "/channels/{id}/sign-in",
    params: Type.Object({ id: idOf("the channel account") }),
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
