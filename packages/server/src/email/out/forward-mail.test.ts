/** Mails that agents forward to outside addresses (reference: B19; F15). */
import { randomUUID } from "node:crypto";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { readMail } from "@frontdesk/testing/mail-server";
import { query } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { timerHandlers } from "../../timers/timer-handlers.ts";
import { createTimerWorker } from "../../timers/timer-worker.ts";
import { mailRoom, nextNumber } from "./mailbox-for-tests.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage, runtime, clock, team } = kit;
await app.start();
const { mailbox, reply, isIn, newest } = mailRoom(kit);
const timeouts = heldTimeouts();
const timers = createTimerWorker({
  ...{ storage, runtime, perform: app.perform, handlers: timerHandlers, timeouts },
  logger: pino({ level: "silent" }),
});
afterAll(() => timers.stop());
timers.start();

const HOLD_MS = 10_000;
const PETRA = "petra@supplier.example";

/** Time goes on until nothing of the team is due. */
async function later({ teamId }: TestTeam, ms: number): Promise<void> {
  clock.advance(ms);
  await expect
    .poll(async () => {
      timeouts.advance(ms);
      timers.wake(clock.now());
      timeouts.advance(0);
      const rows = await query(storage, `SELECT due_at FROM timers WHERE team_id = '${teamId}'`);
      return rows.filter(({ due_at }) => Number(due_at) <= clock.now());
    })
    .toEqual([]);
}

/** Vera has written to Acme, with two files; Mia is signed in. */
async function scene() {
  const acme = await team();
  const box = await mailbox(acme);
  const mia = await signedIn(kit, acme);
  const words = `The pump is broken ${nextNumber()}`;
  const text = [words, "", `Write to ${box.address.replace("@", `+r.${"a".repeat(26)}@`)}`].join("\r\n");
  const veras = `<pump-${nextNumber()}@vera.example>`;
  await box.post(
    [
      ...["From: Vera Grün <vera@vera.example>", `To: Support <${box.address.replace("@", `+r.${"b".repeat(26)}@`)}>`],
      ...["Cc: Will <will@will.example>", "Subject: Re: Broken pump", `Message-ID: ${veras}`],
      ...["MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="b"', ""],
      ...["--b", "Content-Type: text/plain; charset=utf-8", "", text],
      ...["--b", 'Content-Type: text/plain; name="serial.txt"', "Content-Disposition: attachment", "", "SN-12"],
      ...["--b", 'Content-Type: text/plain; name="private.txt"', "Content-Disposition: attachment", "", "My card"],
      ...["--b--", ""],
    ].join("\r\n"),
  );
  const found = () =>
    query(
      storage,
      `SELECT id, conversation_id FROM messages WHERE team_id = '${acme.teamId}' AND content LIKE '${words}%'`,
    );
  await expect.poll(async () => (await found()).length).toBe(1);
  const [row] = await found();
  const [messageId, conversationId] = [String(row?.id), String(row?.conversation_id)];
  const at = `/inbox/conversations/${conversationId}/forwards`;
  const clientId = randomUUID();
  const body = { client_id: clientId, message_id: messageId, to: PETRA, content: "Can you help?", files: [1] };
  return {
    ...{ acme, box, mia, words, veras, messageId, conversationId, clientId },
    forward: (more: object = {}) => mia.post(at, { ...body, hold_ms: 0, ...more }),
    undo: () => mia.delete(`${at}?client_id=${clientId}`),
    drafts: async () => (await mia.get("/inbox/drafts")).body.drafts,
    lines: async (id: string) =>
      (await mia.get(`/inbox/conversations/${id}/messages`)).body.messages
        .filter(({ type }: { type: string }) => type === "system")
        .map(({ content }: { content: string }) => content) as string[],
  };
}

/** Of quoted-printable. */
const decoded = (raw: string): string =>
  decodeURIComponent(
    raw
      .replaceAll("=\r\n", "")
      .replaceAll("%", "%25")
      .replaceAll(/=([\dA-F]{2})/g, "%$1"),
  );

/** The conversation with Petra. */
async function petras({ teamId }: TestTeam): Promise<string[]> {
  const rows = await query(
    storage,
    `SELECT conversation_id FROM mails WHERE team_id = '${teamId}' AND direction = 'out' AND recipients LIKE '%${PETRA}%'`,
  );
  return rows.map(({ conversation_id }) => String(conversation_id));
}

describe("an email that an agent forwards", () => {
  test("goes out with its header, text and chosen files, in a conversation of its own", async () => {
    const { acme, box, forward, lines, words, conversationId, messageId } = await scene();
    expect(await forward()).toMatchObject({ status: 200, body: { state: "sent" } });
    const [into = ""] = await petras(acme);
    expect(into).not.toBe(conversationId);
    await isIn(acme, into, "sent");
    expect(box.smtp.mails.map(({ to }) => to)).toEqual([[PETRA]]);
    const raw = box.smtp.mails[0]?.raw ?? "";
    const read = readMail({ raw });
    expect(read.header("Subject")).toBe("Fwd: Broken pump");
    expect(read.header("References")).toBe(`<conversation.${into}@acme.example>`);
    expect(raw).not.toContain(conversationId);
    const text = decoded(raw);
    expect(text).toMatch(/Can you help\?\s+-+ Forwarded message -+\s+From: Vera Grün <vera@vera.example>/);
    expect(text).toContain(`To: Support <${box.address}>`);
    expect(text).toContain("Cc: Will <will@will.example>");
    expect(text).toContain(words);
    // The way into Vera's conversation goes to no one else.
    expect(raw).not.toMatch(/a{26}|b{26}/);
    expect(raw).toContain("serial.txt");
    expect(raw).not.toContain("private.txt");
    expect(await lines(conversationId)).toEqual([`Forwarded to ${PETRA}: ${into}`]);
    expect(await lines(into)).toEqual([`This email was forwarded from another conversation: ${conversationId}`]);
    // What was sent is shown there, with what was passed on.
    const { body } = await acme.get(`/conversations/${into}/messages?include_fields=content,email,delivery`);
    expect(body.data[0].attributes).toMatchObject({ content: "Can you help?", email: { subject: "Fwd: Broken pump" } });
    expect((await acme.get(`/messages/${body.data[0].id}/original`)).status).toBe(200);
    expect((await acme.get(`/conversations/${conversationId}/messages`)).body.data).toMatchObject([{ id: messageId }]);
  });

  test("is answered there, and neither the contact nor a mail to them has any of it", async () => {
    const { acme, box, forward, conversationId, veras } = await scene();
    await forward();
    const [into = ""] = await petras(acme);
    await isIn(acme, into, "sent");
    const read = readMail({ raw: box.smtp.mails[0]?.raw ?? "" });
    const answer = { from: `Petra <${PETRA}>`, to: read.header("Reply-To"), text: "Secret price: 20" };
    expect(await box.arrives(answer)).toBe(into);
    // Without the token, by ids alone.
    const byIds = [`In-Reply-To: ${read.header("Message-ID")}`, "Subject: Re: Fwd: Broken pump"];
    expect(await box.arrives({ from: PETRA, more: byIds, text: "Secret price: 30" })).toBe(into);
    // Not even with the id of Vera's own mail, which Petra may know from her.
    const ofVera = await box.arrives({ from: PETRA, more: [`In-Reply-To: ${veras}`], text: "Secret price: 40" });
    expect([conversationId, into]).not.toContain(ofVera);

    await reply(acme, conversationId, { content: "We are looking into it." });
    await isIn(acme, conversationId, "sent");
    const toVera = box.smtp.mails.at(-1);
    expect(toVera?.to).toEqual(["vera@vera.example", "will@will.example"]);
    expect(toVera?.raw).not.toMatch(/Secret|supplier|Can you help/);
    // A reply in the side conversation goes to Petra alone.
    await reply(acme, into, { content: "Thank you, Petra." });
    await expect.poll(() => box.smtp.mails.length).toBe(3);
    expect(box.smtp.mails[2]?.to).toEqual([PETRA]);
    expect(box.smtp.mails[2]?.raw).not.toContain(conversationId);
    const answered = await box.arrives({
      from: "Vera <vera@vera.example>",
      to: readMail({ raw: toVera?.raw ?? "" }).header("Reply-To"),
      text: "Any news",
    });
    expect(answered).toBe(conversationId);
  });

  test("needs no text, and is sent once", async () => {
    const { acme, box, forward, mia, conversationId, clientId } = await scene();
    expect((await forward({ content: "  ", files: [] })).body).toEqual({ state: "sent" });
    expect((await forward({ content: "  ", files: [] })).body).toEqual({ state: "sent" });
    const [into = "", ...others] = await petras(acme);
    expect(others).toEqual([]);
    await isIn(acme, into, "sent");
    expect(readMail({ raw: box.smtp.mails[0]?.raw ?? "" }).part("text/plain")).toMatch(/^-+ Forwarded message/);
    const other = await signedIn(kit, acme);
    const path = `/inbox/conversations/${conversationId}/forwards?client_id=${clientId}`;
    expect((await other.delete(path)).status).toBe(422);
    expect((await mia.delete(path)).body).toEqual({ state: "sent" });
  });

  test.each([
    ["to", { to: "no address" }],
    ["to", { to: "OWN" }],
    ["conversation_id", { paused: true }],
  ])(
    "with an invalid %s is refused before it is held: %j",
    async (field, { to, paused }: { to?: string; paused?: boolean }) => {
      const { acme, box, forward } = await scene();
      if (paused) await acme.patch(`/channels/${box.id}`, { state: "paused" });
      const change = to === undefined ? {} : { to: to === "OWN" ? box.address : to };
      for (const hold_ms of [0, HOLD_MS]) {
        const { status, body } = await forward({ ...change, hold_ms });
        expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: [field] });
      }
      expect(await petras(acme)).toEqual([]);
    },
  );

  test("is of this conversation, and a mail", async () => {
    const [one, other] = [await scene(), await scene()];
    expect((await one.forward({ message_id: other.messageId })).status).toBe(404);
    expect((await one.forward({ message_id: randomUUID() })).status).toBe(404);
    await one.acme.post(`/messages/${one.messageId}/redact`);
    expect((await one.forward()).status).toBe(404);
  });
});

describe("while it is held", () => {
  test("it can be undone, and is sent when the time is over", async () => {
    const { acme, forward, undo, lines, conversationId } = await scene();
    expect((await forward({ hold_ms: HOLD_MS })).body).toEqual({ state: "held" });
    expect((await undo()).body).toEqual({ state: "undone" });
    await later(acme, HOLD_MS);
    // Also when the request comes after the undoing.
    expect((await forward({ hold_ms: HOLD_MS })).body).toEqual({ state: "undone" });
    await later(acme, HOLD_MS);
    expect(await petras(acme)).toEqual([]);
    expect(await lines(conversationId)).toEqual([]);

    const again = randomUUID();
    expect((await forward({ hold_ms: HOLD_MS, client_id: again })).body).toEqual({ state: "held" });
    expect((await forward({ hold_ms: HOLD_MS, client_id: again })).body).toEqual({ state: "held" });
    expect(await petras(acme)).toEqual([]);
    await later(acme, HOLD_MS);
    const [into = ""] = await petras(acme);
    await isIn(acme, into, "sent");
    expect((await newest(acme, into)).attributes.content).toBe("Can you help?");
    expect((await forward({ hold_ms: HOLD_MS, client_id: again })).body).toEqual({ state: "sent" });
  });

  test("one that is refused when it is due says so, and its text is the agent's draft of a note", async () => {
    const { acme, box, forward, undo, lines, drafts, conversationId } = await scene();
    await forward({ hold_ms: HOLD_MS });
    await acme.patch(`/channels/${box.id}`, { state: "paused" });
    await later(acme, HOLD_MS);
    expect(await petras(acme)).toEqual([]);
    expect((await undo()).body).toEqual({ state: "returned" });
    expect(await lines(conversationId)).toEqual([
      `The email was not forwarded to ${PETRA}. What was written with it is the agent's draft of a note.`,
    ]);
    expect(await drafts()).toMatchObject([{ mode: "note", content: "Can you help?" }]);
  });
});

describe("what is erased", () => {
  const stored = async ({ teamId }: TestTeam, words: string) =>
    query(
      storage,
      `SELECT message_id FROM mails WHERE team_id = '${teamId}' AND (folded_text LIKE '%${words}%' OR subject LIKE '%pump%')`,
    );

  test("a redacted email is in no forward, nor in a forward of that, nor in what quotes it", async () => {
    const { acme, box, mia, forward, messageId, words } = await scene();
    await forward();
    const [into = ""] = await petras(acme);
    await isIn(acme, into, "sent");
    const first = await newest(acme, into);
    const on = { client_id: randomUUID(), message_id: first.id, to: "olaf@other.example", content: "", files: [] };
    await mia.post(`/inbox/conversations/${into}/forwards`, { ...on, hold_ms: 0 });
    await expect.poll(() => box.smtp.mails.length).toBe(2);
    expect(box.smtp.mails[1]?.raw).toContain("Forwarded message");
    const quoting = ["Fine.", "", "On Mon, 23 Nov 2026, Acme wrote:", `> ${words}`].join("\r\n");
    const to = readMail({ raw: box.smtp.mails[0]?.raw ?? "" }).header("Reply-To");
    await box.post(
      [`From: ${PETRA}`, `To: ${to}`, `Message-ID: <q-${words.length}@p.example>`, "", quoting].join("\r\n"),
    );
    await expect.poll(async () => (await newest(acme, into)).attributes.content).toBe("Fine.");
    expect((await stored(acme, words)).length).toBeGreaterThan(2);

    expect((await acme.post(`/messages/${messageId}/redact`)).status).toBe(200);
    expect(await stored(acme, words)).toEqual([]);
    expect((await acme.get(`/messages/${first.id}/original`)).status).toBe(404);
    expect((await newest(acme, into)).attributes.content).toBe("Fine.");
  });

  test("one that still waits goes without it, and an erased contact leaves nothing in it", async () => {
    const { acme, box, forward, words, conversationId } = await scene();
    box.smtp.plays({ rcpt: { [PETRA]: "451 4.3.0 Later" } });
    await forward();
    const [into = ""] = await petras(acme);
    await expect.poll(() => stored(acme, words).then(({ length }) => length)).toBeGreaterThan(1);
    const [row] = await query(storage, `SELECT contact_id FROM conversations WHERE id = '${conversationId}'`);
    await acme.delete(`/contacts/${row?.contact_id}`);
    await expect.poll(() => stored(acme, words)).toEqual([]);
    const [left] = await query(storage, `SELECT forward_of, raw_file FROM mails WHERE conversation_id = '${into}'`);
    expect(left).toEqual({ forward_of: null, raw_file: null });
  });
});
