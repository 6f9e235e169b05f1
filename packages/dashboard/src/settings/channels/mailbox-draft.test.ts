import { expect, test } from "vitest";
import { changedSettings, draftOf, emptyDraft, type MailboxDraft, settingsOf, withServers } from "./mailbox-draft.ts";

const found = {
  provider: null,
  is_known: true,
  sign_in: "password",
  imap_is_off: false,
  app_password_url: null,
  oauth: null,
  inbound: { host: "imap.acme.example", port: 993, security: "tls" },
  outbound: { host: "smtp.acme.example", port: 587, security: "starttls" },
} as const;
const typed: MailboxDraft = withServers(
  { ...emptyDraft, address: " support@acme.example ", password: "secret" },
  found,
);
const inbound = {
  kind: "imap",
  ...found.inbound,
  username: "support@acme.example",
  auth: "password",
  folder: "INBOX",
  after_import: "leave",
  sent_folder: true,
} as const;
const outbound = { ...found.outbound, username: "support@acme.example", auth: "password" } as const;
/** As the service answers. */
const stored = {
  address: "support@acme.example",
  inbound: { ...inbound, password_set: true },
  outbound: { ...outbound, password_set: true },
} as const;
const was = draftOf(stored);

test("an address and a password are enough, for receiving and sending", () => {
  expect(settingsOf(typed)).toEqual({
    address: "support@acme.example",
    inbound: { ...inbound, password: "secret" },
    outbound: { ...outbound, password: "secret" },
  });
});

test("what is missing is left out, so that the service says so at its field", () => {
  expect(settingsOf({ ...emptyDraft, address: "support@acme.example" })).toEqual({
    address: "support@acme.example",
    inbound: {
      ...{ kind: "imap", port: 993, security: "tls", username: "support@acme.example", auth: "password" },
      ...{ folder: "INBOX", after_import: "leave", sent_folder: true },
    },
    outbound: { port: 465, security: "tls", username: "support@acme.example", auth: "password" },
  });
});

test("the server that sends has its own name and password, or none, or is the installation's", () => {
  const own = { ...typed, sendingSignIn: "own", sendingUsername: "relay", sendingPassword: "other" } as const;
  expect(settingsOf(own).outbound).toEqual({
    ...found.outbound,
    username: "relay",
    auth: "password",
    password: "other",
  });
  expect(settingsOf({ ...typed, sendingSignIn: "none" }).outbound).toEqual({ ...found.outbound, username: null });
  expect(settingsOf({ ...typed, sendsItself: false }).outbound).toBeNull();
});

test("mails that are posted need no server, and their password is not that of sending", () => {
  const posted = { ...typed, kind: "http", sendingPassword: "other" } as const;
  expect(settingsOf(posted).inbound).toEqual({ kind: "http" });
  expect(settingsOf(posted).outbound).toEqual({ ...outbound, password: "other" });
});

test("stored settings are edited as they are, and nothing is sent when nothing is changed", () => {
  expect(changedSettings(was, was)).toEqual({});
  for (const sending of [null, { ...stored.outbound, username: null }, { ...stored.outbound, username: "relay" }]) {
    const draft = draftOf({ ...stored, outbound: sending });
    const { password_set: _, auth, ...settings } = sending ?? {};
    const signIn = sending?.username ? { auth } : {};
    expect(settingsOf(draft).outbound).toEqual(sending && { ...settings, ...signIn });
    expect(changedSettings(draft, draft)).toEqual({});
  }
});

test("a new password is sent to both servers, if both are signed in to as the mailbox", () => {
  expect(changedSettings({ ...was, password: "new" }, was)).toEqual({
    inbound: { ...inbound, password: "new" },
    outbound: { ...outbound, password: "new" },
  });
  const split = { ...was, sendingSignIn: "own", sendingUsername: "relay" } as const;
  expect(Object.keys(changedSettings({ ...split, password: "new" }, split))).toEqual(["inbound"]);
});

test("only what is changed is sent", () => {
  expect(changedSettings({ ...was, folder: "Support" }, was)).toEqual({ inbound: { ...inbound, folder: "Support" } });
  expect(changedSettings({ ...was, sentFolder: false }, was)).toEqual({ inbound: { ...inbound, sent_folder: false } });
  expect(changedSettings({ ...was, sendsItself: false }, was)).toEqual({ outbound: null });
});

test("a mailbox that is signed in to at its provider has no password, and sends the same way", () => {
  const atGoogle = withServers(
    { ...typed, oauth: { ...typed.oauth, clientId: " acme-1 ", clientSecret: "app" } },
    { ...found, sign_in: "none", oauth: "google" },
  );
  const { password: _, ...signIn } = { ...inbound, auth: "oauth", password: "" };
  expect(settingsOf(atGoogle)).toEqual({
    address: "support@acme.example",
    inbound: signIn,
    outbound: { ...outbound, auth: "oauth" },
    oauth: { provider: "google", grant: "person", client_id: "acme-1", client_secret: "app" },
  });
  const own = { ...atGoogle, sendingSignIn: "own", sendingUsername: "relay" } as const;
  expect(settingsOf(own).outbound).toMatchObject({ username: "relay", auth: "password" });
  const sets = { client_secret_set: true, private_key_set: false };
  const app = { provider: "google", grant: "person", client_id: "acme-1", ...sets } as const;
  const before = draftOf({ ...stored, inbound: { ...stored.inbound, auth: "oauth" }, oauth: app });
  expect(changedSettings(before, before)).toEqual({});
  expect(changedSettings({ ...before, oauth: { ...before.oauth, clientSecret: "new" } }, before)).toEqual({
    oauth: { provider: "google", grant: "person", client_id: "acme-1", client_secret: "new" },
  });
  expect(settingsOf({ ...atGoogle, kind: "http" })).not.toHaveProperty("oauth");
});

test("an app of Microsoft has a tenant, and one of another provider its addresses and scope", () => {
  const oauth = { ...typed.oauth, clientId: "a", tenant: "", authorizeUrl: " https://a.example/ ", scope: "mail" };
  const asked = (provider: "microsoft" | "custom") =>
    settingsOf({ ...typed, auth: "oauth", oauth: { ...oauth, provider } }).oauth;
  expect(asked("microsoft")).toEqual({ provider: "microsoft", grant: "person", client_id: "a", tenant: "common" });
  // What is missing is left out, as above.
  expect(asked("custom")).toEqual({
    ...{ provider: "custom", grant: "person", client_id: "a" },
    ...{ authorize_url: "https://a.example/", scope: "mail" },
  });
});

test("an app that needs no person has a key or a secret, and nothing of a sign-in", () => {
  const entered = { clientId: "a", clientSecret: "s", privateKey: " key\n", tenant: "acme.example" };
  const of = { ...typed.oauth, ...entered, authorizeUrl: "https://a.example/", tokenUrl: "https://t.example/" };
  const asked = (provider: "google" | "microsoft" | "custom") =>
    settingsOf({ ...typed, auth: "oauth", oauth: { ...of, provider, grant: "service" } }).oauth;
  const app = { grant: "service", client_id: "a" };
  expect(asked("google")).toEqual({ provider: "google", grant: "service", private_key: "key" });
  expect(asked("microsoft")).toEqual({ ...app, provider: "microsoft", client_secret: "s", tenant: "acme.example" });
  expect(asked("custom")).toEqual({
    ...{ ...app, provider: "custom", client_secret: "s", private_key: "key", token_url: "https://t.example/" },
  });
});

test("a new address is the name to sign in with, unless another was entered", () => {
  const moved = { ...was, address: "help@acme.example" };
  expect(settingsOf(moved).inbound).toMatchObject({ username: "help@acme.example" });
  const named = draftOf({ ...stored, inbound: { ...stored.inbound, username: "acme-1" } });
  expect(settingsOf({ ...named, address: "help@acme.example" }).inbound).toMatchObject({ username: "acme-1" });
});
