/** Replies and first mails, from the request to a mail server and back (reference: B12, B17, B18, B27, B28, B35; F8, F14, F18, F19). */
import { readMail } from "@frontdesk/testing/mail-server";
import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { type SmtpScript, startScriptedSmtp } from "@frontdesk/testing/scripted-smtp";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { describe, expect, onTestFinished, test } from "vitest";

const { app, storage, team, clock } = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
await app.start();
const MINUTE = 60_000;
let written = 0;

interface Mail {
  from?: string;
  to?: string;
  cc?: string;
  more?: string[];
  text?: string;
}

/** A mailbox whose mails are posted, and a mail server that takes replies as the script says. */
async function mailbox(acme: TestTeam, script: SmtpScript = {}, settings: object = {}) {
  const smtp = await startScriptedSmtp(script);
  onTestFinished(() => smtp.close());
  const address = `support${++written}@acme.example`;
  const outbound = { host: "127.0.0.1", port: smtp.port, security: "none", username: "ada", password: "secret" };
  const { status, body } = await acme.post("/channels", {
    ...{ channel: "email", widget_id: acme.widgetId },
    settings: { address, inbound: { kind: "http" }, outbound, ...settings },
  });
  expect(status).toBe(201);
  const { id, attributes } = body.data;
  const path = new URL(attributes.callback_url).pathname;

  const post = async (raw: string) => {
    const headers = { "content-type": "message/rfc822" };
    const answer = await app.http.inject({ method: "POST", url: path, headers, payload: Buffer.from(raw) });
    expect(answer.statusCode).toBe(200);
  };

  /** Posts a mail, and waits until it is a message. Resolves to its conversation. */
  async function arrives({
    from = "Vera <vera@vera.example>",
    to = address,
    cc,
    more = [],
    text = "Hello",
  }: Mail = {}) {
    const content = `${text} ${++written}`;
    const lines = [`From: ${from}`, `To: ${to}`, ...(cc ? [`Cc: ${cc}`] : []), ...more];
    const ids = more.some((line) => line.startsWith("Message-ID:")) ? [] : [`Message-ID: <in-${written}@vera.example>`];
    const subject = more.some((line) => line.startsWith("Subject:")) ? [] : ["Subject: Size 40?"];
    const raw = [...lines, ...ids, ...subject, "", content].join("\r\n");
    await post(raw);
    const found = () =>
      query(
        storage,
        `SELECT conversation_id FROM messages WHERE team_id = '${acme.teamId}' AND content LIKE '${content}%'`,
      );
    await expect.poll(async () => (await found()).length).toBe(1);
    return String((await found())[0]?.conversation_id);
  }
  return { id, address, smtp, post, arrives };
}

const reply = (acme: TestTeam, conversation_id: string, more: object = {}) =>
  acme.post("/messages", { conversation_id, content: "Yes, in stock.", ...more });

/** The newest message with its delivery. */
async function newest(acme: TestTeam, conversationId: string) {
  const { body } = await acme.get(`/conversations/${conversationId}/messages?include_fields=content,type,delivery`);
  return body.data[0] as { id: string; attributes: { content: string; delivery: Delivery | null } };
}
interface Delivery {
  state: string;
  reason: string | null;
  attempts: { state: string; reason: string | null }[];
  recipients: { address: string; state: string; reason: string | null }[];
}
const deliveryOf = async (acme: TestTeam, id: string) => (await newest(acme, id)).attributes.delivery;
const isIn = (acme: TestTeam, id: string, state: string) =>
  expect.poll(async () => (await deliveryOf(acme, id))?.state).toBe(state);
const countMessages = (acme: TestTeam) =>
  query(storage, `SELECT count(*) AS n FROM messages WHERE team_id = '${acme.teamId}'`).then(([row]) => Number(row?.n));

describe("a reply", () => {
  test("goes to everybody who was in the mail, in its thread, and an answer to it comes back there", async () => {
    const acme = await team();
    const box = await mailbox(acme);
    const id = await box.arrives({
      to: `${box.address}, Will <will@will.example>`,
      cc: "boss@vera.example",
      more: ["Message-ID: <asked@vera.example>", "References: <earlier@vera.example>"],
    });
    const sent = await reply(acme, id);
    expect(sent.status).toBe(201);
    await isIn(acme, id, "sent");
    const [mail] = box.smtp.mails;
    expect(mail).toMatchObject({
      from: box.address,
      to: ["boss@vera.example", "vera@vera.example", "will@will.example"],
    });
    const read = readMail({ raw: mail?.raw ?? "" });
    expect(read.header("From")).toMatch(new RegExp(`^"?Ada \\(.*\\)"? <${box.address}>$`));
    expect(read.header("To")).toBe("Vera <vera@vera.example>");
    expect(read.header("Cc")).toBe("Will <will@will.example>, boss@vera.example");
    expect(read.header("Subject")).toBe("Re: Size 40?");
    expect(read.header("In-Reply-To")).toBe("<asked@vera.example>");
    expect(read.header("References")).toBe(
      `<conversation.${id}@acme.example> <earlier@vera.example> <asked@vera.example>`,
    );
    expect(read.part("text/plain")).toMatch(/^Yes, in stock\.\n\nOn .* Vera wrote:\n> Hello/);
    expect((await deliveryOf(acme, id))?.recipients).toEqual([
      { address: "boss@vera.example", state: "sent", reason: null },
      { address: "vera@vera.example", state: "sent", reason: null },
      { address: "will@will.example", state: "sent", reason: null },
    ]);

    // By the token alone, as when a relay has replaced the ids; and by the id alone, as when plus tags are stripped.
    const replyTo = read.header("Reply-To") ?? "";
    expect(replyTo).toMatch(/^support\d+\+r\.[a-z2-7]{26}@acme\.example$/);
    expect(await box.arrives({ to: replyTo })).toBe(id);
    expect(await box.arrives({ more: [`In-Reply-To: ${read.header("Message-ID")}`] })).toBe(id);
    expect(
      await box.arrives({ from: "mallory@evil.example", more: [`In-Reply-To: ${read.header("Message-ID")}`] }),
    ).not.toBe(id);
    // What has gone out is never taken in.
    expect((await acme.events()).filter(({ name }) => name === "message.sent")).toHaveLength(1);
  });

  test("carries our own files, and links to others", async () => {
    const acme = await team();
    const box = await mailbox(acme);
    const id = await box.arrives();
    const upload = await app.http.inject({
      method: "POST",
      url: "/api/v1/files?name=offer.txt",
      headers: { "x-api-key": acme.apiKey, "content-type": "text/plain" },
      payload: "Our offer",
    });
    const { url } = upload.json().data.attributes;
    const elsewhere = { url: "https://files.acme.test/terms.pdf", name: "Terms" };
    expect((await reply(acme, id, { attachments: [{ url }, elsewhere] })).status).toBe(201);
    await isIn(acme, id, "sent");
    const raw = box.smtp.mails[0]?.raw ?? "";
    expect(raw).toContain("filename=offer.txt");
    expect(raw).toContain(Buffer.from("Our offer").toString("base64"));
    expect(raw).toContain("Terms: https://files.acme.test/terms.pdf");
  });

  test("is tried again when the server asks for it, with the same bytes", async () => {
    const acme = await team();
    const box = await mailbox(acme, { dot: "451 4.3.0 Try again later" });
    const id = await box.arrives();
    await reply(acme, id);
    await expect.poll(() => box.smtp.mails.length).toBe(1);
    await isIn(acme, id, "queued");
    expect((await deliveryOf(acme, id))?.recipients).toEqual([
      { address: "vera@vera.example", state: "queued", reason: "451 4.3.0 Try again later" },
    ]);
    box.smtp.plays({});
    clock.advance(3 * MINUTE);
    await isIn(acme, id, "sent");
    const [first, second] = box.smtp.mails;
    expect(second?.raw).toBe(first?.raw);
    expect((await deliveryOf(acme, id))?.attempts.map(({ state }) => state)).toEqual(["delayed", "sent"]);
  });

  test("that one recipient does not get has failed, and goes again to that one alone", async () => {
    const acme = await team();
    const box = await mailbox(acme, { rcpt: { "will@will.example": "550 5.1.1 No such user" } });
    const id = await box.arrives({ cc: "will@will.example" });
    await reply(acme, id);
    await isIn(acme, id, "failed");
    expect(await deliveryOf(acme, id)).toMatchObject({
      reason: "550 5.1.1 No such user",
      recipients: [
        { address: "vera@vera.example", state: "sent", reason: null },
        { address: "will@will.example", state: "failed", reason: "550 5.1.1 No such user" },
      ],
    });
    box.smtp.plays({});
    const { id: messageId } = await newest(acme, id);
    const again = await acme.post(`/messages/${messageId}/send-again`);
    expect(again).toMatchObject({
      status: 200,
      body: {
        message: "The message is queued for sending.",
        data: { id: messageId, attributes: { delivery: { state: "queued" } } },
      },
    });
    await isIn(acme, id, "sent");
    const [first, second] = box.smtp.mails;
    expect(second).toEqual({ ...first, to: ["will@will.example"] });
    expect((await deliveryOf(acme, id))?.attempts).toHaveLength(2);
    // It has arrived: there is nothing to send again.
    expect((await acme.post(`/messages/${messageId}/send-again`)).status).toBe(422);
    for (const none of NO_IDS)
      expect((await acme.post(`/messages/${encodeURIComponent(none)}/send-again`)).status).toBe(404);
  });

  test("whose connection is lost after the final dot is unknown, and is sent once more after ten minutes", async () => {
    const acme = await team();
    const box = await mailbox(acme, { dot: "close" });
    const id = await box.arrives();
    await reply(acme, id);
    await isIn(acme, id, "unknown");
    expect((await deliveryOf(acme, id))?.reason).toBe("The connection was lost after the mail was handed over.");
    clock.advance(11 * MINUTE);
    await expect.poll(() => box.smtp.mails.length).toBe(2);
    await expect.poll(async () => (await deliveryOf(acme, id))?.attempts.length).toBe(2);
    const [first, second] = box.smtp.mails;
    expect(second).toEqual(first);
    clock.advance(48 * 60 * MINUTE);
    expect(await reply(acme, await box.arrives())).toMatchObject({ status: 201 });
    await expect.poll(() => box.smtp.mails.length).toBe(3);
    expect(box.smtp.mails.filter(({ raw }) => raw === first?.raw)).toHaveLength(2);
    await isIn(acme, id, "unknown");
  });

  test("waits while the server refuses the password, and leaves when it was changed", async () => {
    const acme = await team();
    const box = await mailbox(acme, { auth: "535 5.7.8 Bad credentials" });
    const channel = async () => (await acme.get(`/channels/${box.id}`)).body.data.attributes;
    // Tried when it was connected.
    await expect.poll(async () => (await channel()).state).toBe("needs-sign-in");
    const id = await box.arrives();
    const before = await countMessages(acme);
    expect(await reply(acme, id)).toMatchObject({
      status: 422,
      body: { errors: { conversation_id: ["This channel must be signed in to again. An admin can do that."] } },
    });
    expect(await countMessages(acme)).toBe(before);
    box.smtp.plays({});
    await acme.patch(`/channels/${box.id}`, { settings: { outbound: { password: "the new one" } } });
    await expect.poll(async () => (await channel()).state).toBe("active");
    box.smtp.plays({ auth: "535 5.7.8 Bad credentials" });
    expect((await reply(acme, id)).status).toBe(201);
    await expect.poll(async () => (await channel()).state).toBe("needs-sign-in");
    await isIn(acme, id, "queued");
    box.smtp.plays({});
    await acme.patch(`/channels/${box.id}`, { settings: { outbound: { password: "another one" } } });
    await expect.poll(async () => (await channel()).state).toBe("active");
    clock.advance(6 * MINUTE);
    await isIn(acme, id, "sent");
    expect(box.smtp.mails).toHaveLength(1);
  });

  test("is refused where nothing can be sent, and nothing of it is stored", async () => {
    const acme = await team();
    const box = await mailbox(acme);
    const id = await box.arrives();
    const without = await mailbox(acme, {}, { outbound: null });
    const noServer = await without.arrives();
    await acme.patch(`/channels/${box.id}`, { state: "paused" });
    const before = await countMessages(acme);
    const refused = async (conversationId: string, text: string) =>
      expect(await reply(acme, conversationId)).toMatchObject({
        status: 422,
        body: { errors: { conversation_id: [expect.stringContaining(text)] } },
      });
    await refused(id, "paused");
    await refused(noServer, "no mail server");
    await acme.patch(`/channels/${box.id}`, { state: "active" });
    await query(
      storage,
      `INSERT INTO mail_suppressions (team_id, account_id, address, reason, created_at)
       VALUES ('${acme.teamId}', '${box.id}', 'vera@vera.example', '550 5.1.1', 0)`,
    );
    await refused(id, "bounced");
    await acme.delete(`/channels/${box.id}`);
    await refused(id, "deleted");
    expect(await countMessages(acme)).toBe(before);
    expect(box.smtp.mails).toEqual([]);
    // A note is no reply.
    expect((await reply(acme, id, { type: "note" })).status).toBe(201);
    expect((await newest(acme, id)).attributes.delivery).toBeNull();
  });

  test("that waits fails with its channel, and says so", async () => {
    const acme = await team();
    const box = await mailbox(acme, { dot: "451 4.3.0 Try again later" });
    const id = await box.arrives();
    await reply(acme, id);
    await expect.poll(() => box.smtp.mails.length).toBe(1);
    await isIn(acme, id, "queued");
    clock.advance(1_000);
    await acme.delete(`/channels/${box.id}`);
    expect(await deliveryOf(acme, id)).toMatchObject({ state: "failed" });
    const attempts = (await deliveryOf(acme, id))?.attempts;
    expect(attempts?.at(-1)).toMatchObject({ state: "failed", reason: "The channel has been deleted." });
  });

  test("leaves no faster than the pace of its account", async () => {
    const acme = await team();
    const box = await mailbox(acme, {}, { pace: 2 });
    const ids = [
      await box.arrives({ from: "a@a.example" }),
      await box.arrives({ from: "b@b.example" }),
      await box.arrives({ from: "c@c.example" }),
    ];
    for (const id of ids) await reply(acme, id);
    await expect.poll(() => box.smtp.mails.length).toBe(2);
    const states = () => Promise.all(ids.map(async (id) => (await deliveryOf(acme, id))?.state));
    await expect.poll(async () => (await states()).toSorted()).toEqual(["queued", "sent", "sent"]);
    clock.advance(2 * MINUTE);
    await expect.poll(states).toEqual(["sent", "sent", "sent"]);
  });
});

describe("a report that comes back", () => {
  /** As mail servers write it about a mail that they had taken. */
  const report = (to: string, id: string, failed: string, status = "5.1.1") =>
    [
      ...["From: MAILER-DAEMON@mx.example", `To: ${to}`, "Subject: Undelivered", "Auto-Submitted: auto-replied"],
      ...[`Message-ID: <report-${++written}@mx.example>`, "MIME-Version: 1.0"],
      ...['Content-Type: multipart/report; report-type=delivery-status; boundary="b"', ""],
      ...["--b", "Content-Type: text/plain", "", "It could not be delivered.", "--b"],
      ...["Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.example", ""],
      ...[`Final-Recipient: rfc822; ${failed}`, "Action: failed", `Status: ${status}`],
      ...[`Diagnostic-Code: smtp; 550 ${status} Not here`, "--b", "Content-Type: text/rfc822-headers", ""],
      ...[`Message-ID: ${id}`, "--b--", ""],
    ].join("\r\n");

  test("makes the recipient failed, is no message, and ends replies to an address that does not exist until it writes", async () => {
    const acme = await team();
    const box = await mailbox(acme);
    const id = await box.arrives({ cc: "will@will.example" });
    await reply(acme, id);
    await isIn(acme, id, "sent");
    const headerId = readMail({ raw: box.smtp.mails[0]?.raw ?? "" }).header("Message-ID");
    const before = (await acme.events()).length;
    // Of a mail that we never sent, or of somebody who did not get it, a report changes nothing.
    await box.post(report(box.address, "<guessed@acme.example>", "vera@vera.example"));
    await box.post(report(box.address, headerId, "petra@petra.example"));
    await box.post(report(box.address, headerId, "will@will.example", "4.4.7"));
    await isIn(acme, id, "failed");
    expect((await deliveryOf(acme, id))?.recipients).toMatchObject([
      { address: "vera@vera.example", state: "sent" },
      { address: "will@will.example", state: "failed", reason: "550 4.4.7 Not here" },
    ]);
    expect((await reply(acme, id)).status).toBe(201);
    await box.post(report(box.address, headerId, "vera@vera.example"));
    await expect
      .poll(async () => (await reply(acme, id)).body.errors)
      .toEqual({ conversation_id: ["Emails to this address have bounced. An admin can allow it again."] });
    const list = `/channels/${box.id}/suppressions`;
    expect((await acme.get(list)).body.data).toMatchObject([
      { id: "vera@vera.example", attributes: { reason: "550 5.1.1 Not here" } },
    ]);
    const names = (await acme.events()).slice(before).map(({ name }) => name);
    expect(names).not.toContain("message.received");
    const { body } = await acme.get("/conversations/all");
    // A report about no mail of ours has a conversation of its own.
    expect(body.data.map((each: { attributes: object }) => each.attributes)).toMatchObject(
      Array.from({ length: 2 }, () => ({ unread_messages: 0 })),
    );
    await box.arrives({ more: [`In-Reply-To: ${headerId}`] });
    expect((await acme.get(list)).body.data).toEqual([]);
    expect((await reply(acme, id)).status).toBe(201);
  });

  test("is lifted by an admin, for this account", async () => {
    const [acme, sams] = [await team(), await team()];
    const box = await mailbox(acme);
    const { body } = await acme.post("/conversations/outbound", {
      ...{ channel_id: box.id, to: "vera@vera.example", subject: "Hello", content: "Hello" },
    });
    await isIn(acme, body.data.attributes.conversation_id, "sent");
    await box.post(
      report(box.address, readMail({ raw: box.smtp.mails[0]?.raw ?? "" }).header("Message-ID"), "vera@vera.example"),
    );
    const address = `/channels/${box.id}/suppressions/Vera%40vera.example`;
    await expect.poll(async () => (await acme.delete(address)).status).toBe(200);
    expect(await acme.delete(address)).toMatchObject({
      status: 404,
      body: { message: "This address is not suppressed." },
    });
    expect((await sams.delete(address)).status).toBe(404);
    expect((await sams.get(`/channels/${box.id}/suppressions`)).status).toBe(404);
  });
});

describe("a first mail", () => {
  const first = (acme: TestTeam, channel_id: string, more: object = {}) =>
    acme.post("/conversations/outbound", {
      ...{ channel_id, to: "Will@Will.example", name: "Will", subject: "Re: Your order", content: "It is here." },
      ...more,
    });

  test("starts a conversation, and its answer comes in there", async () => {
    const acme = await team();
    const box = await mailbox(acme);
    const { status, body } = await first(acme, box.id);
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({ origin: "email", content: "It is here.", contact: { name: "Will" } });
    const { conversation_id: id, contact_id } = body.data.attributes;
    await isIn(acme, id, "sent");
    const read = readMail({ raw: box.smtp.mails[0]?.raw ?? "" });
    expect(read.header("Subject")).toBe("Your order");
    expect(read.header("To")).toBe("Will <Will@will.example>");
    expect(read.header("In-Reply-To")).toBe("");
    expect(await box.arrives({ from: "will@will.example", to: read.header("Reply-To") ?? "" })).toBe(id);
    expect(await box.arrives({ from: "will@will.example", more: ["Subject: Another thing"] })).not.toBe(id);
    expect((await acme.get(`/contacts/${contact_id}`)).body.data.attributes).toMatchObject({
      email: "Will@will.example",
    });
    const [row] = await query(storage, `SELECT external_identifier FROM conversations WHERE id = '${id}'`);
    expect(row?.external_identifier).toBe(read.header("Message-ID"));
    // Before anybody has answered, what follows goes to the same person.
    const { body: second } = await first(acme, box.id);
    const other = second.data.attributes.conversation_id;
    expect(other).not.toBe(id);
    await reply(acme, other);
    await expect.poll(() => box.smtp.mails.length).toBe(3);
    expect(box.smtp.mails[2]?.to).toEqual(["Will@will.example"]);
  });

  test.each([
    ["channel_id", { channel_id: "0198" }],
    ["to", { to: "no address" }],
    ["to", { to: '"quoted local"@will.example' }],
    ["subject", { subject: "Re: " }],
    ["content", { content: "" }],
    ["agent_id", { agent_id: "0198" }],
  ])("with an invalid %s is refused, and nothing is stored: %j", async (field, change) => {
    const acme = await team();
    const box = await mailbox(acme);
    const { status, body } = await first(acme, box.id, change);
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: [field] });
    expect(await countMessages(acme)).toBe(0);
  });

  test("to an address of our own, from a channel that is paused or another team's, is refused", async () => {
    const [acme, sams] = [await team(), await team()];
    const [box, theirs] = [await mailbox(acme), await mailbox(sams)];
    expect((await first(acme, box.id, { to: box.address.replace("@", "+r.x@") })).body.errors).toHaveProperty("to");
    expect((await first(acme, theirs.id)).body.errors).toHaveProperty("channel_id");
    await acme.patch(`/channels/${box.id}`, { state: "paused" });
    expect((await first(acme, box.id)).body.errors).toHaveProperty("channel_id");
  });
});
