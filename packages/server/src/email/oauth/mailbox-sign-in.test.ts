/** Mailboxes that are signed in to by OAuth 2, against a real Dovecot, a mail server that takes tokens, and a provider. */
import { once } from "node:events";
import { startDovecot } from "@frontdesk/testing/dovecot";
import { startOAuthProvider } from "@frontdesk/testing/oauth-provider";
import { mailOf } from "@frontdesk/testing/read-mailbox";
import { dump, query } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, expect, test } from "vitest";
import { createOutbound } from "../../outbound/outbound.ts";
import { systemTimeouts } from "../../timeouts.ts";
import { mailFolder as folderOf } from "../imap/mail-folder-store.ts";
import { beginRenewing, grantById as grantOf, saveTokens } from "./grant-store.ts";
import { openTokens, sealTokens } from "./mail-grant.ts";
import { createMailboxTokens } from "./mailbox-tokens.ts";
import { createTokenRequests } from "./token-requests.ts";

const provider = await startOAuthProvider();
const dovecot = await startDovecot({ introspectionUrl: provider.introspectionUrl });
const taken: string[] = [];
const smtp = new SMTPServer({
  ...{ authMethods: ["XOAUTH2"], disabledCommands: ["STARTTLS"], allowInsecureAuth: true },
  onAuth({ username = "", accessToken = "" }, _session, done) {
    if (provider.userOf(accessToken) === username) done(null, { user: username });
    else done(null, { message: "Invalid token", data: { status: "401", schemes: "bearer", scope: "mail" } });
  },
  onData(stream, _session, done) {
    stream.on("data", (chunk) => taken.push(String(chunk)));
    stream.on("end", () => done());
  },
});
smtp.listen(0, "127.0.0.1");
await once(smtp.server, "listening");
const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.0/8" }, { extraCa: provider.ca });
const { app, storage, team, runtime, clock } = kit;
await app.start();
afterAll(async () => {
  smtp.close();
  await Promise.all([provider.close(), dovecot.stop()]);
});
afterEach(() => {
  provider.answersWith = undefined;
});

let mailboxes = 0;
const nextUser = () => `support${mailboxes + 1}`;
async function mailbox(oauth: object = provider.settings) {
  const acme = await team();
  const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  const user = nextUser();
  mailboxes += 1;
  const settings = {
    address: `${user}@acme.example`,
    inbound: { kind: "imap", host: "127.0.0.1", port: dovecot.port, security: "none", username: user, auth: "oauth" },
    outbound: {
      ...{ host: "127.0.0.1", port: (smtp.server.address() as { port: number }).port, security: "none" },
      ...{ username: user, auth: "oauth" },
    },
    oauth,
  };
  const created = await acme.post("/channels", { channel: "email", widget_id: acme.widgetId, settings });
  expect(created.body.errors).toBeUndefined();
  const { id } = created.body.data;
  const of = { team_id: acme.teamId, id: id as string };
  const state = async () => (await acme.get(`/channels/${id}`)).body.data.attributes;
  const isIn = (wanted: string) => expect.poll(async () => (await state()).state).toBe(wanted);
  const begin = async (agent = abe) => (await agent.post(`/channels/${id}/sign-in`)).body.url as string;
  const end = (query: string, agent = abe) => agent.post("/channels/sign-in", { query });
  const signIn = async () => end(await provider.allows(await begin(), user));
  const subjects = async () =>
    (await query(storage, `SELECT subject FROM mails WHERE team_id = '${acme.teamId}' AND direction = 'in'`)).map(
      ({ subject }) => subject,
    );
  const conversation = async () =>
    String((await query(storage, `SELECT id FROM conversations WHERE team_id = '${acme.teamId}'`))[0]?.id);
  const isRead = () =>
    expect
      .poll(async () => (await storage.first(folderOf, { team_id: acme.teamId, account_id: id }))?.connected_at)
      .toBeTruthy();
  return {
    acme,
    abe,
    user,
    id,
    of,
    settings,
    created,
    state,
    isIn,
    begin,
    end,
    signIn,
    subjects,
    conversation,
    isRead,
  };
}

test("a mailbox is signed in to at its provider: its mails come in, and replies leave, with tokens alone", async () => {
  const box = await mailbox();
  expect(box.created.body.data.attributes.settings).toMatchObject({
    inbound: { auth: "oauth", password_set: false },
    outbound: { auth: "oauth", password_set: false },
    oauth: { provider: "custom", client_id: "frontdesk-app", client_secret_set: true },
  });
  expect(JSON.stringify(box.created.body)).not.toContain(provider.settings.client_secret);
  await box.isIn("needs-sign-in");
  expect((await box.state()).state_reason).toMatch(/[Ss]ign in/);
  expect(await box.signIn()).toMatchObject({ status: 200, body: { channel_id: box.id, problem: null } });
  await box.isIn("active");
  await box.isRead();
  dovecot.deliver(box.user, mailOf("Size 40?"));
  await expect.poll(box.subjects).toEqual(["Size 40?"]);
  await box.acme.post("/messages", { conversation_id: await box.conversation(), content: "Yes, in stock." });
  await expect.poll(() => taken.join("")).toContain("Yes, in stock.");
});

test("a token is renewed before it is over, once, however many processes need it, and stored before it is used", async () => {
  const box = await mailbox();
  await box.signIn();
  await box.isIn("active");
  const requests = createTokenRequests(
    createOutbound({ allowedNetworks: ["127.0.0.0/8"], extraCa: provider.ca }),
    clock.now,
  );
  const process = (of = storage) => createMailboxTokens({ storage: of, runtime, timeouts: systemTimeouts, requests });
  const client = { app: provider.settings, secret: provider.settings.client_secret };
  const before = provider.renewals(box.user);
  const early = await storage.first(grantOf, box.of);
  clock.advance(56 * 60_000);
  const tokens = await Promise.all([process(), process(), process()].map((each) => each.take(box.of, client)));
  expect(new Set(tokens.map((each) => ("token" in each ? each.token : each.problem))).size).toBe(1);
  expect(provider.renewals(box.user)).toBe(before + 1);
  const row = await storage.first(grantOf, box.of);
  const stored = openTokens(runtime.vault, box.of, String(row?.tokens_sealed));
  expect(tokens[0]).toMatchObject({ token: stored.access });
  // One that has read the old tokens before that asks for no other.
  let reads = 0;
  const late: typeof storage = Object.create(storage);
  late.first = (...asked) => (reads++ === 0 ? Promise.resolve(early as never) : storage.first(...asked));
  expect(await process(late).take(box.of, client)).toEqual({ token: stored.access, isFresh: false });
  expect(provider.renewals(box.user)).toBe(before + 1);
  // A process that died while it renewed one holds up the others until its time is over.
  await storage.write(box.of.team_id, (db) =>
    db.run(beginRenewing, {
      ...{ ...box.of, renewing_until: clock.now() + 1_000, now: clock.now() },
      before: String(row?.tokens_sealed),
    }),
  );
  await storage.write(box.of.team_id, (db) =>
    db.run(saveTokens, { ...box.of, tokens_sealed: sealTokens(runtime.vault, box.of, { ...stored, goodUntil: 0 }) }),
  );
  expect(await process().take(box.of, client)).toMatchObject({ isFresh: true });
});

test("replies wait while the sign-in is taken back, and leave after the next one", async () => {
  const box = await mailbox();
  await box.signIn();
  await box.isIn("active");
  await box.isRead();
  dovecot.deliver(box.user, mailOf("Is it in stock?"));
  await expect.poll(box.subjects).toEqual(["Is it in stock?"]);
  const conversation_id = await box.conversation();
  const reply = (content: string) => box.acme.post("/messages", { conversation_id, content });
  // Taken back before its time was over: a new one is taken at once.
  provider.revokesAccess();
  await reply("First answer");
  await expect.poll(() => taken.join("")).toContain("First answer");
  expect((await box.state()).state).toBe("active");
  provider.revokesAll();
  await reply("Second answer");
  await box.isIn("needs-sign-in");
  expect(taken.join("")).not.toContain("Second answer");
  expect((await reply("Third answer")).status).toBe(422);
  await box.signIn();
  await box.isIn("active");
  await expect.poll(() => taken.join("")).toContain("Second answer");
});

test("a provider that is away costs nothing: what was granted stays", async () => {
  const box = await mailbox();
  await box.signIn();
  await box.isIn("active");
  const requests = createTokenRequests(
    createOutbound({ allowedNetworks: ["127.0.0.0/8"], extraCa: provider.ca }),
    clock.now,
  );
  const tokens = createMailboxTokens({ storage, runtime, timeouts: systemTimeouts, requests });
  const client = { app: provider.settings, secret: provider.settings.client_secret };
  clock.advance(2 * 3_600_000);
  for (const [status, error] of [
    [503, "unavailable"],
    [400, "temporarily_unavailable"],
    [429, "slow"],
  ] as const) {
    provider.answersWith = { status, body: { error } };
    expect(await tokens.take(box.of, client), String(status)).toMatchObject({ problem: "away" });
  }
  provider.answersWith = {
    status: 400,
    body: { error: "unauthorized_client", error_description: "Not for IMAP.\nTrace 1" },
  };
  expect(await tokens.take(box.of, client)).toMatchObject({
    problem: "app",
    words: "unauthorized_client: Not for IMAP.",
  });
  provider.answersWith = undefined;
  expect(await tokens.take(box.of, client)).toMatchObject({ isFresh: true });
  // Those of another app are worth nothing.
  const other = { ...client, app: { ...provider.settings, client_id: "another-app" } };
  expect(await tokens.take(box.of, other)).toMatchObject({ problem: "refused" });
});

test("a sign-in ends once, for the admin who has begun it, and not after a quarter of an hour", async () => {
  const box = await mailbox();
  const mallory = await signedIn(kit, box.acme, "CHAT_AGENT_ADMIN");
  const member = await signedIn(kit, box.acme);
  expect((await member.post(`/channels/${box.id}/sign-in`)).status).toBe(403);
  const query = await provider.allows(await box.begin(), box.user);
  expect((await box.end(query, mallory)).status).toBe(422);
  expect((await box.end(query.replace(/state=[^&]+/, `state=${box.id}.guessed`))).status).toBe(422);
  expect(await box.end(query)).toMatchObject({ status: 200, body: { problem: null } });
  expect((await box.end(query)).body.errors).toEqual({ state: [expect.stringContaining("expired")] });
  const late = await provider.allows(await box.begin(), box.user);
  clock.advance(16 * 60_000);
  expect((await box.end(late)).status).toBe(422);
  // The person does not allow it.
  const state = new URL(await box.begin()).searchParams.get("state") ?? "";
  const denied = new URLSearchParams({ error: "access_denied", error_description: "No, thanks.", state });
  expect((await box.end(denied.toString())).body).toMatchObject({
    ...{ channel_id: box.id, problem: "refused", words: "access_denied: No, thanks." },
  });
  // A code that another browser was given for another sign-in is worth nothing here: PKCE.
  const [first, second] = [await provider.allows(await box.begin(), box.user), await box.begin()];
  const mixed = new URLSearchParams(first);
  mixed.set("state", new URL(second).searchParams.get("state") ?? "");
  expect((await box.end(mixed.toString())).body).toMatchObject({ problem: "refused" });
});

/** An app that needs no person. */
const service = () => {
  const { authorize_url: _, ...app } = provider.settings;
  return { ...app, grant: "service" };
};
/** A service account, by its key file. */
const serviceAccount = () => {
  const { client_id: _, client_secret: __, ...app } = service();
  return { ...app, private_key: JSON.stringify(provider.serviceAccount()) };
};

test.each([
  ["client credentials", service],
  ["the key of a service account", serviceAccount],
])("a mailbox is read, and replies leave, by %s: no person signs in", async (_by, oauth) => {
  provider.servesMailbox = nextUser();
  const box = await mailbox(oauth());
  await box.isIn("active");
  await box.isRead();
  dovecot.deliver(box.user, mailOf("Size 40?"));
  await expect.poll(box.subjects).toEqual(["Size 40?"]);
  const conversation_id = await box.conversation();
  const reply = (content: string) => box.acme.post("/messages", { conversation_id, content });
  const [first, second] = [`First ${box.user}`, `Second ${box.user}`];
  await reply(first);
  await expect.poll(() => taken.join("")).toContain(first);
  const row = await storage.first(grantOf, box.of);
  expect(openTokens(runtime.vault, box.of, String(row?.tokens_sealed))).toMatchObject({ refresh: null });
  // One that was taken back before its time was over is replaced at once.
  provider.revokesAccess();
  await reply(second);
  await expect.poll(() => taken.join("")).toContain(second);
  expect((await box.state()).state).toBe("active");
  expect((await box.abe.post(`/channels/${box.id}/sign-in`)).status).toBe(404);
});

test("a token without a person is kept until it is nearly over, and is of one mailbox and one secret", async () => {
  // Its account waits for a person: nothing else asks for these tokens.
  const box = await mailbox();
  provider.servesMailbox = box.user;
  const requests = createTokenRequests(
    createOutbound({ allowedNetworks: ["127.0.0.0/8"], extraCa: provider.ca }),
    clock.now,
  );
  const tokens = createMailboxTokens({ storage, runtime, timeouts: systemTimeouts, requests });
  const app = { ...service(), provider: "custom", grant: "service" } as const;
  const client = { app, secret: app.client_secret, service: { mailbox: box.user, privateKey: undefined } };
  const first = await tokens.take(box.of, client);
  const asked = provider.services(box.user);
  expect(await tokens.take(box.of, client)).toEqual({ ...first, isFresh: false });
  expect(provider.services(box.user)).toBe(asked);
  clock.advance(56 * 60_000);
  expect(await tokens.take(box.of, client)).toMatchObject({ isFresh: true });
  expect(provider.services(box.user)).toBe(asked + 1);
  const other = { ...client, service: { ...client.service, mailbox: "other" } };
  expect(await tokens.take(box.of, other)).toMatchObject({ isFresh: true });
  expect(await tokens.take(box.of, { ...client, secret: "wrong" })).toMatchObject({
    ...{ problem: "app", words: "invalid_client: No such app.", reason: { name: "token.service" } },
  });
  provider.answersWith = { status: 503, body: { error: "unavailable" } };
  clock.advance(2 * 3_600_000);
  expect(await tokens.take(box.of, client)).toMatchObject({ problem: "away" });
});

test("an app that was given no access says so, and works once it was, or its secret is right", async () => {
  provider.servesMailbox = "another";
  const box = await mailbox(serviceAccount());
  await box.isIn("needs-sign-in");
  expect((await box.state()).state_reason).toMatch(/refuse[sd].*what an administrator has allowed/);
  provider.servesMailbox = box.user;
  const check = async () =>
    (await box.acme.post(`/channels/${box.id}/check`)).body.data as { check: string; ok: boolean }[];
  expect((await check()).filter(({ ok }) => !ok)).toEqual([]);
  // What an administrator has done at the provider, no one here knows: an admin tries it again.
  await box.acme.patch(`/channels/${box.id}`, { state: "active" });
  await box.isIn("active");
  await box.isRead();
  const change = (oauth: object) => box.acme.patch(`/channels/${box.id}`, { settings: { oauth } });
  await change({ private_key: null, client_id: provider.settings.client_id, client_secret: "wrong" });
  await box.isIn("needs-sign-in");
  expect((await box.state()).settings.oauth).toMatchObject({ private_key_set: false, client_secret_set: true });
  await change({ client_secret: provider.settings.client_secret });
  await box.isIn("active");
});

test("it is tried before it is saved, and neither the trial nor the answers keep or show a secret", async () => {
  const box = await mailbox(service());
  provider.servesMailbox = box.user;
  const settings = { ...box.settings, address: "new@acme.example", oauth: serviceAccount() };
  const asked = { channel: "email", widget_id: box.acme.widgetId, settings };
  const grants = () => query(storage, `SELECT id FROM mail_grants WHERE team_id = '${box.acme.teamId}'`);
  const before = (await grants()).length;
  const { body } = await box.acme.post("/channels/check", asked);
  expect(body.data.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, true, true, true]);
  expect((await grants()).filter(({ id }) => id !== box.id)).toEqual([]);
  expect(before).toBeLessThanOrEqual(1);
  const made = await box.acme.post("/channels", asked);
  expect(made.body.data.attributes.settings.oauth).toEqual({
    ...{ provider: "custom", grant: "service", client_id: "desk@project.example", scope: provider.settings.scope },
    ...{ token_url: provider.settings.token_url, client_secret_set: false, private_key_set: true },
  });
  const line = provider.serviceAccount().private_key.split("\n")[1] ?? "";
  expect(line).toHaveLength(64);
  expect([JSON.stringify(made.body), await dump(storage)].filter((text) => text.includes(line))).toEqual([]);
});

test("Google is asked with a signed assertion alone, and Microsoft for what was allowed in the one tenant", async () => {
  const forms: [url: string, form: Record<string, string>][] = [];
  const { obtain } = createTokenRequests(
    {
      async post({ url, body }) {
        forms.push([url.href, Object.fromEntries(new URLSearchParams(String(body)))]);
        const answer = { access_token: "t", token_type: "Bearer", expires_in: 3_599 };
        const responseHead = { "content-type": "application/json" };
        return {
          outcome: "answered",
          status: 200,
          responseHead,
          responseBody: Buffer.from(JSON.stringify(answer)),
        } as never;
      },
    },
    clock.now,
  );
  const mailbox = "support@acme.example";
  const { client_email, private_key } = provider.serviceAccount();
  const google = { provider: "google", grant: "service", client_id: client_email } as const;
  expect(await obtain({ app: google, secret: undefined, service: { mailbox, privateKey: private_key } })).toMatchObject(
    {
      tokens: { access: "t", refresh: null, goodUntil: clock.now() + 3_599_000 },
    },
  );
  const microsoft = { provider: "microsoft", grant: "service", client_id: "a", tenant: "acme.example" } as const;
  await obtain({ app: microsoft, secret: "s", service: { mailbox, privateKey: undefined } });
  const [[tokenUrl, { assertion = "", ...rest }] = ["", {}], asked] = forms;
  expect([tokenUrl, rest]).toEqual([
    "https://oauth2.googleapis.com/token",
    { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer" },
  ]);
  expect(JSON.parse(Buffer.from(assertion.split(".")[1] ?? "", "base64url").toString())).toMatchObject({
    ...{ iss: client_email, sub: mailbox, aud: tokenUrl, scope: "https://mail.google.com/" },
  });
  expect(asked).toEqual([
    "https://login.microsoftonline.com/acme.example/oauth2/v2.0/token",
    {
      ...{ grant_type: "client_credentials", client_id: "a", client_secret: "s" },
      scope: "https://outlook.office365.com/.default",
    },
  ]);
});

test("the addresses of Google and Microsoft ask for mail, and for a token that can be renewed", async () => {
  const { signInUrl } = createTokenRequests({ post: () => Promise.reject(new Error("Not asked.")) }, clock.now);
  const asked = { redirectUri: "https://chat.test/back", state: "s", challenge: "c", mailbox: "support@acme.example" };
  const google = new URL(signInUrl({ provider: "google", client_id: "a" }, asked));
  expect(google.origin + google.pathname).toBe("https://accounts.google.com/o/oauth2/v2/auth");
  expect(Object.fromEntries(google.searchParams)).toEqual({
    ...{ response_type: "code", client_id: "a", redirect_uri: "https://chat.test/back", state: "s" },
    ...{ scope: "https://mail.google.com/", code_challenge: "c", code_challenge_method: "S256" },
    ...{ login_hint: "support@acme.example", access_type: "offline", prompt: "consent" },
  });
  const microsoft = new URL(signInUrl({ provider: "microsoft", client_id: "a", tenant: "acme.example" }, asked));
  expect(microsoft.origin + microsoft.pathname).toBe(
    "https://login.microsoftonline.com/acme.example/oauth2/v2.0/authorize",
  );
  expect(microsoft.searchParams.get("scope")).toBe(
    "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access",
  );
});

test("settings that lack something are refused by the field", async () => {
  const box = await mailbox();
  const change = async (settings: object) =>
    Object.keys((await box.acme.patch(`/channels/${box.id}`, { settings })).body.errors ?? {});
  expect(await change({ oauth: null })).toEqual(["settings.oauth"]);
  expect(await change({ inbound: { password: "x" } })).toEqual(["settings.inbound.password"]);
  expect(await change({ inbound: { auth: "password" } })).toEqual(["settings.inbound.password"]);
  expect(await change({ outbound: { username: null } })).toEqual(["settings.outbound.username"]);
  expect(await change({ oauth: { provider: "google" } })).toEqual(["settings.oauth.client_id"]);
  expect(await change({ oauth: { provider: "microsoft", client_id: "a", tenant: "a/b" } })).toEqual([
    "settings.oauth.tenant",
  ]);
  expect(await change({ oauth: { token_url: "http://localhost/token" } })).toEqual(["settings.oauth.token_url"]);
  expect(await change({ oauth: { authorize_url: "https://user:x@a.example/" } })).toEqual([
    "settings.oauth.authorize_url",
  ]);
  expect(await change({ oauth: { scope: "a\nb" } })).toEqual(["settings.oauth.scope"]);
  const without = (oauth: object) => change({ oauth: { grant: "service", ...oauth } });
  expect(await without({ provider: "google" })).toEqual(["settings.oauth.client_id", "settings.oauth.private_key"]);
  expect(await without({ provider: "google", private_key: "{}" })).toEqual([
    ...["settings.oauth.private_key", "settings.oauth.client_id"],
  ]);
  const microsoft = { provider: "microsoft", client_id: "a" };
  expect(await without({ ...microsoft, tenant: "acme.example" })).toEqual(["settings.oauth.client_secret"]);
  expect(await without({ ...microsoft, client_secret: "s" })).toEqual(["settings.oauth.tenant"]);
  expect(await without({ ...microsoft, client_secret: "s", tenant: "Common" })).toEqual(["settings.oauth.tenant"]);
  expect(await without({ client_secret: null })).toEqual(["settings.oauth.client_secret"]);
});
