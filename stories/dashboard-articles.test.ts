/**
 * Text by others is displayed safely in the dashboard, and an agent's drafts are deleted when they sign out. Agents answer with
 * published articles.
 */

import { violations } from "@frontdesk/testing/accessibility";
import { dialogOf, signIn } from "@frontdesk/testing/agent-browser";
import { anotherTeam, openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);

test("an article cannot look like the dashboard, nor cover it", async () => {
  const answer = `# Returns

<a class="fixed inset-0 z-50" id="cover" style="position:fixed;inset:0" href="https://evil.test/">Sign in again</a>
<div role="dialog" aria-label="Sign in" data-state="open" class="fixed inset-0">Your password</div>
<form action="https://evil.test/"><input name="password"><button>Go</button></form>

**Within 30 days**, with [this form](https://acme.test/form "The form"):

| what | how long |
|:---|---:|
| shoes | 30 days |

3. third`;
  const { data } = await shop.api.createArticle({ body: { question: "Returns?", answer } });
  const { page } = await signIn(shop, `/knowledge/${data.id}`);
  const preview = page.getByRole("region", { name: "Preview" }).locator(".prose");
  await preview.getByText("Within 30 days").waitFor();

  const names = await preview.evaluate((made) =>
    [...made.querySelectorAll("*")].flatMap((element) => element.getAttributeNames()),
  );
  expect([...new Set(names)].sort()).toEqual(["align", "href", "start", "title"]);
  expect(await preview.locator("form, input, button, div, [role]").count()).toBe(0);
  expect(await preview.locator("h1, strong, table, ol, a").count()).toBe(6);
  const contained = await preview.evaluate((made) => made.ownerDocument.defaultView?.getComputedStyle(made).contain);
  expect(contained).toContain("paint");
  // The premise and the point: the button can be clicked where it is visible.
  await page.getByRole("button", { name: "Save" }).click({ trial: true, timeout: 5_000 });
  await page.context().close();
});

test("after signing out nothing that the agent has written is left in the browser", async () => {
  const { data } = await shop.api.sendVisitorMessage({
    body: { widget_id: shop.widgetId, name: "Vera", content: "Hello" },
  });
  const { page } = await signIn(shop, `/inbox/${data.attributes.conversation_id}`);
  const field = page.locator("section textarea");
  await field.fill("She owes us 300");
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await expect.poll(stored).toContain("She owes us 300");
  await page.locator("button[title*='Ada']").first().click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/app\/sign-in/);
  expect(await stored()).not.toContain("She owes us 300");
  await page.context().close();
});

describe("an agent who answers with articles", () => {
  const SEARCHES = /inbox\/articles\?/;
  const RETURNS = "How do returns work?\n\nSend it back within 30 days. See our terms (https://acme.test/terms).";

  /** A conversation with Vera, and articles: two published ones and a draft. */
  async function withArticles() {
    const own = await anotherTeam(shop);
    const answer = "Send it back **within 30 days**. See [our terms](https://acme.test/terms).";
    await own.api.createArticle({ body: { question: "How do returns work?", answer } });
    await own.api.createArticle({ body: { question: "What does shipping cost?", answer: "5 € to Europe." } });
    await own.api.createArticle({ body: { question: "Returns by pigeon", answer: "Soon.", is_published: false } });
    const written = await own.api.sendVisitorMessage({
      body: { widget_id: own.widgetId, name: "Vera", content: "Hello" },
    });
    const agent = await signIn(own, `/inbox/${written.data.attributes.conversation_id}`);
    const { page } = agent;
    const field = page.locator("section textarea");
    await page.locator("section [data-index]", { hasText: "Hello" }).waitFor();
    await field.click();
    return { ...agent, shop: own, field, options: page.getByRole("option"), text: () => field.inputValue() };
  }

  /** On a busy machine the key of the command comes up before the page has rendered what the command did. */
  const RELEASES_ENTER_AT_ONCE = `{
    const plain = window.setTimeout;
    window.setTimeout = (act, ms, ...more) => plain(() => {
      act(...more);
      if (ms === undefined) document.activeElement.dispatchEvent(new KeyboardEvent("keyup", { key: "Enter", bubbles: true }));
    }, ms);
  }`;

  /** Searches get no answer until the returned function is called. */
  async function holdSearches(page: Page): Promise<() => void> {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(SEARCHES, async (route) => {
      await held;
      // Another letter has made the request needless.
      await route.continue().catch(() => {});
    });
    return release;
  }

  test("types # and a few letters, and inserts one as plain text; one undo removes it", async () => {
    const { page, field, options, text, complaints } = await withArticles();
    await field.pressSequentially("Hi Vera, #retunrs");
    await expect
      .poll(() => options.allTextContents())
      .toEqual([expect.stringMatching(/^How do returns work\?Send it/)]);
    expect(await violations(page, "articles in the composer")).toEqual([]);
    await field.press("Enter");
    await expect.poll(text).toBe(`Hi Vera, ${RETURNS}`);
    expect(await options.count()).toBe(0);
    await field.press("Control+z");
    await expect.poll(text).toBe("Hi Vera, #retunrs");
    await field.press("Control+Shift+z");
    await expect.poll(text).toBe(`Hi Vera, ${RETURNS}`);
    expect(complaints).toEqual([]);
  });

  test("sends numbers, colors and what no article is about as they were typed", async () => {
    const { page, field, options, shop: own } = await withArticles();
    await own.api.createArticle({ body: { question: "123 ways to pack", answer: "And one." } });
    const thread = page.locator("section [data-index]");
    for (const typed of ["#123", "#123 is on its way", "Paint it #aa0011", "# Heading", "#pigeon", "#WELCOME"]) {
      await field.pressSequentially(typed);
      await field.press("Enter");
      await thread.filter({ hasText: typed }).waitFor();
      expect(await options.count()).toBe(0);
    }
  });

  test("presses Enter while the search runs: the article that it finds is inserted, or the text is sent", async () => {
    const { page, field, text } = await withArticles();
    const release = await holdSearches(page);
    const asked = page.waitForRequest(/inbox\/articles\?q=shipping$/);
    await field.pressSequentially("#shipping");
    await asked;
    await field.press("Enter");
    expect(await text()).toBe("#shipping");
    release();
    await expect.poll(text).toBe("What does shipping cost?\n\n5 € to Europe.");

    await field.fill("");
    await page.unroute(SEARCHES);
    const releaseAgain = await holdSearches(page);
    const askedAgain = page.waitForRequest(/inbox\/articles\?q=thanks$/);
    await field.pressSequentially("#thanks");
    await askedAgain;
    await field.press("Enter");
    expect(await text()).toBe("#thanks");
    releaseAgain();
    await page.locator("section [data-index]", { hasText: "#thanks" }).waitFor();
    expect(await text()).toBe("");
  });

  test("goes on typing after that Enter: nothing is inserted, and nothing sent", async () => {
    const { page, field, options, text } = await withArticles();
    const release = await holdSearches(page);
    const asked = page.waitForRequest(/inbox\/articles\?q=shipping$/);
    await field.pressSequentially("#shipping");
    await asked;
    await field.press("Enter");
    await field.pressSequentially("s");
    release();
    await expect.poll(() => options.count()).toBe(1);
    expect(await text()).toBe("#shippings");
    expect(await page.locator("section [data-index]", { hasText: "shipping" }).count()).toBe(0);
  });

  test("opens the list with the button or the command menu, and finds the key in the list of shortcuts", async () => {
    const { page, field, options, text } = await withArticles();
    await page.getByRole("button", { name: "Insert article" }).click();
    await expect.poll(() => options.count()).toBe(2);
    expect((await options.allTextContents())[0]).toMatch(/^What does shipping cost/);
    await field.press("ArrowDown");
    await field.press("Enter");
    await expect.poll(text).toBe(RETURNS);

    await field.fill("");
    await field.press("Escape");
    await page.keyboard.press("Shift+?");
    await dialogOf(page).getByText("Insert article").waitFor();
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "hidden" });
    await page.keyboard.press("Control+k");
    await dialogOf(page).waitFor();
    await page.keyboard.type("Insert article");
    await page.evaluate(RELEASES_ENTER_AT_ONCE);
    await page.keyboard.press("Enter");
    await expect.poll(() => options.count()).toBe(2);
    await options.first().click();
    await expect.poll(text).toMatch(/^What does shipping cost/);
  });

  test("reads that there is none yet", async () => {
    const own = await anotherTeam(shop);
    const { data } = await own.api.sendVisitorMessage({ body: { widget_id: own.widgetId, content: "Hello" } });
    const { page } = await signIn(own, `/inbox/${data.attributes.conversation_id}`);
    await page.getByRole("button", { name: "Insert article" }).click();
    const none = page.getByText("No published articles yet");
    await none.waitFor();
    // Who goes on typing knows.
    await page.keyboard.type("1");
    await none.waitFor({ state: "detached" });
  });
});

test("the switch of an article says who sees it", async () => {
  const { data } = await shop.api.createArticle({
    body: { question: "Who sees this?", answer: "You.", is_published: false },
  });
  const { page } = await signIn(shop, `/knowledge/${data.id}`);
  const published = page.getByRole("switch", { name: "Published" });
  await page.getByText("Only your team can see it, here in the knowledge base.").waitFor();
  await published.click();
  await page.getByText("Visitors can read it in widgets that suggest articles.").waitFor();
  expect(await violations(page, "an article")).toEqual([]);
  await page.context().close();
});
