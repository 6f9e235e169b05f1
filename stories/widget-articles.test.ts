/** Articles in the widget, before the first message (docs/decisions/0051-articles-for-visitors.md). */
import { looksOf, violations } from "@frontdesk/testing/accessibility";
import { deep } from "@frontdesk/testing/depth";
import {
  bubbles,
  openChat,
  openShop,
  type Shop,
  siteWith,
  tag,
  visit,
  write,
} from "@frontdesk/testing/visitor-browser";
import type { Frame } from "playwright-core";
import { expect, test } from "vitest";

const ANSWER = `## Within 30 days

Fill in [our form](https://acme.test/form), **then**:

1. Pack it
2. Send it
   - by post

<script>alert(1)</script>

[Click me](javascript:alert(1)) ${"We look forward to it. ".repeat(60)}`;

async function shopWithArticles(): Promise<Shop> {
  const shop = await openShop();
  for (const [question, answer, is_published] of [
    ["How do returns work?", ANSWER, true],
    ["Returns from Spain", "As from anywhere.", true],
    ["Returns without a receipt", "Write to us.", true],
    ["Returns after a year", "We will see.", true],
    ["Returns by pigeon", "A secret.", false],
    ["What does shipping cost?", "5 € to Europe.", true],
  ] as const) {
    await shop.api.createArticle({ body: { question, answer, is_published } });
  }
  await suggest(shop, true);
  return shop;
}

const suggest = (shop: Shop, suggest_articles: boolean) =>
  shop.api.updateWidget({ params: { widget: shop.widgetId }, body: { settings: { suggest_articles } } });

const suggested = (frame: Frame) => frame.locator(".articles li").allTextContents();
const announced = (frame: Frame) => frame.locator("[aria-live=polite]").textContent();
const focused = (frame: Frame) => frame.evaluate("document.activeElement.localName");

test("a visitor searches, reads an article and writes, on a page with the strictest security policy", async () => {
  const shop = await shopWithArticles();
  const { origin } = shop.frontdesk;
  const policy = `default-src 'self'; script-src ${origin}; frame-src ${origin}; require-trusted-types-for 'script'`;
  const html = `<!doctype html><html lang="en"><head><title>Shop</title></head><body>${tag(shop)}</body></html>`;
  const { page, complaints } = await visit(await siteWith(html, { "Content-Security-Policy": policy }));
  const frame = await openChat(page);
  const search = frame.getByRole("searchbox", { name: "Search for answers" });
  await search.fill("retunrs work");
  await expect.poll(() => suggested(frame)).toHaveLength(3);
  expect(await suggested(frame)).not.toContain("Returns by pigeon");
  // Screen readers hear what was found.
  expect((await announced(frame))?.split("\n")).toEqual(await suggested(frame));

  await frame.getByRole("button", { name: "How do returns work?" }).click();
  const article = frame.locator(".article");
  await article.getByRole("heading", { name: "Within 30 days" }).waitFor();
  await expect.poll(() => focused(frame)).toBe("h2");
  await expect.poll(() => frame.evaluate("document.querySelector('.log').scrollTop")).toBe(0);
  expect(await article.getByRole("listitem").allTextContents()).toEqual(["Pack it", "Send it", "by post"]);
  const marks = await article
    .locator("li")
    .evaluateAll((all) => all.map((each) => (each.className.includes("numbered") ? each.getAttribute("value") : "•")));
  expect(marks).toEqual(["1", "2", "•"]);
  const [, outer, inner] = await Promise.all((await article.locator("li").all()).map((each) => each.boundingBox()));
  expect(inner?.x).toBeGreaterThan(outer?.x ?? Number.NaN);
  const links = await article.getByRole("link").all();
  expect(await Promise.all(links.map((link) => link.getAttribute("href")))).toEqual(["https://acme.test/form"]);
  expect(await links[0]?.getAttribute("rel")).toBe("noreferrer");
  expect(await article.innerText()).not.toContain("alert(1)");
  expect(await frame.locator("textarea").isVisible()).toBe(true);

  // Escape goes back to the search, and leaves the chat open.
  await frame.press(".article h2", "Escape");
  await expect.poll(() => frame.evaluate("document.activeElement.textContent")).toBe("How do returns work?");
  await frame.getByRole("button", { name: "How do returns work?" }).click();
  await article.getByRole("button", { name: "Write to us" }).click();
  await expect.poll(() => focused(frame)).toBe("textarea");
  await write(frame, "Can I return a gift?");
  await expect.poll(() => bubbles(frame)).toEqual(["Can I return a gift?"]);
  expect(await article.count()).toBe(0);
  expect(await search.count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("while the first message is written, articles that fit it are suggested; a search without a hit says so", async () => {
  const shop = await shopWithArticles();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  const search = frame.getByRole("searchbox");
  await search.waitFor();
  expect(await suggested(frame)).toEqual([]);
  await frame.locator("textarea").pressSequentially("Hi! What is the shipping to Portugal?");
  await expect.poll(() => suggested(frame)).toEqual(["What does shipping cost?"]);
  expect(await focused(frame)).toBe("textarea");
  // Nobody has searched: nothing interrupts a screen reader.
  expect(await announced(frame)).toBe("");
  await search.fill("pigeon");
  await frame.getByText("No articles found.").waitFor();
  await search.fill("");
  await expect.poll(() => suggested(frame)).toEqual(["What does shipping cost?"]);

  // The owner has changed their mind meanwhile: nothing can be read, and the chat goes on.
  await suggest(shop, false);
  await frame.getByRole("button", { name: "What does shipping cost?" }).click();
  await frame.getByText("Couldn’t open the article. Try again.").waitFor();
  await frame.press("textarea", "Enter");
  await expect.poll(() => bubbles(frame)).toEqual(["Hi! What is the shipping to Portugal?"]);
});

test("a message that is longer than a search is searched by its beginning, and a late answer replaces no newer one", async () => {
  const shop = await shopWithArticles();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await frame.getByRole("searchbox").waitFor();
  await frame.fill("textarea", "What does shipping cost? ".repeat(20));
  await expect.poll(() => suggested(frame)).toEqual(["What does shipping cost?"]);
  await frame.fill("textarea", "");
  await expect.poll(() => suggested(frame)).toEqual([]);

  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/articles\?q=shipping$/, async (route) => {
    await held;
    await route.continue();
  });
  const search = frame.getByRole("searchbox");
  const asked = page.waitForRequest(/q=shipping$/);
  await search.fill("shipping");
  await asked;
  await search.fill("returns work");
  await expect.poll(() => suggested(frame)).toHaveLength(3);
  await frame.evaluate(`{
    window.shown = [];
    new MutationObserver(() => shown.push(document.querySelector(".articles").textContent))
      .observe(document.body, { childList: true, characterData: true, subtree: true });
  }`);
  const late = page.waitForResponse(/q=shipping$/);
  release();
  await (await late).finished();
  // What a search after it has found is drawn after it.
  await search.fill("pigeon");
  await frame.getByText("No articles found.").waitFor();
  expect(await frame.evaluate("shown.join()")).not.toContain("shipping");
});

test("a widget that suggests none loads nothing for it, and neither does a chat with messages", async () => {
  const shop = await openShop();
  await shop.api.createArticle({ body: { question: "How do returns work?", answer: "Well." } });
  const { page, requests } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const asked = () => requests.filter((url) => /\/articles/.test(url));
  const frame = await openChat(page);
  await write(frame, "How do returns work?");
  await expect.poll(() => bubbles(frame)).toHaveLength(1);
  await suggest(shop, true);
  await page.reload();
  const again = await openChat(page);
  await expect.poll(() => bubbles(again)).toHaveLength(1);
  await page.waitForLoadState("networkidle");
  expect(asked()).toEqual([]);
  expect(await again.getByRole("searchbox").count()).toBe(0);
});

test.runIf(deep)(
  "while the script of the articles cannot be loaded the chat goes on, and the search comes by itself later",
  async () => {
    const shop = await shopWithArticles();
    const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
    await page.route(/\/articles-/, (route) => route.abort());
    const failed = page.waitForEvent("requestfailed", (request) => /\/articles-/.test(request.url()));
    const frame = await openChat(page);
    await failed;
    await frame.fill("textarea", "What does shipping cost?");
    expect(await frame.getByRole("searchbox").count()).toBe(0);
    await page.unroute(/\/articles-/);
    await expect.poll(() => suggested(frame)).toEqual(["What does shipping cost?"]);
  },
);

test.each(looksOf({ width: 375, height: 700 }))("nothing in the articles keeps people out: $name", async (look) => {
  const { options, also } = look;
  const shop = await shopWithArticles();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`, {
    ...options,
    reducedMotion: "reduce",
  });
  if (options.locale === "ar") await page.evaluate("Frontdesk('set', { language: 'ar' })");
  const frame = await openChat(page);
  await frame.getByRole("searchbox").fill("returns work");
  await expect.poll(() => suggested(frame)).toHaveLength(3);
  const found = await violations(frame, "suggested articles", also);
  await frame.getByRole("button", { name: "How do returns work?" }).click();
  await frame.locator(".article h2").waitFor();
  found.push(...(await violations(frame, "an article", also)));
  expect(found).toEqual([]);
});
