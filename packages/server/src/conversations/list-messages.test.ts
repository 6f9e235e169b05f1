/** GET /conversations/{conversation_id}/messages. */
import { messageFields } from "@frontdesk/core/contract";
import { specifyList } from "@frontdesk/testing/list-promises";
import { idsOf, invalid, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, conversationOf, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { conversationById, updateConversation } from "./conversation-store.ts";
import { insertMessage } from "./message-store.ts";

const { storage, team, clock, runtime } = await startTestApp();
const now = () => new Date(clock.now()).toISOString();

specifyList({
  usual: 20,
  most: 20,
  filter: ["search", "portugal & spain"],
  async fill(rows) {
    const acme = await team();
    const content = "Do you ship to Portugal & Spain?";
    const { conversationId, contactId, messageId } = await veraWrites(acme, { content });
    const ids = [messageId];
    while (ids.length < rows) {
      ids.unshift(
        ids.length % 2
          ? await adaReplies(acme, conversationId, { content })
          : (await veraWrites(acme, { contact_id: contactId, content })).messageId,
      );
    }
    return { team: acme, path: `/conversations/${conversationId}/messages`, ids };
  },
});

test("messages are listed newest first, also those of the same moment, and notes among them", async () => {
  const acme = await team();
  const { conversationId, contactId, messageId } = await veraWrites(acme);
  const note = await adaReplies(acme, conversationId, { type: "note" });
  clock.advance(1);
  const reply = await adaReplies(acme, conversationId);
  const { messageId: thanks } = await veraWrites(acme, { contact_id: contactId });
  expect(idsOf(await acme.get(`/conversations/${conversationId}/messages`))).toEqual([thanks, reply, note, messageId]);
});

test("a message of the list has origin, content, type, conversation_id and created_at", async () => {
  const acme = await team();
  const { conversationId, messageId } = await veraWrites(acme, { content: "Hello?" });
  const asked = now();
  clock.advance(60_000);
  const note = await adaReplies(acme, conversationId, { type: "note", content: "A note" });
  const { status, body } = await acme.get(`/conversations/${conversationId}/messages`);
  expect(status).toBe(200);
  const common = { origin: "chat", conversation_id: conversationId };
  expect(body.data).toEqual([
    { type: "messages", id: note, attributes: { ...common, content: "A note", type: "note", created_at: now() } },
    {
      type: "messages",
      id: messageId,
      attributes: { ...common, content: "Hello?", type: "message", created_at: asked },
    },
  ]);
});

test("listing messages reads none of them for the agent: unread_messages stays", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  await acme.get(`/conversations/${conversationId}/messages`);
  expect((await conversationOf(acme, conversationId)).unread_messages).toBe(1);
});

test("system messages are left out, of the list, the search and the total", async () => {
  const acme = await team();
  const { conversationId, contactId, messageId } = await veraWrites(acme);
  await addSystemMessage(acme, conversationId, "Portugal was chosen.");
  const second = await veraWrites(acme, { contact_id: contactId });
  for (const query of ["", "?search=portugal"]) {
    const { body } = await acme.get(`/conversations/${conversationId}/messages${query}`);
    expect(idsOf({ body })).toEqual([second.messageId, messageId]);
    expect(body.meta.pagination.total).toBe(2);
  }
  expect(idsOf(await acme.get(`/conversations/${conversationId}/messages?limit=1&page=2`))).toEqual([messageId]);
});

test("only the messages of the conversation are listed", async () => {
  const acme = await team();
  const vera = await veraWrites(acme);
  const victor = await veraWrites(acme, { name: "Victor" });
  expect(idsOf(await acme.get(`/conversations/${vera.conversationId}/messages`))).toEqual([vera.messageId]);
  expect(idsOf(await acme.get(`/conversations/${victor.conversationId}/messages?search=ship`))).toEqual([
    victor.messageId,
  ]);
});

describe("include_fields and exclude_fields", () => {
  test("choose among all fields, the author and the owner included", async () => {
    const acme = await team();
    const { conversationId, contactId, messageId } = await veraWrites(acme, { content: "Hello?" });
    const reply = await adaReplies(acme, conversationId, { content: "Hello Vera" });
    const path = `/conversations/${conversationId}/messages`;
    const { body } = await acme.get(`${path}?include_fields=${messageFields.join(",")}`);
    const common = {
      origin: "chat",
      type: "message",
      conversation_id: conversationId,
      created_at: now(),
      chat_contact_id: contactId,
      contact: { id: contactId, name: "Vera" },
      delivery: null,
      email: null,
    };
    const ada = { id: acme.ada.id, name: "Ada" };
    expect(body.data).toEqual([
      { type: "messages", id: reply, attributes: { ...common, content: "Hello Vera", agent: ada } },
      { type: "messages", id: messageId, attributes: { ...common, content: "Hello?", agent: null } },
    ]);
  });

  test.each([
    ["include_fields=agent", ["agent"]],
    ["include_fields=contact,chat_contact_id", ["chat_contact_id", "contact"]],
    ["exclude_fields=origin,agent", ["content", "conversation_id", "created_at", "type"]],
    ["exclude_fields=origin,content,type,conversation_id,created_at", []],
    ["include_fields=content&exclude_fields=content", ["content"]],
  ])("%s; only include_fields counts when both are sent", async (query, names) => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const { status, body } = await acme.get(`/conversations/${conversationId}/messages?${query}`);
    expect(status).toBe(200);
    expect(Object.keys(body.data[0].attributes).sort()).toEqual(names);
  });

  test.each(["contact_id", "attachments", "content,", "", "sort_number"])(
    "an invalid name gives 422: %j",
    async (names) => {
      const acme = await team();
      const { conversationId } = await veraWrites(acme);
      for (const parameter of ["include_fields", "exclude_fields"]) {
        const { status, body } = await acme.get(`/conversations/${conversationId}/messages?${parameter}=${names}`);
        expect(status).toBe(422);
        expect(body).toEqual(invalid(parameter));
      }
    },
  );
});

describe("search", () => {
  const texts = {
    plain: "Do you ship to Portugal?",
    accent: "Un caf\u00e9, s'il vous pla\u00eet",
    decomposed: "Ein Cafe\u0301 bitte",
    turkish: "\u0130stanbul",
    sharp: "In der Straße",
    greek: "Οδυσσέας",
    wide: "ＡＢＣ １２３",
    percent: "100% sure",
    underscore: "snake_case",
    backslash: "C:\\temp",
    quote: `She said "no", didn't she`,
    emoji: "🙂🙃",
    rtl: "שלום עולם",
  };

  test.each<[string, (keyof typeof texts)[]]>([
    ["portugal", ["plain"]],
    ["PORTUGAL", ["plain"]],
    ["  portugal  ", ["plain"]],
    ["ship to", ["plain"]],
    ["to  ship", ["plain"]],
    ["CAFÉ", ["decomposed", "accent"]],
    ["cafe\u0301", ["decomposed", "accent"]],
    ["\u0130STANBUL", ["turkish"]],
    ["STRAẞE", ["sharp"]],
    ["strasse", ["sharp"]],
    ["strase", []],
    ["ΟΔΥΣ", ["greek"]],
    ["abc 123", ["wide"]],
    ["ａｂｃ", ["wide"]],
    ["%", ["percent"]],
    ["0% S", ["percent"]],
    ["1%0", []],
    ["_", ["underscore"]],
    ["snake?case", []],
    ["\\", ["backslash"]],
    ["c:\\t", ["backslash"]],
    [`"no"`, ["quote"]],
    ["didn't", ["quote"]],
    ["🙃", ["emoji"]],
    ["עולם", ["rtl"]],
    ["nobody said this", []],
  ])("finds a part of the content, whatever its case and Unicode form, and nothing else: %j", async (search, found) => {
    const acme = await team();
    const { conversationId, contactId } = await veraWrites(acme, { content: texts.plain });
    for (const content of Object.values(texts).slice(1)) await veraWrites(acme, { contact_id: contactId, content });
    const query = `include_fields=content&search=${encodeURIComponent(search)}`;
    const { status, body } = await acme.get(`/conversations/${conversationId}/messages?${query}`);
    expect(status).toBe(200);
    expect(body.data.map((message: { attributes: { content: string } }) => message.attributes.content)).toEqual(
      found.map((name) => texts[name]),
    );
    expect(body.meta.pagination.total).toBe(found.length);
  });

  test.each(["", "%20%20", "%09"])("empty is no filter: %j", async (search) => {
    const acme = await team();
    const { conversationId, messageId } = await veraWrites(acme);
    expect(idsOf(await acme.get(`/conversations/${conversationId}/messages?search=${search}`))).toEqual([messageId]);
  });

  test("of 255 characters is taken, of 256 gives 422", async () => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const path = `/conversations/${conversationId}/messages?search=`;
    expect((await acme.get(path + "s".repeat(255))).status).toBe(200);
    const { status, body } = await acme.get(path + "s".repeat(256));
    expect(status).toBe(422);
    expect(body).toEqual(invalid("search"));
  });

  test("is paged over what was found, newest first", async () => {
    const acme = await team();
    const { conversationId, contactId, messageId } = await veraWrites(acme, { content: "Apple" });
    await veraWrites(acme, { contact_id: contactId, content: "Pear" });
    const pie = await adaReplies(acme, conversationId, { content: "apple pie", type: "note" });
    const { messageId: juice } = await veraWrites(acme, { contact_id: contactId, content: "APPLE JUICE" });
    const path = `/conversations/${conversationId}/messages?search=apple&limit=2`;
    expect(idsOf(await acme.get(path))).toEqual([juice, pie]);
    const { body } = await acme.get(`${path}&page=2`);
    expect(idsOf({ body })).toEqual([messageId]);
    expect(body.meta.pagination).toEqual({ total: 3, count: 1, per_page: 2, current_page: 2, total_pages: 2 });
  });
});

test("a conversation that is unknown, another team's, or no id at all gives 404, with one same body", async () => {
  const [acme, sams] = [await team(), await team()];
  const { conversationId } = await veraWrites(acme);
  for (const id of [conversationId, ...NO_IDS]) {
    const { status, body } = await sams.get(`/conversations/${encodeURIComponent(id)}/messages`);
    expect(status).toBe(404);
    expect(body).toEqual(refused("Conversation not found."));
  }
});

/** Puts a system line into the conversation. No operation writes one yet, so the rows are written by hand. */
async function addSystemMessage(acme: TestTeam, conversationId: string, content: string): Promise<void> {
  await storage.write(acme.teamId, async (db) => {
    const conversation = await db.first(conversationById, { team_id: acme.teamId, id: conversationId });
    if (!conversation) throw new Error("There is no such conversation.");
    const sort_number = conversation.last_sort_number + 1;
    await db.run(updateConversation, { ...conversation, last_sort_number: sort_number });
    await db.run(insertMessage, {
      team_id: acme.teamId,
      conversation_id: conversationId,
      sort_number,
      id: runtime.newId(),
      contact_id: conversation.contact_id,
      agent_id: null,
      type: "system",
      origin: "chat",
      sent_via: "automation",
      content,
      content_folded: content.toLowerCase(),
      created_at: clock.now(),
      client_id: null,
      drafted_with_ai: 0,
    });
  });
}
