/** Mail conversations in an agent's inbox: who a mail is from and to, whom a reply goes to, and how far it has got, live too. */
import { randomUUID } from "node:crypto";
import { InboxConversationDetails, InboxPeople, InboxThread } from "@frontdesk/core/contract/inbox";
import { AgentEventFrame, type LiveMessage } from "@frontdesk/core/contract/live";
import { problemsOf } from "@frontdesk/testing/ajv";
import { browser } from "@frontdesk/testing/browser-visitor";
import { adasInbox, type InboxClient } from "@frontdesk/testing/inbox-client";
import { type Frame, type LiveSocket, listen } from "@frontdesk/testing/live-client";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { openQuoted } from "../open-quoted.ts";
import { mailRoom } from "./mailbox-for-tests.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage, team, clock } = kit;
const origin = await app.start();
const { mailbox, newest, isIn } = mailRoom(kit);

const replyIn = (ada: InboxClient, conversationId: string, content = "Yes, in stock.") =>
  ada.post(`/conversations/${conversationId}/messages`, { client_id: randomUUID(), type: "message", content });
const thread = async (ada: InboxClient, id: string) =>
  (await ada.get(`/conversations/${id}/messages`)).messages as LiveMessage[];
const details = async (ada: InboxClient, id: string) =>
  (await ada.get(`/conversations/${id}`)) as InboxConversationDetails;

/** The deliveries that a stream has shown of a conversation's messages, as they were then. */
const shown = (stream: LiveSocket, id: string) =>
  stream
    .events()
    .filter(({ name, conversation }: Frame) => name === "message.delivery-changed" && conversation.id === id)
    .map(({ message }: Frame) => message.delivery);

async function scene(script: Parameters<typeof mailbox>[1] = {}, settings: object = {}) {
  const acme = await team();
  const box = await mailbox(acme, script, settings);
  const ada = adasInbox(app, acme);
  const stream = await listen(origin, { token: acme.apiKey });
  await stream.heard("ready");
  return { acme, box, ada, stream };
}

const suppress = (acme: TestTeam, accountId: string, address: string) =>
  query(
    storage,
    `INSERT INTO mail_suppressions (team_id, account_id, address, reason, created_at)
     VALUES ('${acme.teamId}', '${accountId}', '${address}', '550 5.1.1', 0)`,
  );

describe("a thread", () => {
  test("says which mails quote something, which is read on its own, and gone with a redaction", async () => {
    const { acme, box, ada } = await scene();
    const id = await box.arrives({ more: ["Message-ID: <first@vera.example>"] });
    const more = ["In-Reply-To: <first@vera.example>", "References: <first@vera.example>"];
    await box.arrives({ more, text: "On Sunday", below: ["", "On 20 November 2026, Vera wrote:", "> Hello"] });
    const [first, second] = await thread(ada, id);
    expect([first?.email?.has_quoted, second?.email?.has_quoted]).toEqual([undefined, true]);
    expect(second?.content).toMatch(/^On Sunday \d+$/);
    const quoted = (messageId = "") => app.perform(acme.actor, openQuoted, { messageId });
    expect(await quoted(second?.id)).toMatch(/^On 20 November 2026, Vera wrote:\n> Hello/);
    await expect(quoted(first?.id)).rejects.toThrow("original");
    await acme.post(`/messages/${second?.id}/redact`);
    await expect(quoted(second?.id)).rejects.toThrow("original");
    expect((await thread(ada, id))[1]?.email?.has_quoted).toBeUndefined();
  });

  test("has who each mail is from and to; one of the website reads and has nothing of it", async () => {
    const { acme, box, ada } = await scene();
    const id = await box.arrives({ cc: "Will <will@will.example>", more: ["Subject: Re: Size 40?"] });
    await replyIn(ada, id);
    await isIn(acme, id, "sent");
    const answer = await ada.get(`/conversations/${id}/messages`);
    expect(problemsOf(InboxThread, answer)).toEqual([]);
    const [asked, replied] = answer.messages;
    expect(asked.email).toMatchObject({
      from: { name: "Vera", address: "vera@vera.example" },
      cc: [{ name: "Will", address: "will@will.example" }],
      ...{ subject: "Size 40?", more: 0 },
    });
    expect(asked).not.toHaveProperty("delivery");
    expect(replied.email).toMatchObject({ from: { address: box.address }, subject: "Size 40?" });
    expect(replied.delivery).toMatchObject({ state: "sent", is_delayed: false, reason: null });

    const { conversationId } = await veraWrites(acme);
    await replyIn(ada, conversationId);
    const website = await thread(ada, conversationId);
    expect(website).toHaveLength(2);
    for (const message of website) {
      expect(message).not.toHaveProperty("delivery");
      expect(message).not.toHaveProperty("email");
    }
  });

  test("lists the first people of a mail to hundreds, and counts the others", async () => {
    const { box, ada } = await scene();
    const many = Array.from({ length: 90 }, (_, index) => `p${index}@many.example`).join(", ");
    const [message] = await thread(ada, await box.arrives({ cc: many }));
    expect(message?.email?.cc).toHaveLength(50);
    expect(message?.email?.more).toBe(40);
  });
});

describe("how far a mail has got", () => {
  test("is shown to agents when it changes, as a fetch then has it, and never to a visitor", async () => {
    const { acme, box, ada, stream } = await scene({ rcpt: { "will@will.example": "550 5.1.1 No such user" } });
    const id = await box.arrives({ cc: "will@will.example" });
    const hugo = browser(app, acme);
    await hugo.write("I am Hugo.");
    const visitor = await listen(origin, { token: hugo.token, widget_id: acme.widgetId });
    await visitor.heard("ready");
    const answer = await replyIn(ada, id);
    // Of the same commit that queues it.
    expect(answer.message.delivery).toMatchObject({
      ...{ state: "queued", is_delayed: false },
      recipients: [{ state: "queued" }, { state: "queued" }],
    });
    await expect.poll(() => shown(stream, id).at(-1)?.state).toBe("failed");
    expect(shown(stream, id).at(-1)).toMatchObject({
      reason: "550 5.1.1 No such user",
      recipients: [
        { address: "vera@vera.example", state: "sent", reason: null },
        { address: "will@will.example", state: "failed", reason: "550 5.1.1 No such user" },
      ],
    });
    const [frame] = stream.events().filter(({ name }) => name === "message.delivery-changed");
    expect(problemsOf(AgentEventFrame, frame)).toEqual([]);
    expect((await thread(ada, id)).at(-1)?.delivery).toEqual(shown(stream, id).at(-1));

    box.smtp.plays({});
    const { id: messageId } = await newest(acme, id);
    expect((await acme.post(`/messages/${messageId}/send-again`)).status).toBe(200);
    await expect.poll(() => shown(stream, id).at(-1)?.state).toBe("sent");
    expect(shown(stream, id).map(({ state }) => state)).toEqual(["failed", "queued", "sent"]);
    expect(visitor.events()).toEqual([]);
    // The log has ids, and no word of a server.
    const logged = (await acme.events()).filter(({ name }) => name === "message.delivery-changed");
    expect(logged).toHaveLength(3);
    for (const { data, conversation_id } of logged) {
      expect(data).toEqual({ message: { id: messageId }, conversation: { id }, visitor: { id: expect.any(String) } });
      expect(conversation_id).toBe(id);
    }
  });

  test("is delayed while it is tried again, unknown when it may have arrived, and failed when its channel is deleted", async () => {
    const { acme, box, ada, stream } = await scene({ dot: "451 4.3.0 Try again later" });
    const id = await box.arrives();
    await replyIn(ada, id);
    await expect
      .poll(() => shown(stream, id).at(-1))
      .toMatchObject({
        ...{ state: "queued", is_delayed: true, reason: "451 4.3.0 Try again later" },
      });
    box.smtp.plays({ dot: "close" });
    clock.advance(3 * 60_000);
    await expect.poll(() => shown(stream, id).at(-1)?.state).toBe("unknown");
    expect(shown(stream, id).at(-1)).toMatchObject({ is_delayed: false, reason: expect.stringContaining("lost") });

    box.smtp.plays({ dot: "451 4.3.0 Try again later" });
    const other = await box.arrives({ from: "kim@kim.example" });
    await replyIn(ada, other);
    await isIn(acme, other, "queued");
    await expect.poll(() => shown(stream, other).at(-1)).toMatchObject({ state: "queued", is_delayed: true });
    expect((await acme.delete(`/channels/${box.id}`)).status).toBe(200);
    await expect
      .poll(() => shown(stream, other).at(-1))
      .toMatchObject({
        ...{ state: "failed", reason: "The channel has been deleted." },
      });
    // It is one line of the audit log, whatever it did to replies.
    const lines = await query(
      storage,
      `SELECT count(*) AS n FROM audit_log WHERE team_id = '${acme.teamId}' AND action = 'delete-channel'`,
    );
    expect(Number(lines[0]?.n)).toBe(1);
  });
});

describe("a conversation", () => {
  test("says whom a reply goes to now, by the rule that decides it when it is sent", async () => {
    const { acme, box, ada } = await scene({}, { hold_seconds: 25 });
    const id = await box.arrives({ cc: "Will <will@will.example>" });
    const first = await details(ada, id);
    expect(problemsOf(InboxConversationDetails, first)).toEqual([]);
    expect(first.conversation).toMatchObject({ subject: "Size 40?", channel_id: box.id });
    expect(first.mail).toEqual({
      account: { id: box.id, name: null, address: box.address },
      last: {
        from: { name: "Vera", address: "vera@vera.example" },
        to: [{ name: null, address: box.address }],
        cc: [{ name: "Will", address: "will@will.example" }],
        more: 0,
      },
      reply: {
        to: [{ name: "Vera", address: "vera@vera.example" }],
        cc: [{ name: "Will", address: "will@will.example" }],
      },
      ...{ refusal: null, hold_seconds: 25 },
    });
    // Will answers all but himself.
    await replyIn(ada, id);
    await isIn(acme, id, "sent");
    const [mail] = box.smtp.mails;
    const messageId = /^Message-ID: (.+)\r$/im.exec(mail?.raw ?? "")?.[1];
    const answer = { from: "Will <will@will.example>", cc: "vera@vera.example", more: [`In-Reply-To: ${messageId}`] };
    expect(await box.arrives(answer)).toBe(id);
    const { mail: later } = await details(ada, id);
    expect(later?.reply).toEqual({
      to: [{ name: "Will", address: "will@will.example" }],
      cc: [{ name: null, address: "vera@vera.example" }],
    });
    expect(later?.last?.from).toEqual({ name: "Will", address: "will@will.example" });

    const { conversationId } = await veraWrites(acme);
    expect((await details(ada, conversationId)).mail).toBeNull();
  });

  test("leads to those of other contacts with the same address, and none of them is merged", async () => {
    const { acme, box, ada } = await scene();
    const chat = await veraWrites(acme, { email: "VERA@vera.example" });
    await veraWrites(acme, { email: "kim@kim.example" });
    const [mail, again] = [await box.arrives(), await box.arrives()];
    const sameAs = async (id: string) =>
      (await details(ada, id)).same_address_conversations.map((each) => ({ id: each.id, contact: each.contact.id }));
    expect(await sameAs(mail)).toEqual([{ id: chat.conversationId, contact: chat.contactId }]);
    const { conversation, contact, earlier_conversations } = await details(ada, mail);
    expect(contact.id).not.toBe(chat.contactId);
    expect(earlier_conversations.map(({ id }) => id)).toEqual([again]);
    // From the chat it is the same; the newest message first.
    expect(await sameAs(chat.conversationId)).toEqual([again, mail].map((id) => ({ id, contact: contact.id })));
    // Not to those of another brand, or of another team.
    const widget = (await acme.post("/widgets", { name: "Globex" })).body.data.id;
    await veraWrites(acme, { email: "vera@vera.example", widget_id: widget });
    await veraWrites(await team(), { email: "vera@vera.example" });
    expect(await sameAs(mail)).toHaveLength(1);
    expect((await acme.delete(`/contacts/${chat.contactId}`)).status).toBe(202);
    expect(await sameAs(mail)).toEqual([]);
    expect(await sameAs(conversation.id)).toEqual([]);
  });

  test("says why no reply can be sent", async () => {
    const { acme, box, ada } = await scene();
    const id = await box.arrives();
    const refusal = async () => {
      const { mail } = await details(ada, id);
      expect(mail?.reply === null).toBe(mail?.refusal !== null);
      return mail?.refusal?.reason;
    };
    expect(await refusal()).toBeUndefined();
    await suppress(acme, box.id, "vera@vera.example");
    expect(await refusal()).toBe("recipient-suppressed");
    await acme.patch(`/channels/${box.id}`, { state: "paused" });
    expect(await refusal()).toBe("channel-paused");
    await acme.delete(`/channels/${box.id}`);
    expect(await refusal()).toBe("channel-deleted");
    expect((await details(ada, id)).mail?.account.address).toBe(box.address);
  });
});

test("lists show one channel, or one account of it, and agents choose from those that there are", async () => {
  const { acme, box, ada } = await scene();
  const second = await mailbox(acme);
  const [id, other] = [await box.arrives(), await second.arrives()];
  const { conversationId } = await veraWrites(acme);
  expect((await ada.list("view=open")).toSorted()).toEqual([id, other, conversationId].toSorted());
  expect((await ada.list("view=open&channel=email")).toSorted()).toEqual([id, other].toSorted());
  expect(await ada.list(`view=open&channel=email&channel_id=${box.id}`)).toEqual([id]);
  expect(await ada.list(`view=open&channel_id=${second.id}`)).toEqual([other]);
  expect(await ada.list(`view=open&channel_id=${acme.widgetId}`)).toEqual([conversationId]);
  const saved = { name: "Support", query: { view: "open", channel: "email", channel_id: box.id } };
  await ada.post("/saved-views", saved);
  expect((await ada.get("/saved-views")).saved_views).toMatchObject([{ ...saved, count: 1 }]);

  await acme.patch(`/channels/${second.id}`, { state: "paused" });
  const people = await ada.get("/people");
  expect(problemsOf(InboxPeople, people)).toEqual([]);
  expect(people.channels).toEqual([
    { id: box.id, channel: "email", name: null, address: box.address, can_send: true },
    { id: second.id, channel: "email", name: null, address: second.address, can_send: false },
  ]);
});
