/** What the dashboard shows a mail with: its HTML, its images, and images of elsewhere. */
import { sharedAuthority } from "@frontdesk/testing/certificates";
import { namesOf, type Receiver, startReceiver, status } from "@frontdesk/testing/https-receiver";
import { PNG } from "@frontdesk/testing/sample-files";
import { query } from "@frontdesk/testing/second-app";
import { OWN_PAGE, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, onTestFinished, test } from "vitest";
import { mailRoom } from "../../email/out/mailbox-for-tests.ts";

const authority = sharedAuthority();
const { lookup } = namesOf({ "receiver.test": ["127.0.0.1"], "inside.receiver.test": ["10.0.0.1"] });
const loopback = { CHANNEL_ALLOWED_NETWORKS: "127.0.0.1", WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" };
const kit = await startTestApp(loopback, { extraCa: authority.ca, lookup, imageNetworks: ["127.0.0.0/8"] });
await kit.app.start();
const strict = await startTestApp(loopback, { extraCa: authority.ca, lookup });
await strict.app.start();

async function arrived(on: typeof kit, acme: TestTeam, raw: string): Promise<string> {
  const box = await mailRoom(on).mailbox(acme);
  await box.post(raw);
  const rows = () => query(on.storage, `SELECT message_id FROM mails WHERE account_id = '${box.id}'`);
  await expect.poll(async () => (await rows()).length).toBe(1);
  return String((await rows())[0]?.message_id);
}

const HTML = [
  "From: Vera <vera@vera.example>",
  "Subject: Photo",
  'Content-Type: multipart/related; boundary="b"',
  "",
  "--b\r\nContent-Type: text/html\r\n\r\n<p onclick=alert(1)>Look: <img src=cid:one></p>",
  `--b\r\nContent-Type: image/png\r\nContent-ID: <one>\r\nContent-Transfer-Encoding: base64\r\n\r\n${PNG.toString("base64")}`,
  '--b\r\nContent-Type: text/plain; name="notes.txt"\r\nContent-Disposition: attachment\r\n\r\nNotes',
  "--b--",
].join("\r\n");

test("the HTML of a mail is given as it came, with the images in it, which are no attachments", async () => {
  const acme = await kit.team();
  const id = await arrived(kit, acme, HTML);
  const mia = await signedIn(kit, acme);
  const { status, body, headers } = await mia.get(`/messages/${id}/html`);
  expect(status).toBe(200);
  expect(headers["content-type"]).toMatch(/^application\/json/);
  expect(body.html).toContain("<p onclick=alert(1)>Look: <img src=cid:one></p>");
  expect(body).toMatchObject({
    is_cut: false,
    images: [{ content_id: "one", url: `data:image/png;base64,${PNG.toString("base64")}` }],
  });
  const [row] = await query(kit.storage, `SELECT conversation_id FROM mails WHERE message_id = '${id}'`);
  const thread = await mia.get(`/inbox/conversations/${row?.conversation_id}/messages`);
  expect(thread.body.messages).toMatchObject([
    { id, mail: { has_html: true }, attachments: [{ name: "notes.txt", mime: "text/plain" }] },
  ]);
});

test("a mail without HTML has none to show, and a chat message is no mail", async () => {
  const acme = await kit.team();
  const id = await arrived(kit, acme, "From: vera@vera.example\r\n\r\nHello");
  const { messageId, conversationId } = await veraWrites(acme);
  const mia = await signedIn(kit, acme);
  for (const each of [id, messageId, "nothing"]) expect((await mia.get(`/messages/${each}/html`)).status).toBe(404);
  const { body } = await mia.get(`/inbox/conversations/${conversationId}/messages`);
  expect(body.messages[0]).not.toHaveProperty("mail");
  const [row] = await query(kit.storage, `SELECT conversation_id FROM mails WHERE message_id = '${id}'`);
  const thread = await mia.get(`/inbox/conversations/${row?.conversation_id}/messages`);
  expect(thread.body.messages).toMatchObject([{ mail: { has_html: false } }]);
  await acme.post(`/messages/${id}/redact`);
  const redacted = await mia.get(`/inbox/conversations/${row?.conversation_id}/messages`);
  expect(redacted.body.messages[0]).not.toHaveProperty("mail");
});

test("another team's mail, and a request without a session, get nothing", async () => {
  const [acme, other] = [await kit.team(), await kit.team()];
  const id = await arrived(kit, acme, HTML);
  const sam = await signedIn(kit, other);
  const image = `/messages/${id}/remote-image?url=${encodeURIComponent("https://receiver.test/a.png")}`;
  for (const path of [`/messages/${id}/html`, image]) {
    expect((await sam.get(path)).status).toBe(404);
    const answer = await kit.app.http.inject({
      url: `/app/api${path}`,
      headers: { ...OWN_PAGE, "x-api-key": acme.apiKey },
    });
    expect(answer.statusCode).toBe(401);
  }
});

async function receiver(): Promise<Receiver> {
  const started = await startReceiver({ authority });
  onTestFinished(() => started.close());
  return started;
}

/** Asks for an image as the dashboard does. */
async function imageAt(on: typeof kit) {
  const acme = await on.team();
  const id = await arrived(on, acme, HTML);
  const { cookie } = await signedIn(on, acme);
  return async (url: URL | string) => {
    const path = `/app/api/messages/${id}/remote-image?url=${encodeURIComponent(String(url))}`;
    const answer = await on.app.http.inject({ url: path, headers: { cookie, ...OWN_PAGE } });
    return { status: answer.statusCode, headers: answer.headers, content: answer.rawPayload };
  };
}

test("an image of elsewhere comes by us, and its host learns neither who reads it nor where", async () => {
  const there = await receiver();
  there.answers(status(200, { "Content-Type": "text/html", "Set-Cookie": "a=b" }, PNG));
  const ask = await imageAt(kit);
  const { status: code, headers, content } = await ask(there.url("/a b.png?id=1"));
  expect(code).toBe(200);
  expect(content.equals(PNG)).toBe(true);
  expect(headers).toMatchObject({
    "content-type": "image/png",
    "cache-control": "private, max-age=86400",
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
  });
  expect(headers["set-cookie"]).toBeUndefined();
  expect(there.received).toMatchObject([{ method: "GET", path: "/a%20b.png?id=1" }]);
  expect(Object.keys(there.received[0]?.headers ?? {}).toSorted()).toEqual(
    "accept accept-encoding connection host user-agent".split(" "),
  );
});

test("what is no image is not given, whatever its server says", async () => {
  const there = await receiver();
  const ask = await imageAt(kit);
  const image = { "Content-Type": "image/png" };
  for (const answer of [
    status(200, image, "<script>alert(1)</script>"),
    status(
      200,
      { "Content-Type": "image/svg+xml" },
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    ),
    status(200, image, Buffer.concat([PNG, Buffer.alloc(5 * 1_048_576)])),
    status(404, image, PNG),
  ]) {
    there.answers(answer);
    expect((await ask(there.url())).status).toBe(404);
  }
  expect((await ask("ftp://receiver.test/a.png")).status).toBe(422);
});

test("a redirect is followed a few times, and never to an address that is not public", async () => {
  const there = await receiver();
  const ask = await imageAt(kit);
  const to = (location: string | URL) => status(302, { Location: String(location) });
  there.answers(to("/next"), to(there.url("/last")), status(200, {}, PNG));
  expect((await ask(there.url("/first"))).status).toBe(200);
  expect(there.received.map(({ path }) => path)).toEqual(["/first", "/next", "/last"]);
  for (const location of [
    "http://169.254.169.254/latest/meta-data",
    "https://inside.receiver.test/",
    "https://redis/",
    "file:///etc/passwd",
  ]) {
    there.answers(to(location));
    expect((await ask(there.url())).status).toBe(404);
  }
  there.answers(to("/again"));
  expect((await ask(there.url())).status).toBe(404);
});

test("images never come from private networks, not even from those that webhooks may reach", async () => {
  const there = await receiver();
  const ask = await imageAt(strict);
  for (const url of [
    there.url(),
    `https://127.0.0.1:${there.port}/`,
    `https://localhost:${there.port}/`,
    "https://10.0.0.1/a.png",
  ])
    expect((await ask(url)).status).toBe(404);
  expect(there.connections.opened).toBe(0);
});
