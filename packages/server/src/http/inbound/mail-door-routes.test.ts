/** The HTTP door for raw mails, over real sockets. */
import { connect } from "node:net";
import { Readable } from "node:stream";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { createChannelAccount } from "../../channels/create-channel-account.ts";
import { ownLimits } from "../../limits/sliding-window.ts";
import { createStrangerBounds } from "../../limits/stranger-bounds.ts";
import { StorageUnavailable } from "../../storage/database.ts";
import { createHttpServer } from "../framework/http-server.ts";
import { mailDoorRoutes } from "./mail-door-routes.ts";

const { app, storage, team } = await startTestApp();
const acme = await team();
const { id: accountId } = await app.perform(acme.actor, createChannelAccount, {
  ...{ channel: "email", name: "Support", homeWidgetId: acme.widgetId, providerKey: "support@acme.example" },
  settings: { address: "support@acme.example" },
});
let isAway = false;
const http = createHttpServer({ logger: pino({ level: "silent" }), trustProxy: false, onAnswer: () => {} });
http.register(mailDoorRoutes, {
  accountOfDoorSecret: async (secret) => (secret === "known" ? { teamId: acme.teamId, accountId } : undefined),
  takeRawMail: (actor, content) => {
    if (isAway) throw new StorageUnavailable("The database is away.");
    return app.takeRawMail(actor, content);
  },
  bounds: createStrangerBounds({ limits: ownLimits(), factor: 1, uploadMaxBytes: 1_000_000 }),
});
const url = await http.listen({ host: "127.0.0.1", port: 0 });
afterAll(() => http.close());

const MAIL = "From: vera@vera.example\r\nMessage-ID: <door@vera.example>\r\n\r\nHello\r\n";

async function post(body: string | ReadableStream, { secret = "known", type = "message/rfc822" } = {}) {
  const stream = body instanceof ReadableStream ? { duplex: "half" as const } : {};
  const answer = await fetch(`${url}/inbound/email/${secret}`, {
    ...{ method: "POST", headers: { "content-type": type }, body, ...stream },
  });
  return { status: answer.status, body: (await answer.json()) as { message: string } };
}

const taken = async () =>
  (await query(storage, `SELECT key FROM mail_imports WHERE account_id = '${accountId}'`)).length;

test("a mail is 200 once it is committed, and again when it was known", async () => {
  expect(await post(MAIL)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
  expect((await post(MAIL, { type: "Message/RFC822; charset=utf-8" })).status).toBe(200);
  expect(await taken()).toBe(1);
});

test("an unknown address is 404, an empty body 400, another type 415, and 503 when it could not be stored", async () => {
  expect((await post(MAIL, { secret: "guessed" })).status).toBe(404);
  expect((await post("")).status).toBe(400);
  expect((await post(MAIL, { type: "text/plain" })).status).toBe(415);
  isAway = true;
  expect((await post(MAIL)).status).toBe(503);
  isAway = false;
});

test("a mail over 50 MB is 413, also when its length is not announced", async () => {
  const announced = connect(Number(new URL(url).port), "127.0.0.1");
  announced.write(
    `POST /inbound/email/known HTTP/1.1\r\nHost: x\r\nContent-Type: message/rfc822\r\nContent-Length: ${51 * 1_048_576}\r\n\r\n`,
  );
  const [head] = (await announced.take(1).toArray()) as Buffer[];
  expect(String(head)).toMatch(/^HTTP\/1.1 413 /);
  const piece = Buffer.alloc(1_048_576, "a");
  const pieces = Readable.from(Array.from({ length: 52 }, () => piece));
  expect((await post(Readable.toWeb(pieces) as ReadableStream)).status).toBe(413);
});

test("of a mail whose sender leaves before its end nothing is stored; the repeat comes in", async () => {
  const before = await taken();
  const cut = connect(Number(new URL(url).port), "127.0.0.1");
  const whole = MAIL.replace("<door@", "<cut@");
  cut.write(
    `POST /inbound/email/known HTTP/1.1\r\nHost: x\r\nContent-Type: message/rfc822\r\nContent-Length: ${whole.length}\r\n\r\n`,
  );
  cut.write(whole.slice(0, -5));
  await new Promise((done) => cut.once("ready", done));
  cut.destroy();
  expect((await post(whole)).status).toBe(200);
  expect(await taken()).toBe(before + 1);
});
