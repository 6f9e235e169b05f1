/** The REST operations on channel accounts: mailboxes, and later phone numbers and pages. */
import { type Static, Type } from "typebox";
import { channelsToGrant } from "../../domain/channel.ts";
import { ChannelSettings, ChannelSettingsChange } from "../channel-settings.ts";
import { channel, channelFindings, ids, listOfOne, moments } from "../examples.ts";
import { choice, idOf, NAME_MAX, nullable, pageQuery, text, timestamp, uuid } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { dataOf, listOf, messageAndDataOf, resource } from "../resources.ts";

/** The channels whose accounts are made by REST. */
const channelsToCreate = ["email"] as const;
export const channelStates = ["active", "paused", "needs-sign-in", "failing"] as const;

export const Channel = resource(
  "channels",
  uuid,
  Type.Object({
    channel: choice(channelsToGrant),
    name: nullable(Type.String()),
    widget_id: Type.String({ format: "uuid", description: "The home widget: the brand that its contacts belong to." }),
    state: choice(channelStates, {
      description:
        "`needs-sign-in`: the password is missing or was refused. `failing`: it can't be reached, or not be used.",
    }),
    state_reason: nullable(Type.String({ description: "What is wrong and what to do." })),
    address: nullable(Type.String({ description: "The mailbox's address." })),
    callback_url: nullable(
      Type.String({ description: "Where raw mails are posted. Null if mails are fetched by IMAP. Keep it secret." }),
    ),
    settings: ChannelSettings,
    last_received_at: nullable(Type.String({ format: "date-time", description: "Accurate to a minute." })),
    last_sent_at: nullable(Type.String({ format: "date-time", description: "Accurate to a minute." })),
    created_at: timestamp,
  }),
);
export type Channel = Static<typeof Channel>;

export const ChannelFinding = Type.Object({
  check: Type.String({ description: "What was checked." }),
  ok: Type.Boolean(),
  message: Type.String({ description: "What was found, and what to do." }),
});
export type ChannelFinding = Static<typeof ChannelFinding>;

export const Suppression = Type.Object({
  type: Type.Literal("suppressions"),
  id: Type.String({ description: "The address, in lower case." }),
  attributes: Type.Object({
    address: Type.String(),
    reason: Type.String({ description: "The mail server's words." }),
    created_at: timestamp,
  }),
});
export type Suppression = Static<typeof Suppression>;

const channelParams = Type.Object({ id: idOf("the channel account") });
const name = nullable(text(NAME_MAX, { minLength: 1, description: "A name to tell accounts apart." }));
const findings = {
  200: { description: "What was found.", body: Type.Object({ data: Type.Array(ChannelFinding) }) },
} as const;

/** Each request has a schema of its own name in the document. */
const created = () =>
  Type.Object({
    channel: choice(channelsToCreate),
    widget_id: idOf("the home widget"),
    name: Type.Optional(name),
    settings: ChannelSettingsChange,
  });

const imap = {
  address: "support@acme.example",
  inbound: {
    kind: "imap",
    host: "imap.acme.example",
    port: 993,
    security: "tls",
    username: "support@acme.example",
    password: "an-example-not-a-real-password",
  },
};

export const listChannels = {
  id: "listChannels",
  performs: "list-channels",
  method: "GET",
  path: "/channels",
  tag: "Channels",
  summary: "List channel accounts",
  description: "The team's channel accounts, oldest first. Passwords are not included.",
  query: Type.Object(pageQuery({ default: 20, max: 100 })),
  responses: { 200: { description: "A page of channel accounts.", body: listOf(Channel) } },
  errors: [422],
  example: { query: { page: 1, limit: 20 }, response: listOfOne("/channels", channel, 20) },
} as const satisfies RestOperation;

export const createChannel = {
  id: "createChannel",
  performs: "create-channel",
  method: "POST",
  path: "/channels",
  tag: "Channels",
  summary: "Connect a channel account",
  description:
    "Connects a mailbox. The response doesn't wait for the mail server: the account is tried in the background, and `state` tells the result. An address can be connected once, in whatever team.",
  body: created(),
  responses: { 201: { description: "The new account.", body: messageAndDataOf(Channel) } },
  errors: [422],
  retrySafe: true,
  example: {
    body: { channel: "email", widget_id: ids.widget, name: "Support", settings: imap },
    response: { message: "Channel created.", data: channel },
  },
} as const satisfies RestOperation;

export const checkNewChannel = {
  id: "checkNewChannel",
  performs: "check-new-channel",
  method: "POST",
  path: "/channels/check",
  tag: "Channels",
  summary: "Try a channel account before connecting it",
  description: "Takes the body of `POST /channels`, connects to its servers and signs in, and saves nothing.",
  // Its name cannot be tried.
  body: Type.Omit(created(), ["name"]),
  responses: findings,
  errors: [422],
  example: {
    body: { channel: "email", widget_id: ids.widget, settings: imap },
    response: { data: channelFindings },
  },
} as const satisfies RestOperation;

export const getChannel = {
  id: "getChannel",
  performs: "get-channel",
  method: "GET",
  path: "/channels/{id}",
  tag: "Channels",
  summary: "Get a channel account",
  description: "One channel account. Passwords are not included.",
  params: channelParams,
  responses: { 200: { description: "The account.", body: dataOf(Channel) } },
  errors: [404],
  example: { params: { id: ids.channel }, response: { data: channel } },
} as const satisfies RestOperation;

export const updateChannel = {
  id: "updateChannel",
  performs: "update-channel",
  method: "PATCH",
  path: "/channels/{id}",
  tag: "Channels",
  summary: "Change a channel account",
  description:
    "Sets the fields you send and leaves the others unchanged, also within `inbound` and `outbound`. Another `kind` replaces `inbound`. At least one field is required. While an account is paused, incoming mails are stored, and imported when it's active again. Changed settings are tried in the background.",
  params: channelParams,
  // As with a contact: a body that names no known field passes here and is refused by the operation.
  body: Type.Object(
    {
      name: Type.Optional(name),
      state: Type.Optional(choice(["active", "paused"])),
      settings: Type.Optional(ChannelSettingsChange),
    },
    { minProperties: 1 },
  ),
  responses: { 200: { description: "The updated account.", body: messageAndDataOf(Channel) } },
  errors: [404, 422],
  example: {
    params: { id: ids.channel },
    body: { settings: { inbound: { password: "another-example-password" } } },
    response: { message: "Channel updated.", data: channel },
  },
} as const satisfies RestOperation;

export const deleteChannel = {
  id: "deleteChannel",
  performs: "delete-channel",
  method: "DELETE",
  path: "/channels/{id}",
  tag: "Channels",
  summary: "Delete a channel account",
  description:
    "Receiving and sending stop immediately, and replies that wait to be sent fail. Its conversations stay and can be read, but not replied to. The address can be connected again.",
  params: channelParams,
  responses: { 200: { description: "The account is deleted.", body: Type.Object({ message: Type.String() }) } },
  errors: [404],
  example: { params: { id: ids.channel }, response: { message: "Channel deleted." } },
} as const satisfies RestOperation;

export const checkChannel = {
  id: "checkChannel",
  performs: "check-channel",
  method: "POST",
  path: "/channels/{id}/check",
  tag: "Channels",
  summary: "Check a channel account",
  description: "Connects to the account's servers and signs in. Changes nothing.",
  params: channelParams,
  responses: findings,
  errors: [404],
  example: { params: { id: ids.channel }, response: { data: channelFindings } },
} as const satisfies RestOperation;

export const listSuppressions = {
  id: "listSuppressions",
  performs: "list-suppressions",
  method: "GET",
  path: "/channels/{id}/suppressions",
  tag: "Channels",
  summary: "List suppressed addresses",
  description:
    "Addresses that nothing is sent to from this account, because an email to them has bounced for good or was marked as spam. Newest first. A reply to one is refused. An email from an address removes it from the list.",
  params: channelParams,
  query: Type.Object(pageQuery({ default: 20, max: 100 })),
  responses: { 200: { description: "A page of addresses.", body: listOf(Suppression) } },
  errors: [404, 422],
  example: {
    params: { id: ids.channel },
    query: { page: 1, limit: 20 },
    response: listOfOne(
      `/channels/${ids.channel}/suppressions`,
      {
        type: "suppressions",
        id: "gone@example.com",
        attributes: { address: "gone@example.com", reason: "550 5.1.1 No such user", created_at: moments.wrote },
      },
      20,
    ),
  },
} as const satisfies RestOperation;

export const deleteSuppression = {
  id: "deleteSuppression",
  performs: "delete-suppression",
  method: "DELETE",
  path: "/channels/{id}/suppressions/{address}",
  tag: "Channels",
  summary: "Allow a suppressed address again",
  description: "Emails can be sent to this address again.",
  params: Type.Object({ id: idOf("the channel account"), address: Type.String({ description: "The address." }) }),
  responses: { 200: { description: "The address is allowed.", body: Type.Object({ message: Type.String() }) } },
  errors: [404],
  example: {
    params: { id: ids.channel, address: "gone@example.com" },
    response: { message: "Address allowed again." },
  },
} as const satisfies RestOperation;
