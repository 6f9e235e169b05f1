/** What the dashboard requests of channel accounts besides the REST API. */
import type { Static } from "typebox";
import { Type } from "typebox";
import { mailSecurities } from "./channel-settings.ts";
import { choice, email, nullable } from "./fields.ts";
import type { HttpOperation } from "./operation.ts";

/** How a mailbox is signed in to by IMAP: `app-password` is one that its owner creates for this, `none`: with no password at all. */
export const mailSignIns = ["password", "app-password", "none"] as const;

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
} as const satisfies Record<string, HttpOperation>;
