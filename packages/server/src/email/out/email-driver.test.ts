/** Replies, from the request to a mail server and back (reference: B12, B17, B18, B27, B28, B35; F8, F14, F18, F19). */
import { readMail } from "@frontdesk/testing/mail-server";
import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { query } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { mailRoom } from "./mailbox-for-tests.ts";
import { mailsSentOfDay } from "./mailbox-use.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage, team, clock } = kit;
await app.start();
const { mailbox, reply, newest, deliveryOf, isIn, countMessages } = mailRoom(kit);
const MINUTE = 60_000;

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

    const listed = await acme.get(`/conversations/${id}/messages?include_fields=email`);
    expect(listed.body.data.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
      {
        email: {
          from: { name: expect.stringMatching(/^Ada/), address: box.address },
          to: [{ name: "Vera", address: "vera@vera.example" }],
          cc: [
            { name: "Will", address: "will@will.example" },
            { name: null, address: "boss@vera.example" },
          ],
          ...{ subject: "Re: Size 40?", message_id: read.header("Message-ID") },
        },
      },
      {
        email: {
          from: { name: "Vera", address: "vera@vera.example" },
          to: [
            { name: null, address: box.address },
            { name: "Will", address: "will@will.example" },
          ],
          ...{
            cc: [{ name: null, address: "boss@vera.example" }],
            subject: "Size 40?",
            message_id: "<asked@vera.example>",
          },
        },
      },
    ]);

    // By the token alone, as when a relay has replaced the ids; and by the id alone, as when plus tags are stripped.
    const replyTo = read.header("Reply-To") ?? "";
    expect(replyTo).toMatch(/^support\d+\+r\.[a-z2-7]{26}@acme\.example$/);
    expect(await box.arrives({ to: replyTo })).toBe(id);
    expect(await box.arrives({ more: [`In-Reply-To: ${read.header("Message-ID")}`] })).toBe(id);
    expect(
      await box.arrives({ from: "mallory@evil.example", more: [`In-Reply-To: ${read.header("Message-ID")}`] }),
    ).not.toBe(id);
    // What has gone out is never taken in, also not a copy whose id a relay has replaced without saying so.
    await box.post((mail?.raw ?? "").replace(/^Message-ID: .*$/m, "Message-ID: <1@relay.example>"));
    const imports = () => query(storage, `SELECT state FROM mail_imports WHERE account_id = '${box.id}'`);
    await expect.poll(async () => (await imports()).map(({ state }) => state)).toContain("ignored");
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
    // Files that no mail server takes are refused before anything is stored.
    await query(
      storage,
      `UPDATE files SET size = 26 * 1048576 WHERE team_id = '${acme.teamId}' AND name = 'offer.txt'`,
    );
    const before = await countMessages(acme);
    expect(await reply(acme, id, { attachments: [{ url }] })).toMatchObject({
      status: 422,
      body: { errors: { attachments: [expect.stringContaining("25 MB")] } },
    });
    expect(await countMessages(acme)).toBe(before);
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

  test("that failed too long ago says so, and is not sent again", async () => {
    const acme = await team();
    const box = await mailbox(acme, { rcpt: { "vera@vera.example": "550 5.1.2 No such domain" } });
    const id = await box.arrives();
    await reply(acme, id);
    await isIn(acme, id, "failed");
    await query(storage, `DELETE FROM outbox_items WHERE team_id = '${acme.teamId}'`);
    const { id: messageId } = await newest(acme, id);
    expect(await deliveryOf(acme, id)).toMatchObject({ state: "failed" });
    const again = await acme.post(`/messages/${messageId}/send-again`);
    expect(again).toMatchObject({
      status: 422,
      body: { errors: { message: [expect.stringMatching(/too long ago/)] } },
    });
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
    // At once, though it was to wait for longer.
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

  test("waits for the next day when its account has sent its limit, and says until when, also after a restart", async () => {
    const acme = await team();
    const mia = await signedIn(kit, acme);
    const box = await mailbox(acme, {}, { daily_limit: 2 });
    const ids = [
      await box.arrives({ from: "a@a.example" }),
      await box.arrives({ from: "b@b.example" }),
      await box.arrives({ from: "c@c.example" }),
    ];
    const [first = "", second = "", third = ""] = ids;
    for (const id of ids) await reply(acme, id).then(() => clock.advance(1_000));
    await isIn(acme, first, "sent");
    await isIn(acme, second, "sent");
    const due = async () => {
      const { body } = await mia.get(`/inbox/conversations/${third}/messages`);
      return body.messages.at(-1).delivery;
    };
    await expect.poll(async () => (await due()).due_at).not.toBeNull();
    const waiting = await due();
    expect(waiting).toMatchObject({
      state: "queued",
      is_delayed: true,
      reason: "The account has sent as many emails as it may in 24 hours.",
    });
    expect(Date.parse(waiting.due_at) - clock.now()).toBeGreaterThan(24 * 60 * MINUTE - 5_000);
    expect((await mia.get(`/channels/${box.id}/use`)).body).toEqual({ sent: 2, limit: 2, waiting: 1 });
    // What is known of the day is in the storage: another process counts the same.
    const actor = { kind: "channel", teamId: acme.teamId, accountId: box.id } as const;
    expect(await app.perform(actor, mailsSentOfDay, { limit: 2 })).toHaveLength(2);
    // An hour later it still waits; another mailbox goes on.
    clock.advance(60 * MINUTE);
    const other = await mailbox(acme);
    const elsewhere = await other.arrives({ from: "d@d.example" });
    await reply(acme, elsewhere);
    await isIn(acme, elsewhere, "sent");
    expect((await due()).state).toBe("queued");
    expect((await acme.patch(`/channels/${box.id}`, { settings: { daily_limit: 3 } })).status).toBe(200);
    await isIn(acme, third, "sent");
    expect((await due()).due_at).toBeNull();
    expect((await mia.get(`/channels/${box.id}/use`)).body).toEqual({ sent: 3, limit: 3, waiting: 0 });
  });

  test("goes out when what was sent before is a day old", async () => {
    const acme = await team();
    const box = await mailbox(acme, {}, { daily_limit: 2 });
    const ids = [
      await box.arrives({ from: "a@a.example" }),
      await box.arrives({ from: "b@b.example" }),
      await box.arrives({ from: "c@c.example" }),
    ];
    const [first = "", second = "", third = ""] = ids;
    await reply(acme, first).then(() => isIn(acme, first, "sent"));
    await reply(acme, second).then(() => isIn(acme, second, "sent"));
    await reply(acme, third);
    await expect
      .poll(async () => (await deliveryOf(acme, third))?.attempts[0]?.reason)
      .toBe("The account has sent as many emails as it may in 24 hours.");
    clock.advance(24 * 60 * MINUTE + 1_000);
    // The worker looks again when something comes.
    await reply(acme, first);
    await isIn(acme, first, "sent");
    await isIn(acme, third, "sent");
  });
});
