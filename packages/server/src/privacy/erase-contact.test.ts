/** What a person asks to have erased is gone (additions, section 6; docs/decisions/0053-erasing.md). */

import { canary, phoneOf } from "@frontdesk/testing/canaries";
import { openLoft } from "@frontdesk/testing/pigeon";
import { dump, query } from "@frontdesk/testing/second-app";
import { hold, startAppWithReceivers, subscribe } from "@frontdesk/testing/subscriber";
import type { TestTeam } from "@frontdesk/testing/test-kit";
import { connect } from "@frontdesk/testing/tool-caller";
import { adaReplies, adaSets, veraWrites, type Written } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { setCustomData } from "../custom-data/set-custom-data.ts";
import { eraseConversation } from "./erase-conversation.ts";

const kit = await startAppWithReceivers();
const { app, storage, team } = kit;
// Jobs run in a server that has been started.
await app.start();

/** Vera leaves a word at every door. */
async function veraLeaves(acme: TestTeam): Promise<Written & { words: string[] }> {
  const words = Array.from({ length: 8 }, canary);
  const [name, email, phone, text, answer, note, value, page] = words as [string, ...string[]];
  const written = await veraWrites(acme, {
    name: `Anne-Marie ${name} (O'Neil)`,
    email: `a-b.c+${email}@x-y.acme.test`,
    phone: phoneOf(phone ?? ""),
    content: text,
  });
  const { conversationId, contactId } = written;
  await adaReplies(acme, conversationId, {
    content: answer,
    attachments: [{ url: `https://files.acme.test/${page}` }],
  });
  await adaReplies(acme, conversationId, { content: note, type: "note" });
  await app.perform(acme.actor, setCustomData, { contactId, name: "plan", value: value ?? "", mustExist: false });
  await adaSets(acme, conversationId, "resolved");
  await veraWrites(acme, { contact_id: contactId, content: `${text} again` });
  return { ...written, words: words.map((word) => (word === phone ? phoneOf(word) : word)) };
}

const erasureOf = async (acme: TestTeam, id: string) => (await acme.get(`/erasures/${id}`)).body.data.attributes;

async function erased(acme: TestTeam, contactId: string) {
  const { status, body } = await acme.delete(`/contacts/${contactId}`);
  expect(status).toBe(202);
  const { id } = body.data;
  await expect.poll(async () => (await erasureOf(acme, id)).state).toBe("done");
  return erasureOf(acme, id);
}

describe("an erased contact", () => {
  test("is unknown from the answer on, and leaves no word behind", async () => {
    const acme = await team();
    const { contactId, conversationId, messageId, words } = await veraLeaves(acme);
    const neighbour = await veraLeaves(acme);
    const { body } = await acme.delete(`/contacts/${contactId}`);
    expect(body.data).toMatchObject({ type: "erasures", attributes: { contact_id: contactId, finished_at: null } });
    expect((await acme.get(`/contacts/${contactId}`)).status).toBe(404);
    expect((await acme.get(`/conversations/${conversationId}/messages`)).status).toBe(404);
    expect((await acme.post(`/messages/${messageId}/redact`)).status).toBe(404);
    expect((await acme.delete(`/contacts/${contactId}`)).status).toBe(404);
    await expect.poll(async () => (await erasureOf(acme, body.data.id)).state).toBe("done");
    const left = await dump(storage);
    expect(words.filter((word) => left.includes(word))).toEqual([]);
    expect(neighbour.words.filter((word) => !left.includes(word))).toEqual([]);
  });

  test("is counted nowhere any more, and the log has no gap", async () => {
    const acme = await team();
    const stays = await veraLeaves(acme);
    const before = await acme.get("/conversations/all?limit=100");
    const { contactId } = await veraLeaves(acme);
    expect(await erased(acme, contactId)).toMatchObject({ erased: { contacts: 1, conversations: 1, messages: 4 } });
    expect((await acme.get("/contacts")).body.meta).toMatchObject({ pagination: { total: 1 } });
    expect((await acme.get("/conversations/all?limit=100")).body.meta).toEqual(before.body.meta);
    expect((await acme.get(`/contacts/${stays.contactId}`)).status).toBe(200);
    const events = await query(
      storage,
      `SELECT number, name, data FROM events WHERE team_id = '${acme.teamId}' ORDER BY number`,
    );
    expect(events.map(({ number }) => Number(number))).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ name: "contact.erased" });
    expect(events.filter(({ data }) => data === "{}").length).toBeGreaterThan(5);
  });

  test("is not erased while on hold, by anyone", async () => {
    const acme = await team();
    const { contactId } = await veraWrites(acme);
    expect((await acme.post(`/contacts/${contactId}/hold`, { reason: "Court case" })).status).toBe(200);
    expect(await acme.delete(`/contacts/${contactId}`)).toMatchObject({
      status: 409,
      body: { message: "This contact is on hold: Court case" },
    });
    expect((await acme.delete(`/contacts/${contactId}/hold`)).status).toBe(200);
    await erased(acme, contactId);
  });
});

test("a redacted message keeps its place, and its text is nowhere", async () => {
  const acme = await team();
  const word = canary();
  const { messageId, conversationId } = await veraWrites(acme, { content: `My card is ${word}` });
  await adaReplies(acme, conversationId);
  expect((await acme.post(`/messages/${messageId}/redact`, { reason: "Card number" })).status).toBe(200);
  expect((await acme.post(`/messages/${messageId}/redact`)).status).toBe(200);
  const { body } = await acme.get(`/conversations/${conversationId}/messages`);
  expect(body.data).toHaveLength(2);
  expect(await dump(storage)).not.toContain(word);
});

test("a redacted message is gone from the calls by which an assistant wrote or searched it, and other calls stay", async () => {
  const acme = await team();
  const robin = await connect(app, acme);
  const { conversationId } = await veraWrites(acme);
  const [secret, short] = [`The number is ${canary()}.`, "Thanks"];
  for (const content of [` ${secret} `, short, "Thanks to you"]) {
    await robin.result("add-note", { conversation_id: conversationId, content });
  }
  await robin.result("search-contacts", { query: `who said: ${secret}` });
  await robin.result("search-contacts", { query: "Thanks to everyone" });
  const calls = async () => {
    const rows = `SELECT arguments FROM tool_calls WHERE assistant_id = '${robin.assistantId}' ORDER BY id`;
    return (await query(storage, rows)).map((row) => JSON.parse(String(row.arguments)));
  };
  await expect.poll(async () => (await calls()).length).toBe(5);
  const { body } = await acme.get(`/conversations/${conversationId}/messages`);
  for (const content of [secret, short]) {
    // biome-ignore lint/suspicious/noExplicitAny: any answer
    const written = body.data.find((message: any) => message.attributes.content.trim() === content);
    expect((await acme.post(`/messages/${written.id}/redact`)).status).toBe(200);
  }
  const done = `SELECT count(*) AS total FROM erasures WHERE team_id = '${acme.teamId}' AND state = 'done'`;
  await expect.poll(async () => Number((await query(storage, done))[0]?.total)).toBe(2);
  expect(await calls()).toEqual([
    {},
    {},
    { conversation_id: conversationId, content: "Thanks to you" },
    {},
    { query: "Thanks to everyone" },
  ]);
  const sealed = `SELECT text_sealed FROM erasures WHERE team_id = '${acme.teamId}'`;
  expect((await query(storage, sealed)).map(({ text_sealed }) => text_sealed)).toEqual([null, null]);
  expect(await dump(storage)).not.toContain(secret);
});

describe("what was said of an erased contact", () => {
  test("is not stored when a receiver answers after the erasure, and the delivery cannot be resent", async () => {
    const acme = await team();
    const there = await kit.receiver();
    const held = hold();
    there.answers(held.answer);
    const hook = await subscribe(acme, there.url());
    const word = canary();
    const { contactId } = await veraWrites(acme, { content: word });
    await expect.poll(() => held.waiting.length).toBe(1);
    await erased(acme, contactId);
    held.letGo(({ request, response }) => response.writeHead(500, { "x-echo": word }).end(request.body));
    const [delivery] = await hook.deliveries();
    await expect.poll(async () => (await hook.log(delivery?.id ?? "")).attributes.attempts[0].status).toBe(500);
    expect(await hook.states()).toEqual(["stopped"]);
    expect(await dump(storage)).not.toContain(word);
    const refused = { status: 409, body: { message: "What this delivery was about has been erased." } };
    expect(await acme.post(`${hook.path}/deliveries/${delivery?.id}/replay`)).toMatchObject(refused);
    expect((await acme.post(`${hook.path}/replay`, { since: "2026-11-20T00:00:00Z" })).body.replayed).toBe(0);
  });
});

test("what a receiver answers after a message was redacted is not stored", async () => {
  const acme = await team();
  const there = await kit.receiver();
  const held = hold();
  there.answers(held.answer);
  const hook = await subscribe(acme, there.url());
  const word = canary();
  const { messageId } = await veraWrites(acme, { content: word });
  await expect.poll(() => held.waiting.length).toBe(1);
  expect((await acme.post(`/messages/${messageId}/redact`)).status).toBe(200);
  held.letGo(({ request, response }) => response.writeHead(500, { "x-echo": word }).end(request.body));
  const [delivery] = await hook.deliveries();
  const attempts = async () => (await hook.log(delivery?.id ?? "")).attributes.attempts;
  await expect.poll(async () => (await attempts())[0].status).toBe(500);
  expect((await attempts())[0]).toMatchObject({ outcome: "failed", response: null });
  expect(await dump(storage)).not.toContain(word);
});

test("an erased conversation leaves what was said in the contact's others", async () => {
  const acme = await team();
  const [gone, stays] = [canary(), canary()];
  const first = await veraWrites(acme, { content: gone });
  const contact = await acme.get(`/contacts/${first.contactId}`);
  const loft = await openLoft(kit, acme);
  const second = await loft.letter({ content: stays });
  await query(
    storage,
    `UPDATE conversations SET contact_id = '${first.contactId}' WHERE id = '${second.conversationId}'`,
  );
  await query(
    storage,
    `UPDATE events SET contact_id = '${first.contactId}' WHERE team_id = '${acme.teamId}' AND contact_id = '${second.contactId}'`,
  );
  const { id } = await app.perform(acme.actor, eraseConversation, { conversationId: first.conversationId });
  await expect.poll(async () => (await erasureOf(acme, id)).state).toBe("done");
  const left = await dump(storage);
  expect([left.includes(gone), left.includes(stays)]).toEqual([false, true]);
  expect((await acme.get(`/contacts/${first.contactId}`)).body.data.id).toBe(contact.body.data.id);
  expect((await acme.events()).map(({ name }) => name)).not.toContain("contact.erased");
  expect(
    (await acme.events()).find(({ conversation_id }) => conversation_id === second.conversationId)?.data,
  ).not.toEqual({});
});
