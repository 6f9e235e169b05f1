/** A conversation alone is erased (additions, section 6; docs/decisions/0053-erasing.md). */
import { browser } from "@frontdesk/testing/browser-visitor";
import { listen } from "@frontdesk/testing/live-client";
import { dump, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { createWidget } from "../widgets/create-widget.ts";
import { redactMessage } from "./redact-message.ts";

const kit = await startTestApp();
const { app, storage, team } = kit;
// Jobs run in a server that has been started.
const origin = await app.start();

async function erased(acme: TestTeam, conversationId: string) {
  const { status, body } = await acme.delete(`/conversations/${conversationId}`);
  expect(status).toBe(202);
  expect(body.data).toMatchObject({ type: "erasures", attributes: { finished_at: null } });
  const erasure = () => acme.get(`/erasures/${body.data.id}`).then((answer) => answer.body.data.attributes);
  await expect.poll(async () => (await erasure()).state).toBe("done");
  return erasure();
}

test("an erased conversation is unknown and leaves no word, and its contact stays with the other one", async () => {
  const acme = await team();
  const first = await veraWrites(acme, { content: "FirstWord" });
  await adaReplies(acme, first.conversationId, { content: "AnswerWord" });
  const { id: widgetId } = await app.perform(acme.actor, createWidget, { name: "Shop" });
  const other = await veraWrites(acme, { contact_id: first.contactId, widget_id: widgetId, content: "OtherWord" });
  expect(other.conversationId).not.toBe(first.conversationId);
  expect(await erased(acme, first.conversationId)).toMatchObject({
    erased: { contacts: 0, conversations: 1, messages: 2 },
  });
  expect((await acme.get(`/conversations/${first.conversationId}/messages`)).status).toBe(404);
  expect((await acme.delete(`/conversations/${first.conversationId}`)).status).toBe(404);
  expect((await acme.get(`/contacts/${first.contactId}`)).status).toBe(200);
  expect((await acme.get(`/conversations/${other.conversationId}/messages`)).body.data).toHaveLength(1);
  const left = await dump(storage);
  expect(["FirstWord", "AnswerWord"].filter((word) => left.includes(word))).toEqual([]);
  expect(left).toContain("OtherWord");
  const names = await query(storage, `SELECT name, data FROM events WHERE team_id = '${acme.teamId}' ORDER BY number`);
  expect(names.at(-1)).toMatchObject({ name: "erasure.started" });
  expect(names.filter(({ name, data }) => name === "message.received" && data !== "{}")).toHaveLength(1);
});

test("a visitor whose conversation is erased hears of it, an erased one has no stream; a redacted note is not theirs", async () => {
  const acme = await team();
  const vera = browser(app, acme);
  const { body } = await vera.write("My card is 4111.");
  const { conversation_id: conversationId } = body.message;
  const live = await listen(origin, { token: vera.token, widget_id: acme.widgetId });
  await live.heard("ready");
  const noteId = await adaReplies(acme, conversationId, { content: "Careful.", type: "note" });
  await acme.post(`/messages/${noteId}/redact`);
  await acme.post(`/messages/${body.message.id}/redact`);
  await erased(acme, conversationId);
  const events = ["message.redacted", "erasure.started"];
  await expect.poll(() => live.events().map(({ name }) => name)).toEqual(events);
  const [redacted, started] = live.events();
  expect(redacted.message).toMatchObject({ id: body.message.id, content: "", attachments: [], is_redacted: true });
  expect(Object.keys(started)).toEqual(["type", "number", "name", "at"]);
  const chat = await vera.ask("GET", "/chat");
  expect(chat.body).toMatchObject({ contact: { id: body.contact.id }, conversation: null, messages: [] });
  await acme.delete(`/contacts/${body.contact.id}`);
  await expect.poll(() => live.closed()?.code).toBe(4001);
  expect((await vera.ask("GET", "/chat")).status).toBe(401);
});

test("a conversation of a contact on hold is not erased, nor is a message redacted but for a restored backup", async () => {
  const acme = await team();
  const { contactId, conversationId, messageId } = await veraWrites(acme);
  await acme.post(`/contacts/${contactId}/hold`, { reason: "Court case" });
  const held = { status: 409, body: { message: "This contact is on hold: Court case" } };
  expect(await acme.delete(`/conversations/${conversationId}`)).toMatchObject(held);
  expect(await acme.post(`/messages/${messageId}/redact`)).toMatchObject(held);
  const contents = () => query(storage, `SELECT content FROM messages WHERE id = '${messageId}'`);
  expect(await contents()).not.toEqual([{ content: null }]);
  expect(await app.perform({ kind: "system", teamId: acme.teamId }, redactMessage, { messageId })).toBe(true);
  expect(await contents()).toEqual([{ content: null }]);
  expect((await acme.get(`/conversations/${conversationId}/messages`)).status).toBe(200);
});
