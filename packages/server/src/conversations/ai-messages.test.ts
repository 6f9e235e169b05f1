/** What visitors are shown of the built-in AI, over HTTP and live. */
import { Chat, ChatMessage } from "@frontdesk/core/contract/visitor";
import { problemsOf } from "@frontdesk/testing/ajv";
import { browser } from "@frontdesk/testing/browser-visitor";
import { aiOf } from "@frontdesk/testing/held-by-ai";
import { listen } from "@frontdesk/testing/live-client";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { repliesMail } from "../mail/replies-mail.ts";
import type { RepliesToMail } from "./replies-to-mail.ts";

const { app, runtime, team } = await startTestApp();
const origin = await app.start();

async function veraAndTheAi() {
  const acme = await team();
  const vera = browser(app, acme);
  const { chat } = await vera.write("How long do returns take?");
  const conversationId = String(chat.conversation.id);
  const ai = await aiOf(app, acme, { hasModel: true });
  await ai.holds(conversationId);
  const { number: since } = (await vera.chat()).body;
  const live = await listen(origin, { token: vera.token, widget_id: acme.widgetId, since });
  await live.heard("ready");
  return { acme, vera, ai, live, conversationId };
}

test("a message of the AI says so, with its sources, when it is fetched as when it comes live", async () => {
  const { vera, ai, live, conversationId } = await veraAndTheAi();
  const article_id = runtime.newId();
  const sources = [
    { title: "Returns", url: "https://acme.test/returns", article_id },
    { title: "Spain", url: null },
  ];
  await ai.says(conversationId, { content: "Five days.", sources });
  const event = await live.heard("event");
  const { body } = await vera.chat();
  expect(problemsOf(Chat, body)).toEqual([]);
  expect(problemsOf(ChatMessage, event.message)).toEqual([]);
  const [newest, own] = body.messages;
  expect(newest).toMatchObject({ from: "agent", by_ai: true, sources, agent: { id: ai.agentId, name: "Robin" } });
  expect(own).not.toHaveProperty("by_ai");
  expect(event).toMatchObject({ name: "message.sent", message: newest, conversation: body.conversation });
  expect(body.conversation.speaker).toBe("ai");
});

test("a person's message says nothing of an AI", async () => {
  const { acme, vera, conversationId } = await veraAndTheAi();
  await adaReplies(acme, conversationId);
  const { messages, conversation } = (await vera.chat()).body;
  for (const message of messages) {
    expect(message).not.toHaveProperty("by_ai");
    expect(message).not.toHaveProperty("sources");
  }
  expect(conversation.speaker).toBe("human");
});

test("no source has an address that is none of a web page, and a message without sources has no list of them", async () => {
  const { vera, ai, conversationId } = await veraAndTheAi();
  const hostile = ["javascript:alert(1)", "data:text/html,hi", "//acme.test", "ftp://acme.test", "JaVaScRiPt:1", ""];
  await ai.says(conversationId, { content: "One.", sources: hostile.map((url) => ({ title: "A", url })) });
  await ai.says(conversationId, { content: "Two.", kind: "chat" });
  const [two, one] = (await vera.chat()).body.messages;
  expect(one.sources).toEqual(hostile.map(() => ({ title: "A", url: null })));
  expect(two.by_ai).toBe(true);
  expect(two).not.toHaveProperty("sources");
});

test("a redacted message of the AI is still the AI's, without its sources", async () => {
  const { acme, vera, ai, conversationId } = await veraAndTheAi();
  const id = await ai.says(conversationId, {
    content: "Five days.",
    sources: [{ title: "Vera's returns", url: null }],
  });
  expect((await acme.post(`/messages/${id}/redact`, {})).status).toBe(200);
  const [message] = (await vera.chat()).body.messages;
  expect(message).toMatchObject({ id, by_ai: true, is_redacted: true, content: "" });
  expect(message).not.toHaveProperty("sources");
});

test("a mail with what the visitor has missed says which of it is the AI's, in text and in markup", () => {
  const message = { content: "Five days.", sent_via: "ai" } as RepliesToMail["replies"][number]["message"];
  const agent = { name: "Robin" } as RepliesToMail["replies"][number]["agent"];
  const replies = [{ message, agent, attachments: [] }];
  const about = { email: "vera@acme.test", answerTo: undefined, teamName: "Acme", page: undefined, replies, upTo: 2 };
  for (const [language, author] of [
    ["en", "Robin (AI)"],
    ["de", "Robin (KI)"],
  ] as const) {
    const mail = repliesMail("c", { ...about, language });
    expect(mail.text).toContain(`${author}:\nFive days.`);
    expect(mail.html).toContain(`<b>${author}</b>`);
  }
});
