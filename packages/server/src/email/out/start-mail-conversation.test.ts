/** Mails with which the team writes first, and reports that come back about what it has sent (reference: B29; F18). */
import { readMail } from "@frontdesk/testing/mail-server";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { mailRoom, nextNumber } from "./mailbox-for-tests.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage, team } = kit;
await app.start();
const { mailbox, reply, deliveryOf, isIn, countMessages } = mailRoom(kit);

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
    expect(read.header("References")).toBe(`<conversation.${id}@acme.example>`);
    expect(await box.arrives({ from: "will@will.example", to: read.header("Reply-To") ?? "" })).toBe(id);
    expect(await box.arrives({ from: "will@will.example", more: ["Subject: Another thing"] })).not.toBe(id);
    // A relay that nothing is known of has replaced our id, and the tag was stripped.
    const relayed = ["In-Reply-To: <1@relay.example>", `References: ${read.header("References")} <1@relay.example>`];
    expect(await box.arrives({ from: "will@will.example", more: relayed })).toBe(id);
    expect(await box.arrives({ from: "mallory@evil.example", more: relayed })).not.toBe(id);
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

describe("a report that comes back", () => {
  /** As mail servers write it about a mail that they had taken. */
  const report = (to: string, id: string, failed: string, status = "5.1.1") =>
    [
      ...["From: MAILER-DAEMON@mx.example", `To: ${to}`, "Subject: Undelivered", "Auto-Submitted: auto-replied"],
      ...[`Message-ID: <report-${nextNumber()}@mx.example>`, "MIME-Version: 1.0"],
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
      .toEqual({
        conversation_id: ["Emails to this address have bounced or were marked as spam. An admin can allow it again."],
      });
    // Nor again to the one that has bounced.
    const messageId = (await acme.get(`/conversations/${id}/messages`)).body.data.at(-2).id;
    expect(await acme.post(`/messages/${messageId}/send-again`)).toMatchObject({
      status: 422,
      body: {
        errors: {
          message: ["Emails to this address have bounced or were marked as spam. An admin can allow it again."],
        },
      },
    });
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

  test("that the mail was marked as spam ends replies too, and the mail stays sent", async () => {
    const acme = await team();
    const box = await mailbox(acme);
    const id = await box.arrives();
    await reply(acme, id);
    await isIn(acme, id, "sent");
    const headerId = readMail({ raw: box.smtp.mails[0]?.raw ?? "" }).header("Message-ID");
    const complaint = (original: string) =>
      [
        ...["From: feedback@mx.example", `To: ${box.address}`, "Subject: Complaint"],
        ...[`Message-ID: <complaint-${nextNumber()}@mx.example>`, "MIME-Version: 1.0"],
        ...['Content-Type: multipart/report; report-type=feedback-report; boundary="b"', ""],
        ...["--b", "Content-Type: text/plain", "", "This is an email abuse report.", "--b"],
        ...["Content-Type: message/feedback-report", "", "Feedback-Type: abuse", "Version: 1", "", "--b"],
        ...["Content-Type: text/rfc822-headers", "", `Message-ID: ${original}`, "--b--", ""],
      ].join("\r\n");
    const list = async () => (await acme.get(`/channels/${box.id}/suppressions`)).body.data;
    await box.post(complaint("<guessed@acme.example>"));
    await box.post(complaint(headerId));
    await expect
      .poll(list)
      .toMatchObject([
        { id: "vera@vera.example", attributes: { reason: "The recipient has marked an email as spam." } },
      ]);
    await isIn(acme, id, "sent");
    expect((await reply(acme, id)).status).toBe(422);
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
