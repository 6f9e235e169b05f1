/** E-mail accounts over REST. */
import { freePort } from "@frontdesk/testing/free-port";
import { startMailServer } from "@frontdesk/testing/mail-server";
import { dump, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventNamesOf } from "@frontdesk/testing/vera";
import { afterAll, expect, test } from "vitest";
import { accountOfDoorSecret } from "../../channels/door-secret.ts";
import { ownAddresses } from "../../email/own-addresses.ts";

const { storage, team } = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const mail = await startMailServer();
afterAll(mail.stop);

let mailboxes = 0;
const newAddress = () => `support${++mailboxes}@acme.test`;
const imap = {
  kind: "imap",
  host: "127.0.0.1",
  port: 9,
  security: "tls",
  username: "ada",
  password: "a river at night",
};
const smtp = { host: "127.0.0.1", port: mail.port, security: "none" };
const byImap = (address = newAddress()) => ({ address, inbound: imap });
const byHttp = (address = newAddress()) => ({ address, inbound: { kind: "http" } });
const connect = (acme: TestTeam, settings: object, more: object = {}) =>
  acme.post("/channels", { channel: "email", widget_id: acme.widgetId, settings, ...more });

test("a mailbox is connected with defaults, and its password is never answered", async () => {
  const acme = await team();
  const { status, body } = await connect(acme, byImap("Support@ACME.test"), { name: "Support" });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    type: "channels",
    attributes: {
      ...{ channel: "email", name: "Support", widget_id: acme.widgetId, state: "active", state_reason: null },
      ...{ address: "Support@acme.test", callback_url: null, last_received_at: null, last_sent_at: null },
    },
  });
  const { password: _, ...shown } = imap;
  expect(body.data.attributes.settings).toEqual({
    ...{ address: "Support@acme.test", display_name: null, outbound: null, oauth: null },
    ...{ aliases: [], form_senders: [] },
    inbound: {
      ...{ ...shown, auth: "password", password_set: true, folder: "INBOX" },
      ...{ after_import: "leave", sent_folder: true },
    },
    ...{ plus_addressing: true, hold_seconds: 10, pace: 30, daily_limit: 400, reopen_days: null },
    ...{ authserv_id: null, acknowledgement: null },
  });
  expect((await acme.get(`/channels/${body.data.id}`)).body.data).toEqual(body.data);
  const list = (await acme.get("/channels")).body;
  expect(list.data).toEqual([body.data]);
  expect(list.meta.pagination.total).toBe(1);
  expect(JSON.stringify([body, list])).not.toContain(imap.password);
  expect(await dump(storage)).not.toContain(imap.password);
  const [line, ...more] = await query(
    storage,
    `SELECT what FROM audit_log WHERE action = 'create-channel' AND team_id = '${acme.teamId}'`,
  );
  expect(more).toEqual([]);
  expect(JSON.parse(String(line?.what))).toMatchObject({ channel: { id: body.data.id, name: "Support" } });
});

test("a mailbox for posted mails has a callback address that leads to it, until it is deleted", async () => {
  const acme = await team();
  const { body } = await connect(acme, byHttp());
  const url = body.data.attributes.callback_url as string;
  expect(url).toMatch(/^https:\/\/chat\.test\/inbound\/email\/[\w-]{43}$/);
  const secret = url.split("/").at(-1) ?? "";
  const found = () => storage.read((db) => accountOfDoorSecret(db, secret));
  expect(await found()).toEqual({ teamId: acme.teamId, accountId: body.data.id });
  expect(await dump(storage)).not.toContain(secret);
  expect((await acme.delete(`/channels/${body.data.id}`)).status).toBe(200);
  expect(await found()).toBeUndefined();
  expect((await acme.get(`/channels/${body.data.id}`)).status).toBe(404);
  expect((await acme.delete(`/channels/${body.data.id}`)).status).toBe(404);
});

test("an address is connected once in all teams, whatever its case, and is free after DELETE", async () => {
  const [acme, sams] = [await team(), await team()];
  const address = newAddress();
  const { body } = await connect(acme, byHttp(address));
  for (const one of [acme, sams]) {
    const again = await connect(one, byHttp(address.toUpperCase()));
    expect({ status: again.status, fields: Object.keys(again.body.errors) }).toEqual({
      status: 422,
      fields: ["settings.address"],
    });
  }
  await acme.delete(`/channels/${body.data.id}`);
  expect((await connect(sams, byHttp(address))).status).toBe(201);
});

test("agents hear when a channel is connected, changed, paused, resumed and deleted, and of no change that changes nothing", async () => {
  const acme = await team();
  let id = "";
  const created = await eventNamesOf(acme, async () => {
    id = (await connect(acme, byHttp())).body.data.id;
  });
  const heard = (change: object) => eventNamesOf(acme, () => acme.patch(`/channels/${id}`, change));
  expect(created).toEqual(["channel.created"]);
  expect(await heard({ settings: { hold_seconds: 7 } })).toEqual(["channel.updated"]);
  expect(await heard({ name: "Desk" })).toEqual(["channel.updated"]);
  expect(await heard({ state: "paused", settings: { hold_seconds: 8 } })).toEqual(["channel.updated"]);
  expect((await acme.events()).at(-1)?.data).toEqual({ channel: { id, channel: "email", state: "paused" } });
  expect(await heard({ state: "paused", name: "Desk" })).toEqual([]);
  expect(await heard({ state: "active" })).toEqual(["channel.updated"]);
  expect(await eventNamesOf(acme, () => acme.delete(`/channels/${id}`))).toEqual(["channel.deleted"]);
});

test("a change is merged field by field, keeps what it does not name, and null removes a password", async () => {
  const acme = await team();
  const path = `/channels/${(await connect(acme, { ...byImap(), hold_seconds: 5 })).body.data.id}`;
  const changed = await acme.patch(path, { settings: { inbound: { port: 10 }, pace: 60 }, name: "Desk" });
  expect(changed.body.data.attributes).toMatchObject({
    name: "Desk",
    settings: { hold_seconds: 5, pace: 60, inbound: { port: 10, host: imap.host, password_set: true } },
  });
  const removed = await acme.patch(path, { settings: { inbound: { password: null } } });
  expect(removed.body.data.attributes.settings.inbound).toMatchObject({ port: 10, password_set: false });
  const outbound = { ...smtp, username: "ada", password: "a river at night" };
  const sends = await acme.patch(path, { settings: { outbound } });
  expect(sends.body.data.attributes.settings.outbound).toEqual({
    ...{ ...smtp, username: "ada", auth: "password", password_set: true },
  });
  const replaced = await acme.patch(path, { settings: { inbound: { kind: "http" }, outbound: null } });
  expect(replaced.body.data.attributes.settings).toMatchObject({ inbound: { kind: "http" }, outbound: null });
  expect(replaced.body.data.attributes.callback_url).toContain("/inbound/email/");
  expect((await acme.patch(path, { state: "paused" })).body.data.attributes.state).toBe("paused");
  expect((await acme.patch(path, {})).status).toBe(422);
});

test.each<[string, object, string[]]>([
  ["nothing", {}, ["settings.address", "settings.inbound"]],
  [
    "no server",
    { address: "a@acme.test", inbound: { kind: "imap" } },
    ["host", "port", "security", "username", "password"].map((name) => `settings.inbound.${name}`),
  ],
  ["a private host", { ...byImap("a@acme.test"), inbound: { ...imap, host: "10.0.0.1" } }, ["settings.inbound.host"]],
  ["a local name", { ...byImap("a@acme.test"), inbound: { ...imap, host: "redis" } }, []],
  ["a number for a host", { ...byImap("a@acme.test"), inbound: { ...imap, host: "127.1" } }, ["settings.inbound.host"]],
  [
    "no encryption",
    { ...byImap("a@acme.test"), inbound: { ...imap, host: "1.1.1.1", security: "none" } },
    ["settings.inbound.security"],
  ],
  ["a port of 0", { ...byImap("a@acme.test"), inbound: { ...imap, port: 0 } }, ["settings.inbound.port"]],
  [
    "a line break",
    { ...byImap("a@acme.test"), inbound: { ...imap, username: "a\r\nb" } },
    ["settings.inbound.username"],
  ],
  ["a long hold", { ...byHttp("a@acme.test"), hold_seconds: 61 }, ["settings.hold_seconds"]],
  ["an alias that is none", { ...byHttp("a@acme.test"), aliases: ["b@acme.test", "sales"] }, ["settings.aliases"]],
  [
    "a sender of forms that is none",
    { ...byHttp("a@acme.test"), form_senders: ["a b@x.y"] },
    ["settings.form_senders"],
  ],
  [
    "too many aliases",
    { ...byHttp("a@acme.test"), aliases: Array.from({ length: 51 }, (_, n) => `a${n}@acme.test`) },
    ["settings.aliases"],
  ],
  [
    "a name without password",
    { ...byHttp("a@acme.test"), outbound: { ...smtp, username: "a" } },
    ["settings.outbound.password"],
  ],
])("%s is refused with the paths of the fields", async (_what, settings, fields) => {
  const acme = await team();
  const answer = await acme.post("/channels/check", { channel: "email", widget_id: acme.widgetId, settings });
  expect(Object.keys(answer.body.errors ?? {})).toEqual(fields);
  expect(answer.status).toBe(fields.length > 0 ? 422 : 200);
});

test("other addresses of a mailbox are stored as they are compared, each once, and a wrong one is named", async () => {
  const acme = await team();
  const path = `/channels/${(await connect(acme, byHttp())).body.data.id}`;
  const change = (settings: object) => acme.patch(path, { settings });
  const shown = (await change({ aliases: [" Sales@ACME.test", "sales@acme.test"], form_senders: ["wp@web.test"] }))
    .body;
  expect(shown.data.attributes.settings).toMatchObject({ aliases: ["Sales@acme.test"], form_senders: ["wp@web.test"] });
  const refused = await change({ aliases: ["sales@acme.test", "sales", "a\r\nb@acme.test"] });
  expect(refused.body.errors).toEqual({
    "settings.aliases": ["These are not email addresses: sales, a  b@acme.test."],
  });
  const cleared = await change({ aliases: [] });
  expect(cleared.body.data.attributes.settings).toMatchObject({ aliases: [], form_senders: ["wp@web.test"] });
});

test("a check signs in to real servers, says what to do, and saves nothing", async () => {
  const acme = await team();
  const works = await acme.post("/channels/check", {
    ...{ channel: "email", widget_id: acme.widgetId },
    settings: { ...byHttp(), outbound: smtp },
  });
  expect(works.body.data).toEqual([
    { check: "callback", ok: true, message: expect.any(String) },
    { check: "smtp-connection", ok: true, message: "127.0.0.1 accepts connections." },
  ]);
  const port = await freePort();
  const { body } = await connect(acme, { ...byImap(), inbound: { ...imap, port } });
  const fails = await acme.post(`/channels/${body.data.id}/check`);
  expect(fails.body.data[0]).toEqual({
    ...{ check: "imap-connection", ok: false },
    message: `127.0.0.1 refuses connections on port ${port}. Check the host and the port.`,
  });
  expect((await acme.get("/channels")).body.meta.pagination.total).toBe(1);
});

test("the addresses of a team's mailboxes, and their aliases, are its own", async () => {
  const acme = await team();
  const [first, second] = [newAddress(), newAddress()];
  await connect(acme, { ...byHttp(first), aliases: ["Sales@acme.test"] });
  const { body } = await connect(acme, byHttp(second));
  await acme.delete(`/channels/${body.data.id}`);
  const own = await storage.read((db) => ownAddresses({ db, teamId: acme.teamId }));
  expect([...own]).toEqual([first, "sales@acme.test"]);
});

test("reading needs channels:read, changing channels:write; another team's account is as one that is none", async () => {
  const [reader, writer, sams] = [
    await team({ scopes: ["channels:read"] }),
    await team({ scopes: ["channels:write"] }),
    await team(),
  ];
  const { id } = (await connect(writer, byHttp())).body.data;
  expect((await connect(reader, byHttp())).status).toBe(403);
  expect((await reader.get("/channels")).status).toBe(200);
  expect((await writer.get("/channels")).status).toBe(403);
  for (const unknown of [id, "nonsense", sams.widgetId]) {
    expect((await sams.get(`/channels/${unknown}`)).status).toBe(404);
    expect((await sams.patch(`/channels/${unknown}`, { name: "Mine" })).status).toBe(404);
    expect((await sams.delete(`/channels/${unknown}`)).status).toBe(404);
    expect((await sams.post(`/channels/${unknown}/check`)).status).toBe(404);
  }
});

test("a repeat with the same idempotency key answers the same account", async () => {
  const acme = await team();
  const asked = { channel: "email", widget_id: acme.widgetId, settings: byHttp() };
  const first = await acme.post("/channels", asked, { "idempotency-key": "once" });
  const again = await acme.post("/channels", asked, { "idempotency-key": "once" });
  expect(again.status).toBe(201);
  expect(again.body).toEqual(first.body);
});
