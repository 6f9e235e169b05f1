/** Lists that an agent narrows, saves and shares, and what an empty one says. */
import { violations } from "@frontdesk/testing/accessibility";
import { signIn } from "@frontdesk/testing/agent-browser";
import { anotherTeam, openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const server = await openShop("sqlite", {}, afterAll);

const names = (page: Page) => page.locator("[role=listitem] a > span:first-child > [dir=auto]").allInnerTexts();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const heading = (page: Page) => page.locator("main h1").first();
const inNavigation = (page: Page, name: string) =>
  page.getByRole("navigation").getByRole("link", { name: new RegExp(`^${name}`) });

test("an agent narrows the list by several tags, saves it, and finds it by its own name", async () => {
  const shop = await anotherTeam(server);
  const writes = async (name: string, tag?: string) => {
    const contact = { name, email: `${name.toLowerCase()}@example.com` };
    const { data } = await shop.api.sendVisitorMessage({
      body: { widget_id: shop.widgetId, ...contact, content: "Hi" },
    });
    const params = { conversation_id: data.attributes.conversation_id };
    if (tag) await shop.api.addTag({ params, body: { name: tag } });
  };
  await writes("Vera", "refund");
  await writes("Kim", "vip");
  await writes("Hugo");
  const { page, complaints } = await signIn(shop);
  await expect.poll(() => names(page)).toHaveLength(3);

  await button(page, "Filter").click();
  await page.getByLabel("Tag", { exact: true }).first().selectOption("refund");
  await expect.poll(() => names(page)).toEqual(["Vera"]);
  await page.getByLabel("Tag", { exact: true }).first().selectOption("vip");
  await expect.poll(() => names(page)).toEqual(["Kim", "Vera"]);
  expect(await violations(page, "the filters")).toEqual([]);
  await button(page, "Save as view").click();
  await page.getByText("Only you see this view.").waitFor();
  await page.getByLabel("View name").fill("Money");
  await page.keyboard.press("Enter");
  await expect.poll(() => heading(page).innerText()).toBe("Money");
  await page.keyboard.press("Escape");
  await expect.poll(() => inNavigation(page, "Money").innerText()).toMatch(/Money\s+2/);
  await expect.poll(() => page.title()).toMatch(/Money – Frontdesk$/);

  // The count follows what comes in, and the view opens with its filters.
  await writes("Lin", "vip");
  await expect.poll(() => inNavigation(page, "Money").innerText()).toMatch(/Money\s+3/);
  await inNavigation(page, "Open").click();
  await expect.poll(() => names(page)).toHaveLength(4);
  await inNavigation(page, "Money").click();
  await expect.poll(() => names(page)).toEqual(["Lin", "Kim", "Vera"]);

  await button(page, "View options").click();
  await page.getByRole("menuitem", { name: "Rename view" }).click();
  await page.getByLabel("View name").fill("Refunds and VIPs");
  await page.keyboard.press("Enter");
  await expect.poll(() => heading(page).innerText()).toBe("Refunds and VIPs");

  // A chosen tag is removed by its button; the list is no longer that view.
  await button(page, "Filter, 1").click();
  await button(page, "Remove filter refund").click();
  await expect.poll(() => names(page)).toEqual(["Lin", "Kim"]);
  await expect.poll(() => heading(page).innerText()).toBe("Open");
  expect(complaints).toEqual([]);
});

test("an empty list says why: nothing came in yet, no match, a tag that does not exist, or all is done", async () => {
  const shop = await anotherTeam(server);
  const { page, complaints } = await signIn(shop);
  await page.getByText("No conversations yet").waitFor();
  expect(await page.getByText("press J").count()).toBe(0);
  expect(await violations(page, "a new inbox")).toEqual([]);
  // The start page can be found again.
  await inNavigation(page, "Get started").click();
  await page.getByRole("heading", { name: "Welcome to" }).waitFor();
  await inNavigation(page, "Open").click();

  const contact = { name: "Vera", email: "vera@example.com" };
  const { data } = await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, ...contact, content: "Hi" } });
  await page.getByText("press J").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("get started");
  await page.getByRole("option", { name: "Get started" }).waitFor();
  await page.keyboard.press("Escape");

  for (const [search, says] of [
    ["tag=refund", "This tag doesn’t exist"],
    [`tag=${crypto.randomUUID()}`, "This tag doesn’t exist"],
    ["widget=shop", "This widget doesn’t exist"],
    ["to=2020-01-01", "No matches"],
  ] as const) {
    await page.goto(`${shop.frontdesk.origin}/app/inbox?${search}`);
    await page.getByText(says).waitFor();
  }
  await button(page, "Clear filters").click();
  await expect.poll(() => names(page)).toEqual(["Vera"]);

  const params = { conversation_id: data.attributes.conversation_id };
  await shop.api.setConversationStatus({ params, body: { status: "resolved" } });
  await page.getByText("All caught up").waitFor();
  expect(complaints).toEqual([]);
});
