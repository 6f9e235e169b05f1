import { createHash, createHmac } from "node:crypto";
import { eventNames, events, type RestOperation, rest } from "@frontdesk/core/contract";
import { VERIFY_EXAMPLE } from "@frontdesk/core/contract/verify-example";
import { policyOf } from "@frontdesk/core/domain/policy";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { referenceRoutes } from "./reference-routes.ts";

const app = Fastify();
app.register(referenceRoutes, { publicUrl: "https://chat.acme.test" });
const answer = await app.inject("/docs");
const page = answer.payload;
/** The page as a reader sees it. */
const text = page
  .replace(/<style>[\s\S]*?<\/style>/, "")
  .replaceAll(/<[^>]*>/g, "")
  .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

test("the reference shows every operation with its method, path, scope, fields, examples and errors", () => {
  for (const operation of Object.values<RestOperation>(rest)) {
    const article = articleOf(operation.id);
    expect(article, operation.id).toContain(`${operation.method} ${operation.path}`);
    expect(article, operation.id).toContain(operation.summary);
    const { apiKey: scope } = policyOf(operation.performs);
    expect(article, operation.id).toContain(`scope ${scope}`);
    for (const schema of [operation.params, operation.query, operation.body]) {
      for (const name of Object.keys(schema?.properties ?? {})) expect(article, operation.id).toContain(name);
    }
    expect(article, operation.id).toContain("https://chat.acme.test/api/v1/");
    const { response } = operation.example;
    const shown = typeof response === "string" ? response : JSON.stringify(response, null, 2);
    expect(article, operation.id).toContain(shown);
    expect(article, operation.id).toContain("400, 401, 403");
  }
});

test("the reference shows every event with its payload", () => {
  for (const name of eventNames) {
    const article = articleOf(name);
    expect(article).toContain(events[name].description);
    expect(article).toContain('"id": "evt_');
    for (const [key, value] of Object.entries(events[name].example)) {
      expect(article, name).toContain(`"${key}": ${JSON.stringify(value, null, 2).replaceAll("\n", "\n    ")}`);
    }
  }
  expect(text).toContain("X-Service-Delivery-Attempt");
});

test("the reference runs nothing, loads nothing and may not be framed", () => {
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page).not.toMatch(/<script|<link|<img|<iframe| style=| on\w+=|javascript:|@import|url\(/i);
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(answer.headers["content-security-policy"]).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(answer.headers["x-frame-options"]).toBe("DENY");
});

test("the reference is well-formed: every tag is closed where it was opened, and no paragraph holds a block", () => {
  const blocks = new Set(["p", "ul", "table", "div", "section", "article", "figure", "pre", "dl", "details"]);
  const open: string[] = [];
  for (const [, slash, name = ""] of page.matchAll(/<(\/)?([a-z][a-z0-9]*)[^>]*>/g)) {
    if (["meta", "br"].includes(name)) continue;
    if (slash) expect(open.pop(), `</${name}> in ${open.join(" ")}`).toBe(name);
    else {
      expect(blocks.has(name) && open.includes("p"), `${name} in ${open.join(" ")}`).toBe(false);
      open.push(name);
    }
  }
  expect(open).toEqual([]);
});

test("every place of the reference has one name, and every link within it leads somewhere", () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
});

test("the check of a signature in the reference takes a true delivery and refuses changed and old ones", async () => {
  expect(text).toContain(VERIFY_EXAMPLE);
  const { isFromFrontdesk } = await import(`data:text/javascript,${encodeURIComponent(VERIFY_EXAMPLE)}`);
  const secret = "whsec_for-this-test";
  const body = Buffer.from('{"id":"evt_1"}');
  const signed = (seconds: number) => ({
    "x-service-timestamp": String(seconds),
    "x-service-signature": `sha256=${createHmac("sha256", secret).update(`${seconds}.`).update(body).digest("hex")}`,
  });
  const now = Math.floor(Date.now() / 1_000);
  expect(isFromFrontdesk(signed(now), body, secret)).toBe(true);
  expect(isFromFrontdesk(signed(now), Buffer.from('{"id":"evt_2"}'), secret)).toBe(false);
  expect(isFromFrontdesk(signed(now), body, "whsec_another")).toBe(false);
  expect(isFromFrontdesk(signed(now - 301), body, secret)).toBe(false);
  expect(isFromFrontdesk({}, body, secret)).toBe(false);
});

/** What a reader sees of the article with this anchor. */
function articleOf(id: string): string {
  const start = page.indexOf(`<article id="${id}">`);
  expect(start, id).toBeGreaterThan(0);
  return page
    .slice(start, page.indexOf("</article>", start))
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
