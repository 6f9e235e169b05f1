/** Mails that a mail server hands over by LMTP, over real sockets. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { freePort } from "@frontdesk/testing/free-port";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { CLOSED, connectLmtp } from "@frontdesk/testing/lmtp-client";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { createTransport } from "nodemailer";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createDrafts, filesFolder } from "../../files/drafts.ts";
import { StorageUnavailable } from "../../storage/database.ts";
import { systemTimeouts } from "../../timeouts.ts";
import type { TakeRawMail } from "../in/take-mail.ts";
import { createDelivery } from "./deliver-mail.ts";
import { findRecipient } from "./find-recipient.ts";
import { CONNECTIONS_MAX, createLmtpServer, STOP_MS } from "./lmtp-server.ts";

const { app, storage, dataDir, runtime, team } = await startTestApp();
const ACCEPTED = "250 2.1.5 Accepted";
const TAKEN = "250 2.6.0 The mail was taken";
const LATER = "451 4.3.0 The mail cannot be stored now";
const UNKNOWN = "550 5.1.1 There is no mailbox of this address";

type Parts = Partial<Parameters<typeof createLmtpServer>[0]> & {
  take?: TakeRawMail;
  drafts?: ReturnType<typeof createDrafts>;
};

/** A server on a port of its own, which stops with the test. */
async function listen({ take = app.takeRawMail, drafts = createDrafts(dataDir), ...more }: Parts = {}) {
  const server = createLmtpServer({
    ...{ host: "127.0.0.1", port: 0, timeouts: systemTimeouts, logger: pino({ level: "silent" }) },
    recipientOf: (address) => findRecipient(storage, address),
    deliver: createDelivery({ takeRawMail: take, drafts, newId: runtime.newId, onTrouble: () => {} }),
    ...more,
  });
  const port = await server.start();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= server.stop();
    return stopped;
  };
  onTestFinished(stop);
  return { port, stop, connect: () => connectLmtp(port) };
}

let written = 0;

async function mailbox(acme: TestTeam) {
  written += 1;
  const address = `support${written}@acme.example`;
  const { status, body } = await acme.post("/channels", {
    ...{ channel: "email", widget_id: acme.widgetId, settings: { address, inbound: { kind: "http" } } },
  });
  expect(status).toBe(201);
  const { id } = body.data;
  /** The mails that it has taken, with their messages. */
  const mails = () =>
    query(
      storage,
      `SELECT mail_imports.state, messages.content, messages.type FROM mail_imports
        LEFT JOIN messages ON messages.id = mail_imports.message_id WHERE mail_imports.account_id = '${id}'`,
    );
  return { id, address, mails };
}

/** A mail that is no other. */
function newMail(content = "Hello"): string {
  written += 1;
  return `From: vera@vera.example\r\nMessage-ID: <${written}@vera.example>\r\nSubject: Size 40?\r\n\r\n${content}\r\n`;
}

/** What is being received, on the disk. */
const leftDrafts = () => readdirSync(join(filesFolder(dataDir), "receiving"));

test("a mail is 250 once it is committed, and again when it is known; it is one message", async () => {
  const { address, mails } = await mailbox(await team());
  const { connect } = await listen();
  const client = await connect();
  expect(client.greeting).toMatch(/^220 frontdesk LMTP/);
  const mail = { to: [address], raw: newMail() };
  expect(await client.deliver(mail)).toEqual({ rcpt: [ACCEPTED], data: [TAKEN] });
  expect(await mails()).toHaveLength(1);
  expect(await client.deliver(mail)).toEqual({ rcpt: [ACCEPTED], data: [TAKEN] });
  await expect.poll(mails).toEqual([{ state: "imported", content: "Hello", type: "message" }]);
  expect(leftDrafts()).toEqual([]);
});

test("a mail to mailboxes of two teams is in both, and an address that is unknown is 550 alone", async () => {
  const [acme, globex] = [await mailbox(await team()), await mailbox(await team())];
  const { connect } = await listen();
  const to = [acme.address, "unknown@acme.example", "@", globex.address.toUpperCase().replace("@", "+shop@")];
  const { rcpt, data } = await (await connect()).deliver({ to, raw: newMail() });
  expect(rcpt).toEqual([ACCEPTED, UNKNOWN, expect.stringMatching(/^5\d\d /), ACCEPTED]);
  expect(data).toEqual([TAKEN, TAKEN]);
  for (const { mails } of [acme, globex]) await expect.poll(mails).toMatchObject([{ state: "imported" }]);
});

test("a mail program that speaks LMTP delivers", async () => {
  const { address, mails } = await mailbox(await team());
  const { port } = await listen();
  const sender = createTransport({ host: "127.0.0.1", port, lmtp: true });
  onTestFinished(() => sender.close());
  const envelope = { from: "vera@vera.example", to: [address, "unknown@acme.example"] };
  const { accepted, rejected } = await sender.sendMail({ envelope, raw: newMail(".\r\n..\r\nDots") });
  expect({ accepted, rejected }).toEqual({ accepted: [address], rejected: ["unknown@acme.example"] });
  await expect.poll(mails).toMatchObject([{ content: ".\r\n..\r\nDots".replaceAll("\r", "") }]);
});

test("while a mailbox is paused its mails are stored, and once it is deleted they are refused", async () => {
  const acme = await team();
  const { id, address, mails } = await mailbox(acme);
  const client = await (await listen()).connect();
  expect((await acme.patch(`/channels/${id}`, { state: "paused" })).status).toBe(200);
  expect((await client.deliver({ to: [address], raw: newMail() })).data).toEqual([TAKEN]);
  expect(await mails()).toMatchObject([{ state: "stored" }]);
  // Deleted between the recipient and the mail.
  await client.begin({ to: [address] });
  expect((await acme.delete(`/channels/${id}`)).status).toBe(200);
  await client.write(`${newMail()}.\r\n`);
  expect(await client.answer()).toBe(UNKNOWN);
  expect((await client.deliver({ to: [address], raw: newMail() })).rcpt).toEqual([UNKNOWN]);
});

test("the envelope is written in front of a mail, which an account gets once for all its addresses", async () => {
  const { address } = await mailbox(await team());
  const seen: string[] = [];
  const { connect } = await listen({
    async take(actor, content) {
      seen.push(await text(content));
      return app.takeRawMail(actor, Readable.from([Buffer.from(seen.at(-1) as string)]));
    },
  });
  const tagged = address.replace("@", "+r.abc@");
  const raw = newMail();
  const client = await connect();
  expect((await client.deliver({ from: "vera.@vera.example", to: [address, tagged], raw })).data).toEqual([
    TAKEN,
    TAKEN,
  ]);
  expect(seen).toEqual([
    `Return-Path: <vera.@vera.example>\r\nDelivered-To: ${address}\r\nDelivered-To: ${tagged}\r\n${raw}`,
  ]);
});

test("a mail without a sender in its envelope is automatic", async () => {
  const { address, mails } = await mailbox(await team());
  const client = await (await listen()).connect();
  await client.deliver({ from: "", to: [address], raw: newMail() });
  await expect.poll(mails).toMatchObject([{ state: "automatic", type: "system" }]);
});

test.each(["Message-ID: <both@vera.example>", "X-Mailer: one that writes no id"])(
  "a mail that came another way as well is one (%s)",
  async (header) => {
    const acme = await team();
    const { id, address, mails } = await mailbox(acme);
    const raw = `From: vera@vera.example\r\n${header}\r\n\r\nHello\r\n`;
    const fetched = Readable.from([Buffer.from(`Delivered-To: ${address}\r\nReceived: from a by b\r\n${raw}`)]);
    await app.takeRawMail({ kind: "channel", teamId: acme.teamId, accountId: id }, fetched);
    const client = await (await listen()).connect();
    expect((await client.deliver({ to: [address], raw })).data).toEqual([TAKEN]);
    expect(await mails()).toHaveLength(1);
  },
);

test("while the storage is away the answer is 451, for each recipient whose mail is not in; the repeat comes in", async () => {
  const acme = await team();
  const [one, two] = [await mailbox(acme), await mailbox(acme)];
  let away: string | undefined = two.id;
  const { connect } = await listen({
    take(actor, content) {
      if (actor.accountId === away) throw new StorageUnavailable("The database is away.");
      return app.takeRawMail(actor, content);
    },
  });
  const client = await connect();
  const mail = { to: [one.address, two.address], raw: newMail() };
  expect((await client.deliver(mail)).data).toEqual([TAKEN, LATER]);
  away = undefined;
  expect((await client.deliver(mail)).data).toEqual([TAKEN, TAKEN]);
  for (const { mails } of [one, two]) await expect.poll(mails).toMatchObject([{ state: "imported" }]);
});

test("a recipient that cannot be looked up and a disk that takes no files are 451", async () => {
  const { address } = await mailbox(await team());
  let isAway = true;
  const file = join(dataDir, "no-folder");
  writeFileSync(file, "");
  const { connect } = await listen({
    drafts: createDrafts(file),
    recipientOf(wanted) {
      if (isAway) return Promise.reject(new StorageUnavailable("The database is away."));
      return findRecipient(storage, wanted);
    },
  });
  const client = await connect();
  expect((await client.deliver({ to: [address], raw: newMail() })).rcpt).toEqual([LATER]);
  isAway = false;
  expect(await client.deliver({ to: [address], raw: newMail() })).toEqual({ rcpt: [ACCEPTED], data: [LATER] });
});

test("a mail over 50 MB is 552, announced or not, and the connection goes on; an empty one is 554", async () => {
  const { address, mails } = await mailbox(await team());
  const client = await (await listen()).connect();
  expect(await client.ask("LHLO mail.acme.example")).toMatch(/^250 /);
  expect(await client.ask("MAIL FROM:<vera@vera.example> SIZE=52428800")).toMatch(/^552 5\.3\.4 /);
  await client.begin({ to: [address] });
  const line = `${"a".repeat(70)}\r\n`;
  const piece = line.repeat(Math.ceil(1_048_576 / line.length));
  for (let sent = 0; sent < 50; sent += 1) await client.write(piece);
  await client.write(".\r\n");
  expect(await client.answer()).toMatch(/^552 5\.3\.4 /);
  expect((await client.deliver({ to: [address], raw: "" })).data).toEqual(["554 5.6.0 The mail is empty"]);
  expect(await mails()).toEqual([]);
  expect((await client.deliver({ to: [address], raw: newMail() })).data).toEqual([TAKEN]);
  expect(leftDrafts()).toEqual([]);
});

test("of a mail that is cut off nothing is kept; the repeat comes in", async () => {
  const { address, mails } = await mailbox(await team());
  const { connect } = await listen();
  const raw = newMail();
  const cut = await connect();
  await cut.begin({ to: [address] });
  await cut.write(raw);
  await expect.poll(leftDrafts).toHaveLength(1);
  cut.hangUp();
  await expect.poll(leftDrafts).toEqual([]);
  expect(await mails()).toEqual([]);
  expect((await (await connect()).deliver({ to: [address], raw })).data).toEqual([TAKEN]);
  expect(await mails()).toHaveLength(1);
});

test("a mail whose answer is lost is sent again, and is in once", async () => {
  const { address, mails } = await mailbox(await team());
  const stored = Promise.withResolvers<void>();
  const lost = Promise.withResolvers<void>();
  const { connect } = await listen({
    async take(actor, content) {
      const taken = await app.takeRawMail(actor, content);
      stored.resolve();
      await lost.promise;
      return taken;
    },
  });
  const raw = newMail();
  const client = await connect();
  await client.begin({ to: [address] });
  await client.write(`${raw}.\r\n`);
  await stored.promise;
  client.hangUp();
  expect(await client.answer()).toBe(CLOSED);
  lost.resolve();
  expect((await (await connect()).deliver({ to: [address], raw })).data).toEqual([TAKEN]);
  await expect.poll(mails).toMatchObject([{ state: "imported", content: "Hello" }]);
});

test("when the server stops, idle connections end at once, and a mail on its way comes in", async () => {
  const { address, mails } = await mailbox(await team());
  const { connect, stop, port } = await listen();
  const [idle, busy] = [await connect(), await connect()];
  await busy.begin({ to: [address] });
  const stopped = stop();
  expect(await idle.answer()).toBe("421 4.3.0 Frontdesk is stopping");
  expect(await idle.answer()).toBe(CLOSED);
  expect((await connectLmtp(port)).greeting).toBe(CLOSED);
  await busy.write(`${newMail()}.\r\n`);
  expect(await busy.answer()).toBe(TAKEN);
  expect(await busy.answer()).toBe("421 4.3.0 Frontdesk is stopping");
  await stopped;
  expect(await mails()).toHaveLength(1);
});

test("a mail that takes too long when the server stops is given up, and nothing of it is kept", async () => {
  const { address, mails } = await mailbox(await team());
  const timeouts = heldTimeouts();
  const { connect, stop } = await listen({ timeouts });
  const client = await connect();
  await client.begin({ to: [address] });
  await client.write(newMail());
  await expect.poll(leftDrafts).toHaveLength(1);
  const stopped = stop();
  timeouts.advance(STOP_MS);
  await stopped;
  expect(await client.answer()).toBe(LATER);
  expect(leftDrafts()).toEqual([]);
  expect(await mails()).toEqual([]);
});

test("an address named twice is asked for in another mail: the answers to a mail are as many as its recipients", async () => {
  const { address } = await mailbox(await team());
  const client = await (await listen()).connect();
  const { rcpt, data } = await client.deliver({ to: [address, address.toUpperCase()], raw: newMail() });
  expect(rcpt).toEqual([ACCEPTED, "451 4.3.0 The mail already has this recipient"]);
  expect(data).toEqual([TAKEN]);
});

test("connections beyond the bound are asked to come again, and those of public addresses are refused", async () => {
  const { connect } = await listen();
  const clients = await Promise.all(Array.from({ length: CONNECTIONS_MAX }, connect));
  expect((await connect()).greeting).toMatch(/^421 /);
  clients[0]?.hangUp();
  await expect.poll(async () => (await connect()).greeting).toMatch(/^220 /);
  const guarded = await listen({ isOutside: (address) => address === "127.0.0.1" });
  expect((await guarded.connect()).greeting).toBe("421 Mails are taken from private networks only");
});

test("a silent client, one with an endless command and one without LMTP are disconnected", async () => {
  const silent = await (await listen({ idleMs: 500 })).connect();
  expect(await silent.answer()).toMatch(/^421 4\.4\.2 Timeout/);
  const { connect } = await listen();
  const endless = await connect();
  expect(await endless.ask("LHLO ".padEnd(3_000, "x"))).toMatch(/^421 /);
  const browser = await connect();
  expect(await browser.ask("POST / HTTP/1.1")).toMatch(/^421 /);
  const other = await connect();
  expect(await other.ask("EHLO mail.acme.example")).toMatch(/^500 /);
  for (const command of ["AUTH PLAIN", "STARTTLS", "HELP", "WIZ me"]) expect(await other.ask(command)).toMatch(/^500 /);
});

test("with LMTP_PORT the service takes mails until it stops", async () => {
  const port = await freePort();
  const kit = await startTestApp({ LMTP_PORT: `${port}` });
  const acme = await kit.team();
  const settings = { address: "support@acme.example", inbound: { kind: "http" } };
  await acme.post("/channels", { channel: "email", widget_id: acme.widgetId, settings });
  await kit.app.start();
  const client = await connectLmtp(port);
  expect((await client.deliver({ to: ["support@acme.example"], raw: newMail() })).data).toEqual([TAKEN]);
  const total = async () => (await acme.get("/conversations/all")).body.meta.pagination.total;
  await expect.poll(total).toBe(1);
  const other = createLmtpServer({
    ...{ host: "127.0.0.1", port, timeouts: systemTimeouts, logger: pino({ level: "silent" }) },
    ...{ recipientOf: async () => undefined, deliver: async () => [] },
  });
  await expect(other.start()).rejects.toThrow(/^127\.0\.0\.1:\d+ is already in use .* LMTP_PORT\.$/);
  await kit.app.close();
  expect(await client.answer()).toBe("421 4.3.0 Frontdesk is stopping");
  expect((await connectLmtp(port)).greeting).toBe(CLOSED);
});
