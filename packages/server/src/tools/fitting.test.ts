/**
 * Results fit a model (docs/decisions/0019): each is under 25,000 tokens, whatever its content, and nothing is lost by that.
 */

import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { connect, type ToolCaller } from "@frontdesk/testing/tool-caller";
import { addVisitors, openShop } from "@frontdesk/testing/tool-scene";
import { veraWrites } from "@frontdesk/testing/vera";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { createAgent } from "../agents/create-agent.ts";
import { addArticle } from "../knowledge/add-article.ts";
import { insertTag } from "../tags/tag-store.ts";
import { beginning, fitting, RESULT_TOKENS_MAX, tokensOf } from "./fitting.ts";

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const { app, storage, runtime } = kit;

/** What hosts take of a result. */
const HOST_TOKENS_MAX = 25_000;

/** Sentences as people write them, and what weighs most. */
const SENTENCES = {
  Latin: "Guten Tag, I would like to know when my order no. 48213 will be shipped, s’il vous plaît. ",
  Chinese: "你好，我想知道我的订单什么时候发货，单号是四八二一三，谢谢你们的帮助。",
  emoji: "🙂🚀🎉🥐🧣🪁🦔🫠 ",
  keys: "9f86d081884c7d659a2feaa0c55ad015 qzxkvwjpyhgfbdmnrtlscqzxkvwjpyhgfbdm fK1Ymcombb0qzWv5VkauGx3RtLpQ8sUdHe7YnMa2 {[%#&~^|]} ",
};
type Script = keyof typeof SENTENCES;
const scripts = Object.keys(SENTENCES) as Script[];

/** A text of this number of characters. */
function textOf(script: Script, length: number): string {
  const characters = [...SENTENCES[script]];
  return Array.from({ length }, (_, place) => characters[place % characters.length]).join("");
}

describe("list-conversation-messages", () => {
  test.each(scripts)(
    "of 100 messages of 10,000 characters, %s: each page fits, and all pages show every message once",
    async (script) => {
      const acme = await kit.team();
      const robin = await connect(app, acme);
      const content = textOf(script, 10_000);
      const { conversationId: conversation_id } = await veraWrites(acme, { content, email: "vera@visitor.test" });
      const more = Array.from({ length: 99 }, () => veraWrites(acme, { content, email: "vera@visitor.test" }));
      const written = await Promise.all(more);
      expect(new Set(written.map(({ conversationId }) => conversationId))).toEqual(new Set([conversation_id]));

      const seen: number[] = [];
      let pages = 0;
      let before: string | null = null;
      do {
        // The first page is requested at its largest. The others only have to go on where it ends.
        const limit: number = pages === 0 ? 100 : 3;
        const given = { conversation_id, limit, ...(before !== null && { before_sort_number: before }) };
        const { text, body } = await robin.call("list-conversation-messages", given);
        if (pages === 0) expect(countTokens(text)).toBeLessThan(HOST_TOKENS_MAX);
        const numbers = body.messages.map(({ sort_number }: { sort_number: number }) => sort_number);
        expect(numbers.length).toBeGreaterThan(0);
        for (const message of body.messages) expect(message.content).toBe(content);
        seen.push(...numbers);
        pages += 1;
        expect(body.pagination.has_more).toBe(body.pagination.next_before_sort_number !== null);
        before = body.pagination.next_before_sort_number;
      } while (before !== null);
      expect(seen).toEqual(Array.from({ length: 100 }, (_, place) => 100 - place));
      expect(pages).toBeGreaterThan(1);
    },
  );

  test("of short messages holds as many as were asked for", async () => {
    const acme = await kit.team();
    const robin = await connect(app, acme);
    const { conversationId: conversation_id } = await veraWrites(acme, { email: "vera@visitor.test" });
    await Promise.all(Array.from({ length: 59 }, () => veraWrites(acme, { email: "vera@visitor.test" })));
    const page = await robin.result("list-conversation-messages", { conversation_id, limit: 60 });
    expect(page.messages).toHaveLength(60);
    expect(page.pagination).toEqual({ limit: 60, has_more: false, next_before_sort_number: null });
  });
});

describe("list-conversations", () => {
  const namesAndPages = (acme: TestTeam, name: string, url: string) =>
    Promise.all([
      query(storage, `UPDATE contacts SET name = '${name.replaceAll("'", "")}' WHERE team_id = '${acme.teamId}'`),
      query(storage, `UPDATE conversations SET first_page_url = '${url}' WHERE team_id = '${acme.teamId}'`),
    ]);

  test.each(scripts)("of 100 conversations with long last messages, %s: fits, and holds them all", async (script) => {
    const acme = await kit.team();
    const robin = await connect(app, acme);
    await addVisitors(acme, 100, { content: textOf(script, 2_000) });
    const { text, body } = await robin.call("list-conversations", { per_page: 100 });
    expect(new Set(body.conversations.map(({ id }: { id: string }) => id)).size).toBe(100);
    expect(countTokens(text)).toBeLessThan(HOST_TOKENS_MAX);
    for (const { last_message, contact } of body.conversations) {
      expect(last_message.content).toMatch(/…$/);
      expect(contact.name).toBe("Vera");
    }
  });

  test.each(scripts)("of names and addresses at their longest, %s: shows less of each, and says so", async (script) => {
    const acme = await kit.team();
    const robin = await connect(app, acme);
    await addVisitors(acme, 75, { content: textOf(script, 2_000) });
    await namesAndPages(acme, textOf(script, 255), `https://acme.test/${"shop/".repeat(400)}`);
    for (const per_page of [40, 50, 75]) {
      const { text, body } = await robin.call("list-conversations", { per_page });
      expect(body.conversations).toHaveLength(per_page);
      expect(countTokens(text)).toBeLessThan(HOST_TOKENS_MAX);
      for (const { last_message, contact, origin_url } of body.conversations) {
        for (const cut of [last_message.content, origin_url]) expect(cut).toMatch(/…$/);
        expect([...contact.name].length).toBeGreaterThan(4);
        expect(`${last_message.content}${contact.name}`).not.toContain("\uFFFD");
      }
    }
  });

  test("of 50 conversations with long last messages shows as much of each as there is room for", async () => {
    const acme = await kit.team();
    const robin = await connect(app, acme);
    const content = textOf("Latin", 2_000);
    await addVisitors(acme, 50, { content });
    const { text, body } = await robin.call("list-conversations", { per_page: 50 });
    expect(countTokens(text)).toBeLessThan(HOST_TOKENS_MAX);
    for (const { last_message, contact } of body.conversations) {
      expect(content.startsWith(last_message.content.slice(0, -1))).toBe(true);
      expect(last_message.content.length).toBeGreaterThan(40);
      expect(contact.name).toBe("Vera");
    }
  });

  test.each(scripts)(
    "of 100 resolved conversations whose every text is at its longest, %s: fits, and holds them all",
    async (script) => {
      const acme = await kit.team();
      const robin = await connect(app, acme);
      await addVisitors(acme, 100, { content: textOf(script, 2_000) });
      await namesAndPages(acme, textOf(script, 255), `https://acme.test/${"shop/".repeat(400)}`);
      const longest = `-${textOf("keys", 170).replaceAll(" ", "-")}@visitor.test`;
      await query(storage, `UPDATE contacts SET email = email || '${longest}' WHERE team_id = '${acme.teamId}'`);
      await resolveAll(acme);
      const { text, body } = await robin.call("list-conversations", { status: "resolved", per_page: 100 });
      expect(body.conversations).toHaveLength(100);
      expect(countTokens(text)).toBeLessThan(HOST_TOKENS_MAX);
      for (const { last_message, contact, origin_url } of body.conversations) {
        for (const cut of [last_message.content, contact.name, contact.email, origin_url]) expect(cut).toMatch(/…$/);
      }
    },
  );

  test("of 100 resolved conversations shows the visitor of each, and times to the second", async () => {
    const acme = await kit.team();
    const robin = await connect(app, acme);
    await addVisitors(acme, 100, { content: textOf("Latin", 2_000) });
    await namesAndPages(acme, "Vera Lindqvist", `https://acme.test/${"shop/".repeat(400)}`);
    await resolveAll(acme);
    const { text, body } = await robin.call("list-conversations", { status: "resolved", per_page: 100 });
    expect(body.conversations).toHaveLength(100);
    expect(countTokens(text)).toBeLessThan(HOST_TOKENS_MAX);
    for (const { last_message, contact, resolved_at, created_at, updated_at } of body.conversations) {
      // How much there is room for depends on the ids.
      expect([contact.name, contact.email]).toEqual([expect.stringMatching(/^Vera/), expect.stringMatching(/^vera/)]);
      for (const time of [last_message.created_at, resolved_at, created_at, updated_at]) {
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      }
    }
  });

  const resolveAll = (acme: TestTeam) =>
    query(
      storage,
      `UPDATE conversations SET is_resolved = 1, resolved_at = last_message_at WHERE team_id = '${acme.teamId}'`,
    );

  test("of a page of the usual size shows the beginning of long messages, and names and addresses whole", async () => {
    const acme = await kit.team();
    const robin = await connect(app, acme);
    const content = textOf("Latin", 2_000);
    await addVisitors(acme, 25, { content });
    const url = `https://acme.test/${"shop/".repeat(20)}`;
    await namesAndPages(acme, "Vera", url);
    const { conversations } = await robin.result("list-conversations");
    expect(conversations).toHaveLength(25);
    for (const { last_message, contact, origin_url } of conversations) {
      expect(content.startsWith(last_message.content.slice(0, -1))).toBe(true);
      expect(Buffer.byteLength(last_message.content)).toBeGreaterThan(490);
      expect([contact.name, origin_url]).toEqual(["Vera", url]);
    }
    kit.clock.advance(1);
    await addVisitors(acme, 1, { content: "Short.", email: "viktor@visitor.test" });
    const { conversations: one } = await robin.result("list-conversations", { per_page: 1 });
    expect(one[0].last_message.content).toBe("Short.");
  });
});

describe("what is found or listed without pages", () => {
  test.each(scripts)("search-knowledge-base of 50 long answers, %s: the best that fit, whole", async (script) => {
    const acme = await kit.team();
    const robin = await connect(app, acme);
    const answer = `Shipping. ${textOf(script, 4_000)}`.trim();
    for (let count = 0; count < 50; count += 1) {
      await app.perform(acme.actor, addArticle, { question: `Shipping ${count}?`, answer, isPublished: true });
    }
    const { text, body } = await robin.call("search-knowledge-base", { query: "shipping", limit: 50 });
    expect(countTokens(text)).toBeLessThan(HOST_TOKENS_MAX);
    expect(body.results.length).toBeGreaterThan(1);
    expect(body.results.length).toBeLessThan(50);
    for (const result of body.results) expect(result.answer).toBe(answer);
  });

  test("view-tags and view-custom-fields of 2,000: the first that fit", async () => {
    const { acme } = await openShop(kit);
    const robin = await connect(app, acme);
    await storage.write(acme.teamId, async (db) => {
      for (let count = 0; count < 2_000; count += 1) {
        const name = `Tag ${String(count).padStart(4, "0")}`;
        const made = { team_id: acme.teamId, id: runtime.newId(), created_at: runtime.now() };
        await db.run(insertTag, { ...made, name, name_folded: name.toLowerCase(), color: "#0a7d55" });
      }
    });
    const { text, body } = await robin.call("view-tags");
    expect(countTokens(text)).toBeLessThan(HOST_TOKENS_MAX);
    const names = body.tags.map(({ name }: { name: string }) => name);
    expect(names.length).toBeGreaterThan(400);
    expect(names.slice(0, 3)).toEqual(["Shipping", "Tag 0000", "Tag 0001"]);
  });

  test("searches and list-agents of people with the longest names", async () => {
    const acme = await kit.team();
    const robin = await connect(app, acme);
    await addVisitors(acme, 50, { name: textOf("emoji", 255), content: "Faro" });
    for (let count = 0; count < 100; count += 1) {
      await app.perform(acme.actor, createAgent, {
        name: textOf("emoji", 250),
        email: `agent-${count}-${acme.teamId}@acme.test`,
        role: "CHAT_AGENT_MEMBER",
        passwordHash: null,
      });
    }
    for (const [tool, given] of [
      ["search-conversations", { query: "Faro", limit: 50 }],
      ["search-contacts", { query: "visitor.test", limit: 50 }],
      ["list-agents", { limit: 100 }],
      ["assign-conversation", { conversation_ids: [await anyId(robin)], agent_query: "agent-" }],
    ] as const) {
      const { status, text } = await robin.call(tool, given);
      expect([tool, status]).toEqual([tool, 200]);
      expect(countTokens(text), tool).toBeLessThan(HOST_TOKENS_MAX);
    }
  });

  const anyId = async (robin: ToolCaller) => (await robin.result("list-conversations")).conversations[0].id;
});

describe("the count of tokens", () => {
  test.each(scripts)("of %s is not below what a tokenizer counts, and at most four times as much", (script) => {
    const text = JSON.stringify(textOf(script, 3_000));
    expect(tokensOf(JSON.parse(text))).toBeGreaterThanOrEqual(countTokens(text) * 0.93);
    expect(tokensOf(JSON.parse(text))).toBeLessThan(countTokens(text) * 4);
  });

  test("of ids, times and names of keys is that of a tokenizer within a tenth", () => {
    const rows = Array.from({ length: 200 }, () => ({
      id: runtime.newId(),
      created_at: new Date(runtime.now()).toISOString(),
    }));
    expect(tokensOf(rows) / countTokens(JSON.stringify(rows))).toBeGreaterThan(0.95);
    expect(tokensOf(rows) / countTokens(JSON.stringify(rows))).toBeLessThan(1.1);
  });

  test("leaves nothing out: line breaks, quotes, white space and long words have tokens too", () => {
    expect(tokensOf("\n".repeat(1_000))).toBeGreaterThanOrEqual(1_000);
    expect(tokensOf(" ".repeat(16_000))).toBeGreaterThanOrEqual(1_000);
    expect(tokensOf("x".repeat(4_000))).toBeGreaterThanOrEqual(1_000);
    expect(tokensOf("")).toBeGreaterThan(0);
  });
});

describe("the rows that fit", () => {
  test("are the first ones, and the first in any case", () => {
    const small = { content: "x".repeat(4_000) };
    const rows = Array(100).fill(small);
    const fit = fitting(rows);
    expect(fit.length).toBe(Math.floor(RESULT_TOKENS_MAX / tokensOf(small)));
    expect(fitting([{ content: "🙂".repeat(50_000) }, small])).toHaveLength(1);
    expect(fitting([])).toEqual([]);
    expect(fitting([small, small])).toEqual([small, small]);
  });

  test("the beginning of a text cuts no character in two, and says that it goes on", () => {
    expect(beginning("Vera", 2)).toBe("Vera");
    expect(beginning("Vera is here", 3.2)).toBe("Vera …");
    expect(beginning("ab🙂🙂", 5)).toBe("ab🙂…");
    expect(beginning("ab🙂🙂", 4)).toBe("ab…");
    expect(beginning("你好吗", 4)).toBe("你…");
    expect(beginning("Vera Lindqvist", 5)).toBe("Vera Lindqvist");
    expect(beginning("Vera", 0)).toBe("…");
    expect(beginning("Vera", -1)).toBe("…");
    expect(beginning("", 0)).toBe("");
  });
});
