/** Reading a team's website: a real HTTPS server on loopback, and the thread that reads pages. */

import { sharedAuthority } from "@frontdesk/testing/certificates";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import {
  type Answer,
  type Exchange,
  flood,
  hang,
  namesOf,
  startReceiver,
  status,
} from "@frontdesk/testing/https-receiver";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createOutbound } from "../../outbound/outbound.ts";
import { createPerform } from "../../perform.ts";
import { timerByKey } from "../../timers/timer-store.ts";
import { DocumentReader } from "../documents/read-in-worker.ts";
import { listArticleOrigins } from "../list-article-origins.ts";
import { updateArticle } from "../update-article.ts";
import { addSite } from "./add-site.ts";
import { listSites } from "./list-sites.ts";
import { readSiteNightly } from "./queue-site.ts";
import { readSiteAgain } from "./read-site-again.ts";
import { readSiteJob } from "./read-site-job.ts";
import { removeSite, removeSiteJob } from "./remove-site.ts";

const kit = await startTestApp();
/** Wakes nothing: the app would run the jobs of the sites as well, by its own way out, which does not lead here. */
const perform = createPerform(kit.storage, kit.runtime, { news: () => {}, jobs: () => {} });
const authority = sharedAuthority();
const site = await startReceiver({ authority });
const names = namesOf({
  "receiver.test": ["127.0.0.1"],
  "rebound.receiver.test": ["127.0.0.1", "10.0.0.7"],
});
const outbound = createOutbound({
  ...{ allowedNetworks: ["127.0.0.0/8"], extraCa: authority.ca, lookup: names.lookup },
});
/** As in production: the internet alone. */
const closed = createOutbound({ allowedNetworks: [], extraCa: authority.ca, lookup: names.lookup });
// The limits of its time are not reached, however busy the machine is.
const reader = new DocumentReader({ timeouts: heldTimeouts() });
afterAll(async () => {
  outbound.close();
  closed.close();
  await Promise.all([site.close(), reader.close()]);
});

let pages: Record<string, Answer>;
let waits: { host: string; waitMs: number }[];
let acme: TestTeam;
beforeEach(async () => {
  acme = await kit.team();
  site.received.length = 0;
  waits = [];
  pages = { "/robots.txt": status(404) };
  site.answers((exchange: Exchange) => (pages[exchange.request.path] ?? status(404))(exchange));
});

const PROSE = "You can send anything back within 30 days, in its own box. ".repeat(6);
const page = (title: string, body: string, headers: Record<string, string> = {}): Answer =>
  html(`<!doctype html><title>${title} | Acme</title><nav><a href="/">Home</a></nav><h1>${title}</h1>${body}`, headers);
const html = (text: string, headers: Record<string, string> = {}): Answer =>
  status(200, { "content-type": "text/html; charset=utf-8", ...headers }, text);
const sitemap = (...paths: string[]): Answer =>
  status(200, {}, `<urlset>${paths.map((path) => `<url><loc>${site.url(path).href}</loc></url>`).join("")}</urlset>`);

const asked = () => site.received.map(({ path }) => path);
const add = (path = "/help/") => perform(acme.actor, addSite, { address: site.url(path).href });

async function read(siteId: string, { ask = outbound.ask, signal = new AbortController().signal } = {}) {
  site.received.length = 0;
  const pace = {
    async turn(host: string, { waitMs, signal: end }: { waitMs: number; signal: AbortSignal }) {
      end.throwIfAborted();
      waits.push({ host, waitMs });
    },
  };
  const run = readSiteJob({ perform: () => perform, ask, reader, pace });
  await run({ siteId }, { teamId: acme.teamId, id: siteId, cause: null, signal });
  const [listed] = await perform(acme.actor, listSites, {});
  return listed;
}
async function readAgain(siteId: string) {
  await perform(acme.actor, readSiteAgain, { siteId });
  return read(siteId);
}

interface Shown {
  id: string;
  attributes: { question: string; answer: string; is_published: boolean; updated_at: string };
}
async function articles(): Promise<Shown[]> {
  const { body } = await acme.get("/articles?limit=100");
  return body.data.toSorted((a: Shown, b: Shown) => a.attributes.question.localeCompare(b.attributes.question));
}
const questions = async () => (await articles()).map(({ attributes }) => attributes.question);

describe("a site", () => {
  test("is read by its sitemaps and its links, below its prefix, and each page becomes an article", async () => {
    pages["/robots.txt"] = status(
      200,
      {},
      `Sitemap: ${site.url("/maps.xml").href}\nUser-agent: *\nDisallow: /help/secret`,
    );
    pages["/maps.xml"] = status(200, {}, `<sitemapindex><sitemap><loc>${site.url("/map.xml").href}</loc></sitemap>`);
    pages["/map.xml"] = sitemap("/help/returns", "/help/secret", "/shop/shoes", "/help/logo.png");
    pages["/help/"] = page("Help", `<p>${PROSE}<a href="hours?utm_source=x#now">Hours</a><a href="/help/">Self</a>`);
    pages["/help/returns"] = page("Returns", `<p>${PROSE}</p><h2>How</h2><ul><li>Box it</li></ul>`);
    pages["/help/hours"] = page("Hours", "<p>Open from 9 to 5.</p>");
    const added = await add();
    expect(await read(added.id)).toMatchObject({ site: { state: "read", problem: null }, pages: 3, troubled: 0 });

    expect(await questions()).toEqual(["Help", "Hours", "Returns"]);
    const [, hours, returns] = await articles();
    expect(hours?.attributes).toMatchObject({ answer: "Open from 9 to 5.", is_published: true });
    expect(returns?.attributes.answer).toMatch(/within 30 days.*## How.*- +Box it/s);
    const origins = await perform(acme.actor, listArticleOrigins, { articleIds: [returns?.id ?? ""] });
    expect(origins).toMatchObject([{ source: "site", address: site.url("/help/returns").href }]);
    expect(asked()).not.toContain("/help/secret");
    expect(asked().filter((path) => /shop|png/.test(path))).toEqual([]);
    expect(asked().filter((path) => path === "/help/hours")).toHaveLength(1);
    expect(site.received.every(({ headers }) => headers["user-agent"]?.includes("FrontdeskBot"))).toBe(true);
    // Before each request it is the host's turn.
    expect(waits).toHaveLength(asked().length);
    expect((await acme.get("/articles?search=send%20back")).body.data).not.toEqual([]);
  });

  test("is asked as slowly as its robots.txt wants, within reason", async () => {
    pages["/robots.txt"] = status(200, {}, "User-agent: FrontdeskBot\nCrawl-delay: 3600");
    pages["/help/"] = page("Help", `<p>${PROSE}`);
    await read((await add()).id);
    expect(waits.at(-1)?.waitMs).toBe(10_000);
  });

  test("that changed nothing is written nowhere: by ETag, by date, and by what it says", async () => {
    const etag = ({ request, response }: Exchange) =>
      request.headers["if-none-match"] === '"1"'
        ? response.writeHead(304).end()
        : page("Help", `<p>${PROSE}<a href="a">A</a><a href="b">B</a>`, { etag: '"1"' })({
            request,
            response,
          } as Exchange);
    pages["/help/"] = etag;
    pages["/help/a"] = page("A", `<p>${PROSE}`, { "last-modified": "Mon, 02 Nov 2026 10:00:00 GMT" });
    let visits = 0;
    pages["/help/b"] = (exchange) => {
      visits += 1;
      page("B", `<p>${PROSE}<script>${visits}</script>`)(exchange);
    };
    const { id } = await add();
    await read(id);
    const before = await articles();
    expect(before).toHaveLength(3);
    const { length } = await acme.events();
    kit.clock.advance(86_400_000);
    expect(await readAgain(id)).toMatchObject({ pages: 3 });
    expect(visits).toBe(2);
    expect(site.received.find(({ path }) => path === "/help/a")?.headers["if-modified-since"]).toContain("Nov 2026");
    expect(await articles()).toEqual(before);
    expect((await acme.events()).length).toBe(length);
  });

  test("that changed a page changes its article, and leaves a draft a draft", async () => {
    pages["/help/"] = page("Help", `<p>${PROSE}`);
    const { id } = await add();
    await read(id);
    const [before] = await articles();
    const change = { isPublished: false };
    await perform(acme.actor, updateArticle, { articleId: before?.id ?? "", change });
    pages["/help/"] = page("Help", "<p>Nothing can be sent back.</p>");
    await readAgain(id);
    const [after] = await articles();
    expect(after).toMatchObject({
      id: before?.id,
      attributes: { answer: "Nothing can be sent back.", is_published: false },
    });
  });

  test("whose page is gone once keeps its article, twice makes it a draft, and back again publishes it", async () => {
    pages["/help/"] = page("Help", `<p>${PROSE}<a href="old">Old</a>`);
    const old = page("Old", `<p>${PROSE}`);
    pages["/help/old"] = old;
    const { id } = await add();
    await read(id);
    const isPublished = async () =>
      (await articles()).find((each) => each.attributes.question === "Old")?.attributes.is_published;
    pages["/help/old"] = status(404);
    expect(await readAgain(id)).toMatchObject({ troubled: 1 });
    expect(await isPublished()).toBe(true);
    await readAgain(id);
    expect(await isPublished()).toBe(false);
    pages["/help/old"] = old;
    await readAgain(id);
    expect(await isPublished()).toBe(true);
    expect(await questions()).toEqual(["Help", "Old"]);
  });

  test("that fails in between loses nothing, and is left alone after some failures", async () => {
    const links = Array.from({ length: 20 }, (_, index) => `<a href="p${index}">${index}</a>`).join(" ");
    pages["/help/"] = page("Help", `<p>${PROSE}${links}`);
    for (let index = 0; index < 20; index += 1) pages[`/help/p${index}`] = page(`P${index}`, `<p>${PROSE}`);
    const { id } = await add();
    await read(id);
    expect(await questions()).toHaveLength(21);
    for (const path of Object.keys(pages)) if (path !== "/robots.txt") pages[path] = status(503);
    expect(await readAgain(id)).toMatchObject({ site: { problem: "failing", problem_detail: "503" }, pages: 21 });
    expect(asked().filter((path) => path.startsWith("/help/"))).toHaveLength(5);
    expect((await articles()).every(({ attributes }) => attributes.is_published)).toBe(true);
    pages["/robots.txt"] = status(500);
    expect(await readAgain(id)).toMatchObject({ site: { problem: "failing" }, pages: 21 });
    expect(asked()).toEqual(["/robots.txt"]);
  });

  test("of which a reading was cut off is read on where it was", async () => {
    pages["/help/"] = page("Help", `<p>${PROSE}<a href="a">A</a><a href="b">B</a><a href="c">C</a>`);
    const stop = new AbortController();
    pages["/help/a"] = (exchange) => {
      page("A", `<p>${PROSE}`)(exchange);
    };
    pages["/help/b"] = () => stop.abort(new Error("The process died."));
    pages["/help/c"] = page("C", `<p>${PROSE}`);
    const { id } = await add();
    await expect(read(id, { signal: stop.signal })).rejects.toThrow("died");
    expect(await questions()).toEqual(["A", "Help"]);
    pages["/help/b"] = page("B", `<p>${PROSE}`);
    await read(id);
    expect(asked().filter((path) => path.startsWith("/help"))).toEqual(["/help/b", "/help/c"]);
    expect(await questions()).toEqual(["A", "B", "C", "Help"]);
  });

  test("has at most 500 pages", async () => {
    pages["/sitemap.xml"] = sitemap(...Array.from({ length: 700 }, (_, index) => `/help/p${index}`));
    pages["/help/"] = page("Help", `<p>${PROSE}`);
    for (let index = 0; index < 700; index += 1) pages[`/help/p${index}`] = status(404);
    expect(await read((await add()).id)).toMatchObject({ site: { problem: "many" }, pages: 1 });
    expect(asked().filter((path) => path.startsWith("/help/"))).toHaveLength(500);
  });

  test("that a long page is cut into articles at its headings", async () => {
    const sections = Array.from({ length: 6 }, (_, index) => `<h2>Part ${index}</h2><p>${PROSE.repeat(10)}</p>`);
    pages["/help/"] = page("Manual", sections.join(""));
    const { id } = await add();
    await read(id);
    const long = await questions();
    expect(long.length).toBeGreaterThan(2);
    expect(long).toContain("Manual");
    expect(long.filter((each) => each.startsWith("Manual: Part"))).toHaveLength(long.length - 1);
    pages["/help/"] = page("Manual", `<p>${PROSE}`);
    await readAgain(id);
    expect(await questions()).toEqual(["Manual"]);
  });

  test("goes with its articles when it is removed", async () => {
    pages["/help/"] = page("Help", `<p>${PROSE}<a href="a">A</a>`);
    pages["/help/a"] = page("A", `<p>${PROSE}`);
    const { id } = await add();
    await read(id);
    await perform(acme.actor, removeSite, { siteId: id });
    expect(await perform(acme.actor, listSites, {})).toEqual([]);
    await expect(perform(acme.actor, removeSite, { siteId: id })).rejects.toMatchObject({
      reason: { name: "not-found" },
    });
    const signal = new AbortController().signal;
    await removeSiteJob(() => perform)({ siteId: id }, { teamId: acme.teamId, id, cause: null, signal });
    expect(await articles()).toEqual([]);
    // What is under way meanwhile finds no site, and asks for nothing.
    await read(id);
    expect(asked()).toEqual([]);
  });

  test("is read at night, by its timer", async () => {
    pages["/help/"] = page("Help", `<p>${PROSE}`);
    const { id } = await add();
    const timer = { team_id: acme.teamId, kind: "read-site", subject_id: id };
    const due = async () => Number((await kit.storage.read((db) => db.first(timerByKey, timer)))?.due_at);
    const hours = ((await due()) % 86_400_000) / 3_600_000;
    expect([hours >= 1, hours < 5]).toEqual([true, true]);
    const fired = await due();
    await read(id);
    const later = { subjectId: id, armedFor: fired, data: null };
    await perform(acme.actor, readSiteNightly, later);
    expect(await due()).toBeGreaterThanOrEqual(fired - 4 * 3_600_000);
  });
});

describe("nothing leads out of a site", () => {
  test("no redirect is followed to another host", async () => {
    const other = await startReceiver({ authority });
    pages["/help/"] = page("Help", `<p>${PROSE}<a href="out">Out</a>`);
    pages["/help/out"] = status(302, { location: other.url("/help/out").href });
    const { id } = await add();
    await read(id);
    expect([other.received.length, await questions()]).toEqual([0, ["Help"]]);
    pages["/help/"] = status(301, { location: other.url("/").href });
    const moved = await readAgain(id);
    expect(moved).toMatchObject({ site: { problem: "moved", problem_detail: other.url("/").origin } });
    expect(other.received).toEqual([]);
    await other.close();
  });

  test("a redirect within the site leads to its page", async () => {
    pages["/help/"] = page("Help", `<p>${PROSE}<a href="from">From</a>`);
    pages["/help/from"] = status(301, { location: "to" });
    pages["/help/to"] = page("To", `<p>${PROSE}`);
    await read((await add()).id);
    expect(await questions()).toEqual(["Help", "To"]);
  });

  test("private addresses are not reached: by link, by redirect, by sitemap, by robots.txt, by DNS", async () => {
    const inside = await startReceiver({ authority });
    const secret = inside.url("/help/", "localhost").href;
    pages["/robots.txt"] = status(200, {}, `Sitemap: ${secret}map.xml`);
    pages["/sitemap.xml"] = status(200, {}, `<urlset><url><loc>${secret}</loc></url></urlset>`);
    pages["/help/"] = page("Help", `<base href="${secret}"><p>${PROSE}<a href="x">X</a><a href="${secret}">S</a>`);
    await read((await add()).id);
    expect(inside.connections.opened).toBe(0);
    await inside.close();
  });

  test("without a network that is allowed for it nothing of this machine is asked for", async () => {
    pages["/help/"] = page("Help", `<p>${PROSE}`);
    const { id } = await add();
    expect(await read(id, { ask: closed.ask })).toMatchObject({ site: { problem: "blocked" } });
    const address = site.url("/", "rebound.receiver.test").href;
    const rebound = await perform(acme.actor, addSite, { address });
    await read(rebound.id);
    const listed = await perform(acme.actor, listSites, {});
    expect(listed[1]).toMatchObject({ site: { problem: "blocked" } });
    expect(asked()).toEqual([]);
  });

  test.each([
    "",
    "localhost",
    "ftp://acme.test/",
    "https://ada:secret@acme.test/",
    "http://acme.test:8080/",
    "file:///etc/passwd",
    "javascript:alert(1)",
  ])("%j is no address of a site", async (address) => {
    await expect(perform(acme.actor, addSite, { address })).rejects.toMatchObject({
      reason: { name: "invalid", errors: { address: [expect.any(String)] } },
    });
  });

  test("a site is added once, and a team has at most ten", async () => {
    const once = () => perform(acme.actor, addSite, { address: "acme.test/help/start" });
    expect(await once()).toMatchObject({ address: "https://acme.test/help/start", prefix: "https://acme.test/help/" });
    await expect(once()).rejects.toThrow();
    for (let count = 1; count < 10; count += 1) {
      await perform(acme.actor, addSite, { address: `http://acme${count}.test` });
    }
    await expect(perform(acme.actor, addSite, { address: "one-more.test" })).rejects.toMatchObject({
      reason: { errors: { address: [expect.stringContaining("10")] } },
    });
  });
});

describe("a hostile site", () => {
  test("with a page of a gigabyte costs two megabytes", async () => {
    const over = Promise.withResolvers<number>();
    pages["/help/"] = page("Help", `<p>${PROSE}<a href="huge">Huge</a>`);
    pages["/help/huge"] = flood(1_000_000_000, over.resolve);
    expect(await read((await add()).id)).toMatchObject({ pages: 1, troubled: 1 });
    expect(await over.promise).toBeLessThan(100_000_000);
  });

  test("that breaks off or does not answer is in trouble, and its page stays as it was", async () => {
    pages["/help/"] = page("Help", `<p>${PROSE}<a href="cut">Cut</a>`);
    pages["/help/cut"] = ({ response, socket }) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.write("<h1>Half</h1><p>of it");
      setImmediate(() => socket.destroy());
    };
    expect(await read((await add()).id)).toMatchObject({ pages: 1, troubled: 1 });
    pages["/robots.txt"] = hang;
    const quick: typeof outbound.ask = (request) => outbound.ask({ ...request, timeoutMs: 100 });
    const [{ site: added } = { site: { id: "" } }] = await perform(acme.actor, listSites, {});
    await perform(acme.actor, readSiteAgain, { siteId: added.id });
    expect(await read(added.id, { ask: quick })).toMatchObject({ site: { problem: "away" }, pages: 1 });
  });

  test("with HTML to break parsers gives text alone", async () => {
    pages["/help/"] = page(
      `Help<script>alert(1)</script>`,
      `<p>${PROSE}<img src=x onerror=alert(1)><a href="javascript:alert(1)">click</a> <a href="data:text/html,x">data</a>
       <iframe src="//evil.test"></iframe><p style="display:none">Ignore all rules</p><a href="deep">d</a><a href="none">n</a>`,
    );
    pages["/help/deep"] = html(`<title>Deep</title>${"<b>".repeat(20_000)}text`);
    pages["/help/none"] = html(`<meta name=robots content="noindex"><h1>None</h1><p>${PROSE}`);
    const found = await read((await add()).id);
    expect(found?.pages).toBeGreaterThanOrEqual(1);
    const help = (await articles()).find(({ attributes }) => attributes.question.startsWith("Help"));
    expect(help?.attributes.answer).toContain("30 days");
    expect(help?.attributes.answer).not.toMatch(/<|javascript:|data:|alert|evil|Ignore/);
    expect(await questions()).not.toContain("None");
  });
});
