/** The originals of mails (additions, section 1: GET /messages/{id}/original). */
import { query } from "@frontdesk/testing/second-app";
import { OWN_PAGE, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { mailRoom } from "../../email/out/mailbox-for-tests.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
await kit.app.start();
const { mailbox, reply, newest, isIn } = mailRoom(kit);

/** Bytes that no charset is declared for, as they come. */
const RAW = Buffer.concat([
  Buffer.from("From: Vera <vera@vera.example>\r\nMessage-ID: <raw@vera.example>\r\nSubject: Caf\xe9\r\n", "latin1"),
  Buffer.from("Content-Type: text/html\r\n\r\n<script>alert(1)</script>Size 40? \xff\x00", "latin1"),
]);

async function original(path: string, headers: Record<string, string>, method: "GET" | "HEAD" = "GET") {
  const answer = await kit.app.http.inject({ method, url: path, headers });
  return { status: answer.statusCode, headers: answer.headers, content: answer.rawPayload };
}
const byKey = (acme: TestTeam, id: string, method?: "HEAD") =>
  original(`/api/v1/messages/${id}/original`, { "x-api-key": acme.apiKey }, method);

/** The id of the message that the mail has become. */
async function arrived(acme: TestTeam): Promise<string> {
  const box = await mailbox(acme);
  await box.post(RAW);
  const rows = () => query(kit.storage, `SELECT message_id FROM mails WHERE team_id = '${acme.teamId}'`);
  await expect.poll(async () => (await rows()).length).toBe(1);
  return String((await rows())[0]?.message_id);
}

test("the mail that came in is given byte for byte, as a file in which a browser runs nothing", async () => {
  const acme = await kit.team();
  const id = await arrived(acme);
  const { status, headers, content } = await byKey(acme, id);
  expect(status).toBe(200);
  expect(content.equals(RAW)).toBe(true);
  expect(headers).toMatchObject({
    "content-type": "message/rfc822",
    "content-disposition": 'attachment; filename="original.eml"',
    "content-length": String(RAW.byteLength),
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-ratelimit-limit": "100000",
  });
  const head = await byKey(acme, id, "HEAD");
  expect([head.status, head.headers["content-length"], head.content.byteLength]).toEqual([
    ...[200, String(RAW.byteLength), 0],
  ]);
});

test("of our own mail it is what was sent", async () => {
  const acme = await kit.team();
  const box = await mailbox(acme);
  const conversation = await box.arrives();
  await reply(acme, conversation);
  await isIn(acme, conversation, "sent");
  const { id } = await newest(acme, conversation);
  const { content } = await byKey(acme, id);
  expect(content.toString("latin1")).toBe(box.smtp.mails[0]?.raw);
});

test("a chat message, an unknown one and another team's have none", async () => {
  const [acme, other] = [await kit.team(), await kit.team()];
  const id = await arrived(acme);
  const { messageId } = await veraWrites(acme);
  expect((await byKey(acme, messageId)).status).toBe(404);
  const unknown = await byKey(other, "nothing");
  const foreign = await byKey(other, id);
  expect([unknown.status, foreign.status]).toEqual([404, 404]);
  expect(foreign.content.equals(unknown.content)).toBe(true);
});

test("it takes the scope to read messages, or a signed-in agent of the team", async () => {
  const [acme, other] = [await kit.team({ scopes: ["contacts:read", "conversations:write"] }), await kit.team()];
  const [mia, sam] = [await signedIn(kit, acme), await signedIn(kit, other)];
  const reader = await kit.team({ scopes: ["channels:write", "conversations:read"] });
  const id = await arrived(reader);
  expect((await byKey(reader, id)).status).toBe(200);
  expect((await byKey(acme, id)).status).toBe(403);
  const url = `/app/api/v1/messages/${id}/original`;
  const own = await signedIn(kit, reader);
  expect((await original(url, { cookie: own.cookie, ...OWN_PAGE })).content.equals(RAW)).toBe(true);
  for (const { cookie } of [mia, sam]) expect((await original(url, { cookie, ...OWN_PAGE })).status).toBe(404);
  expect((await original(url, {})).status).toBe(401);
});

test("it is gone with the text of its message", async () => {
  const acme = await kit.team();
  const id = await arrived(acme);
  expect((await acme.post(`/messages/${id}/redact`)).status).toBe(200);
  const { status, content } = await byKey(acme, id);
  expect([status, JSON.parse(content.toString()).message]).toEqual([404, "This message has no original email."]);
});
