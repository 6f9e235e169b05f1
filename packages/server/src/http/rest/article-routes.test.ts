/** The knowledge base over REST: GET and POST /articles, GET, PATCH and DELETE /articles/{article} (decisions A53, A54). */
import { apiKeyScopes } from "@frontdesk/core/domain/policy";
import { robinCalls, robinJoins } from "@frontdesk/testing/assistant-at-work";
import { specifyList } from "@frontdesk/testing/list-promises";
import { idsOf, invalid, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { dump } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";

const server = await startTestApp();
const { team, storage, clock } = server;

const malta = { question: "Do you ship to Malta?", answer: "We do.\nIt takes a week." };

/** Ada writes an article; answers its id. */
async function adaWrites(acme: TestTeam, article: object = {}): Promise<string> {
  const { status, body } = await acme.post("/articles", { ...malta, ...article });
  expect(status).toBe(201);
  return body.data.id;
}

describe("POST /articles", () => {
  test("adds a published article in the name of the agent who made the key, and records article.created", async () => {
    const acme = await team();
    const events = await eventsOf(acme, async () => {
      const { status, body } = await acme.post("/articles", { question: `  ${malta.question} `, answer: malta.answer });
      expect(status).toBe(201);
      const now = new Date(clock.now()).toISOString();
      expect(body).toEqual({
        message: "Article added.",
        data: {
          type: "article",
          id: expect.any(String),
          attributes: { ...malta, is_published: true, created_by: acme.ada.id, created_at: now, updated_at: now },
        },
      });
    });
    expect(events).toMatchObject([
      { name: "article.created", actor: { kind: "api-key" }, data: { created_by: { agent: acme.ada } } },
    ]);
  });

  test("what it adds is found by an assistant at once, a draft not before it is published", async () => {
    const acme = await team();
    const robin = await robinJoins(acme, { permissions: ["search_knowledge_base"] });
    const found = async () =>
      (await robinCalls(server, robin, "search-knowledge-base", { query: "shiping to malta" })).body.results;
    const id = await adaWrites(acme, { is_published: false });
    expect(await found()).toEqual([]);
    await acme.patch(`/articles/${id}`, { is_published: true });
    expect(await found()).toEqual([{ id, ...malta }]);
    await acme.delete(`/articles/${id}`);
    expect(await found()).toEqual([]);
  });

  test.each([
    [{ answer: "Yes." }, ["question"]],
    [{ question: "Why?" }, ["answer"]],
    [{ ...malta, question: "" }, ["question"]],
    [{ ...malta, question: " \n " }, ["question"]],
    [{ ...malta, question: "one\nline" }, ["question"]],
    [{ ...malta, question: "é".repeat(501) }, ["question"]],
    [{ ...malta, answer: "" }, ["answer"]],
    [{ ...malta, answer: "\u200b" }, ["answer"]],
    [{ ...malta, answer: "x".repeat(20_001) }, ["answer"]],
    [{ question: 5, answer: null, is_published: "yes" }, ["question", "answer", "is_published"]],
  ])("refuses %.60j, and keeps nothing", async (body, fields) => {
    const acme = await team();
    const before = await acme.events();
    const answer = await acme.post("/articles", body);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual(invalid(...fields));
    expect(await acme.events()).toEqual(before);
    expect((await acme.get("/articles")).body.data).toEqual([]);
  });

  test("takes texts of 500 and 20,000 characters, whatever they are made of", async () => {
    const acme = await team();
    await adaWrites(acme, { question: "🙂".repeat(500), answer: "🙂".repeat(20_000) });
  });

  test("the same request with the same Idempotency-Key adds one article, and without it another", async () => {
    const acme = await team();
    const once = () => acme.post("/articles", malta, { "idempotency-key": "malta" });
    const [first, again] = [await once(), await once()];
    expect(again.body).toEqual(first.body);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    await adaWrites(acme);
    expect((await acme.get("/articles")).body.meta.pagination.total).toBe(2);
  });
});

describe("GET /articles", () => {
  specifyList({
    usual: 20,
    most: 100,
    filter: ["status", "draft"],
    async fill(rows) {
      const acme = await team();
      const ids: string[] = [];
      for (let row = 0; row < rows; row += 1) ids.unshift(await adaWrites(acme, { is_published: false }));
      return { team: acme, path: "/articles", ids };
    },
  });

  test("the ones that were changed last come first; status keeps the published ones, or the drafts", async () => {
    const acme = await team();
    const [one, two, three] = [await adaWrites(acme), await adaWrites(acme), await adaWrites(acme)];
    clock.advance(1_000);
    await acme.patch(`/articles/${one}`, { is_published: false });
    const listed = async (query: string) => {
      const list = await acme.get(`/articles${query}`);
      expect(list.body.meta.pagination.total).toBe(idsOf(list).length);
      return idsOf(list);
    };
    expect(await listed("")).toEqual([one, three, two]);
    expect(await listed("?status=all")).toEqual([one, three, two]);
    expect(await listed("?status=published")).toEqual([three, two]);
    expect(await listed("?status=draft")).toEqual([one]);
    const wrong = await acme.get("/articles?status=open");
    expect(wrong.status).toBe(422);
    expect(wrong.body).toEqual(invalid("status"));
  });

  test("a search answers the published ones that fit, the best first, as an assistant finds them", async () => {
    const acme = await team();
    const robin = await robinJoins(acme);
    await adaWrites(acme, { question: "How do I pay?", answer: "By card." });
    const other = await adaWrites(acme, { question: "Where do you ship?", answer: "All over Europe, Malta too." });
    const best = await adaWrites(acme);
    await adaWrites(acme, { is_published: false });
    const query = "shipping to malta";
    const list = await acme.get(`/articles?search=${encodeURIComponent(` ${query} `)}`);
    expect(idsOf(list)).toEqual([best, other]);
    expect(list.body.meta.pagination).toMatchObject({ total: 2, count: 2, total_pages: 1 });
    const found = (await robinCalls(server, robin, "search-knowledge-base", { query })).body.results;
    expect(found.map(({ id }: { id: string }) => id)).toEqual(idsOf(list));

    const second = await acme.get(`/articles?search=malta&status=published&limit=1&page=2`);
    expect(idsOf(second)).toEqual([other]);
    expect(second.body.meta.pagination).toMatchObject({ total: 2, count: 1, total_pages: 2 });
    expect(new URL(second.body.links.first).searchParams.get("search")).toBe("malta");
    expect((await acme.get("/articles?search=zeppelin")).body.data).toEqual([]);
  });

  test("a search finds at most 50", async () => {
    const acme = await team();
    for (let count = 0; count < 51; count += 1) await adaWrites(acme);
    const { body } = await acme.get("/articles?search=malta&limit=100");
    expect(body.meta.pagination).toMatchObject({ total: 50, count: 50 });
  });

  test("an empty search is none; one of 255 characters is taken, a longer one and one among drafts are refused", async () => {
    const acme = await team();
    const id = await adaWrites(acme, { is_published: false });
    expect(idsOf(await acme.get("/articles?search=%20"))).toEqual([id]);
    expect(idsOf(await acme.get("/articles?search=&status=draft"))).toEqual([id]);
    expect((await acme.get(`/articles?search=${"x".repeat(255)}`)).status).toBe(200);
    for (const query of [`search=${"x".repeat(256)}`, "search=malta&status=draft"]) {
      const { status, body } = await acme.get(`/articles?${query}`);
      expect(status).toBe(422);
      expect(body).toEqual(invalid("search"));
    }
  });
});

describe("GET, PATCH and DELETE /articles/{article}", () => {
  test("an article is read, changed and deleted, each change recorded once", async () => {
    const acme = await team();
    const id = await adaWrites(acme);
    const { body: read } = await acme.get(`/articles/${id}`);
    expect(read).toMatchObject({ data: { id, attributes: malta } });
    clock.advance(1_000);
    const events = await eventsOf(acme, async () => {
      const change = { answer: "We do, in three days." };
      const { status, body } = await acme.patch(`/articles/${id}`, change);
      expect(status).toBe(200);
      const now = new Date(clock.now()).toISOString();
      expect(body).toEqual({
        message: "Article updated.",
        data: { ...read.data, attributes: { ...read.data.attributes, ...change, updated_at: now } },
      });
      // An equal value is left as it is.
      expect((await acme.patch(`/articles/${id}`, change)).body).toEqual(body);
      expect(await acme.delete(`/articles/${id}`)).toMatchObject({ status: 200, body: refused("Article deleted.") });
    });
    expect(events).toMatchObject([
      { name: "article.updated", data: { updated_fields: ["answer"], updated_by: { agent: acme.ada } } },
      { name: "article.removed", data: { removed_by: { agent: acme.ada } } },
    ]);
    for (const gone of [await acme.get(`/articles/${id}`), await acme.delete(`/articles/${id}`)]) {
      expect(gone).toMatchObject({ status: 404, body: refused("Article not found.") });
    }
  });

  test("a change names at least one field, and none that breaks a rule", async () => {
    const acme = await team();
    const id = await adaWrites(acme);
    const before = await dump(storage);
    for (const body of [{ title: "Malta" }, { is_published: false, question: " " }, { answer: null }, {}]) {
      expect((await acme.patch(`/articles/${id}`, body)).status).toBe(422);
    }
    expect(withoutUse(await dump(storage))).toBe(withoutUse(before));
  });

  test("another team's article, and no id at all, is as one that does not exist", async () => {
    const [acme, sams] = [await team(), await team()];
    const id = await adaWrites(acme);
    for (const unknown of [id, ...NO_IDS.map(encodeURIComponent)]) {
      const path = `/articles/${unknown}`;
      const answers = [await sams.get(path), await sams.patch(path, { is_published: false }), await sams.delete(path)];
      for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: refused("Article not found.") });
    }
    expect((await acme.get(`/articles/${id}`)).body.data.attributes.is_published).toBe(true);
  });
});

test("reading needs knowledge:read, writing knowledge:write; a key that was made before has neither", async () => {
  const before = apiKeyScopes.filter((scope) => !scope.startsWith("knowledge:"));
  const statuses = async (scopes: readonly (typeof apiKeyScopes)[number][]) => {
    const acme = await team({ scopes });
    const path = `/articles/${NO_IDS[0]}`;
    const asked = [acme.get("/articles"), acme.get(path), acme.post("/articles", malta), acme.patch(path, malta)];
    return (await Promise.all([...asked, acme.delete(path)])).map(({ status }) => status);
  };
  expect(await statuses(["knowledge:read"])).toEqual([200, 404, 403, 403, 403]);
  expect(await statuses(["knowledge:write"])).toEqual([403, 403, 201, 404, 404]);
  expect(await statuses(before)).toEqual([403, 403, 403, 403, 403]);
});

/** What is stored, but for when keys were used, and for the call log, which takes reads in a moment after them. */
const withoutUse = (rows: string) => rows.replaceAll(/"last_used_at":\w+/g, "").replace(/^tool_calls: .*$/m, "");
