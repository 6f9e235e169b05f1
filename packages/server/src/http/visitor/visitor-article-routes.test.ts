/** Articles in the widget, over HTTP (docs/decisions/0051-articles-for-visitors.md). */
import { visitorArticles } from "@frontdesk/core/contract/visitor";
import { problemsOf } from "@frontdesk/testing/ajv";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { app, team } = await startTestApp();

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `203.0.113.${addresses}`;
}

async function ask(widgetId: string, path: string, { address = newAddress(), tag = "" } = {}) {
  const answer = await app.http.inject({
    url: `/visitor/${widgetId}/articles${path}`,
    remoteAddress: address,
    headers: { ...(tag && { "if-none-match": tag }) },
  });
  const { statusCode: status, headers, payload } = answer;
  return { status, headers, body: payload === "" ? undefined : answer.json() };
}

/** A team with articles, and a widget that suggests them. */
async function shop({ suggests = true } = {}) {
  const acme = await team();
  const add = async (question: string, answer: string, is_published = true): Promise<string> =>
    (await acme.post("/articles", { question, answer, is_published })).body.data.id;
  if (suggests) await suggest(acme, true);
  return { acme, add };
}

const suggest = (acme: TestTeam, suggest_articles: boolean) =>
  acme.patch(`/widgets/${acme.widgetId}`, { settings: { suggest_articles } });

test("a visitor finds at most three published articles, the best first, without being known", async () => {
  const { acme, add } = await shop();
  const best = await add("How long does shipping to Portugal take?", "Three days.");
  for (const country of ["Spain", "France", "Italy"]) await add(`Shipping to ${country}`, "Two days.");
  await add("Shipping to Portugal by pigeon", "Not yet announced.", false);
  const { status, body } = await ask(acme.widgetId, "?q=shiping%20to%20portugal");
  expect(status).toBe(200);
  expect(problemsOf(visitorArticles.suggestArticles.responses[200].body, body)).toEqual([]);
  expect(body.articles).toHaveLength(3);
  expect(body.articles[0]).toEqual({ id: best, question: "How long does shipping to Portugal take?" });
  expect(JSON.stringify(body)).not.toContain("pigeon");
  expect((await ask(acme.widgetId, "?q=%20")).body).toEqual({ articles: [] });
});

test("an article is read in parts, without markup; a draft and an article of another team are not there", async () => {
  const { acme, add } = await shop();
  const id = await add("Returns", "# Within 30 days\n\n<script>x</script>\n\n[Terms](https://acme.test/terms)");
  const draft = await add("Soon", "A secret.", false);
  const other = await shop();
  const theirs = await other.add("Theirs", "Theirs.");
  const { status, body } = await ask(acme.widgetId, `/${id}`);
  expect(status).toBe(200);
  expect(problemsOf(visitorArticles.readArticle.responses[200].body, body)).toEqual([]);
  expect(body.article).toEqual({
    id,
    question: "Returns",
    answer: [
      { type: "heading", text: [{ text: "Within 30 days" }] },
      { type: "paragraph", text: [{ text: "Terms", href: "https://acme.test/terms" }] },
    ],
  });
  for (const missing of [draft, theirs, "nonsense"]) {
    expect((await ask(acme.widgetId, `/${missing}`)).status, missing).toBe(404);
  }
});

test("a widget that suggests no articles has none: as long as its owner has not chosen it, and after they took it back", async () => {
  const { acme, add } = await shop({ suggests: false });
  const id = await add("Shipping", "Three days.");
  const statuses = async () => [
    (await ask(acme.widgetId, "?q=shipping")).status,
    (await ask(acme.widgetId, `/${id}`)).status,
  ];
  expect(await statuses()).toEqual([404, 404]);
  await suggest(acme, true);
  expect(await statuses()).toEqual([200, 200]);
  await suggest(acme, false);
  expect(await statuses()).toEqual([404, 404]);
  expect((await ask("nonsense", "?q=shipping")).status).toBe(404);
});

test("an answer that has not changed is not sent again", async () => {
  const { acme, add } = await shop();
  const id = await add("Shipping", "Three days.");
  const first = await ask(acme.widgetId, `/${id}`);
  expect(first.headers["cache-control"]).toBe("private, max-age=60");
  const tag = String(first.headers.etag);
  expect(await ask(acme.widgetId, `/${id}`, { tag })).toMatchObject({ status: 304, body: undefined });
  await acme.patch(`/articles/${id}`, { answer: "Two days." });
  const second = await ask(acme.widgetId, `/${id}`, { tag });
  expect(second.status).toBe(200);
  expect(second.headers.etag).not.toBe(tag);
  // A refusal is not kept.
  expect((await ask(acme.widgetId, "/nonsense")).headers).toMatchObject({ "cache-control": "no-store" });
});

test("an address asks 200 times a minute, then it waits; others do not", async () => {
  const { acme, add } = await shop();
  await add("Shipping", "Three days.");
  const address = newAddress();
  const statuses: number[] = [];
  for (let count = 0; count < 201; count += 1) statuses.push((await ask(acme.widgetId, "?q=", { address })).status);
  expect(statuses.lastIndexOf(200)).toBe(199);
  const refused = await ask(acme.widgetId, "?q=shipping", { address });
  expect(refused.status).toBe(429);
  expect(refused.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  expect((await ask(acme.widgetId, "?q=shipping")).status).toBe(200);
});

test("a text that is too long is refused by its name", async () => {
  const { acme } = await shop();
  const { status, body } = await ask(acme.widgetId, `?q=${"x".repeat(256)}`);
  expect(status).toBe(422);
  expect(Object.keys(body.errors)).toEqual(["q"]);
});
