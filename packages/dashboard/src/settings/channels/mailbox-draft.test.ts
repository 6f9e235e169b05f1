import { expect, test } from "vitest";
import { changedSettings, draftOf, emptyDraft, type MailboxDraft, settingsOf, withServers } from "./mailbox-draft.ts";

const found = {
  provider: null,
  is_known: true,
  sign_in: "password",
  imap_is_off: false,
  app_password_url: null,
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
  folder: "INBOX",
  after_import: "leave",
} as const;
const outbound = { ...found.outbound, username: "support@acme.example" } as const;
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
      ...{ kind: "imap", port: 993, security: "tls", username: "support@acme.example" },
      ...{ folder: "INBOX", after_import: "leave" },
    },
    outbound: { port: 465, security: "tls", username: "support@acme.example" },
  });
});

test("the server that sends has its own name and password, or none, or is the installation's", () => {
  const own = { ...typed, sendingSignIn: "own", sendingUsername: "relay", sendingPassword: "other" } as const;
  expect(settingsOf(own).outbound).toEqual({ ...found.outbound, username: "relay", password: "other" });
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
    const { password_set: _, ...settings } = sending ?? {};
    expect(settingsOf(draft).outbound).toEqual(sending && settings);
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
  expect(changedSettings({ ...was, sendsItself: false }, was)).toEqual({ outbound: null });
});

test("a new address is the name to sign in with, unless another was entered", () => {
  const moved = { ...was, address: "help@acme.example" };
  expect(settingsOf(moved).inbound).toMatchObject({ username: "help@acme.example" });
  const named = draftOf({ ...stored, inbound: { ...stored.inbound, username: "acme-1" } });
  expect(settingsOf({ ...named, address: "help@acme.example" }).inbound).toMatchObject({ username: "acme-1" });
});
