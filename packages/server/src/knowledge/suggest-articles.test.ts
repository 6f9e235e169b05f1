import { inboxOperations } from "@frontdesk/core/contract/inbox";
import { problemsOf } from "@frontdesk/testing/ajv";
import { adasInbox } from "@frontdesk/testing/inbox-client";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { app, team, clock } = await startTestApp();

const acme = await team();
const ada = adasInbox(app, acme);
for (const [question, answer, is_published] of [
  ["How do returns work?", "Send it back **within 30 days**. A refund follows.", true],
  ["What does shipping cost?", "5 € to Europe.", true],
  ["Returns by pigeon", "Not announced yet.", false],
] as const) {
  clock.advance(1_000);
  await acme.post("/articles", { question, answer, is_published });
}
const suggested = async (q: string): Promise<string[]> => {
  const { status, body } = await ada.ask("GET", `/articles?q=${encodeURIComponent(q)}`);
  expect(status).toBe(200);
  expect(problemsOf(inboxOperations.suggestArticles.responses[200].body, body)).toEqual([]);
  return body.articles.map(({ question }: { question: string }) => question);
};

test("an agent finds published articles by their title and text, unfinished words and typos too", async () => {
  for (const typed of ["ret", "returns", "retunrs", "RETURNS work", "30 days", "refund"]) {
    expect(await suggested(typed), typed).toEqual(["How do returns work?"]);
  }
});

test("without a text the published articles come that were changed last", async () => {
  expect(await suggested("")).toEqual(["What does shipping cost?", "How do returns work?"]);
});

test("an order number, a color and a hashtag in a sentence find nothing", async () => {
  for (const typed of ["A1234", "fff", "WELCOME10", "welcome for a long summer with us"]) {
    expect(await suggested(typed), typed).toEqual([]);
  }
});

test("at most eight come, with a text and without", async () => {
  const other = await team();
  for (let number = 1; number <= 9; number += 1) {
    await other.post("/articles", { question: `Pigeons ${number}`, answer: "They fly.", is_published: true });
  }
  for (const typed of ["pigeons", ""]) {
    const { body } = await adasInbox(app, other).ask("GET", `/articles?q=${typed}`);
    expect(body.articles, typed).toHaveLength(8);
  }
});

test("an article comes as the text of a message", async () => {
  const { body } = await ada.ask("GET", "/articles?q=returns");
  expect(body.articles[0].text).toBe("How do returns work?\n\nSend it back within 30 days. A refund follows.");
});

test("a key needs the scope to read articles", async () => {
  const reader = adasInbox(app, await team({ scopes: ["conversations:read"] }));
  expect((await reader.ask("GET", "/articles?q=")).status).toBe(403);
});
