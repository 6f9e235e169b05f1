import { BEN, dialogOf, joins, signIn } from "@frontdesk/testing/agent-browser";
import { accessibilityTree, anotherTeam, openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const server = await openShop("sqlite", {}, afterAll);

const focusedText = (page: Page) => page.evaluate<string>("document.activeElement?.textContent ?? ''");

test("the list is one tab stop, Enter leads to the reply, and new messages are read out", async () => {
  const shop = await anotherTeam(server);
  const ben = await joins(shop, BEN);
  const write = (name: string, content: string) =>
    shop.api.sendVisitorMessage({
      body: { widget_id: shop.widgetId, name, email: `${name.toLowerCase()}@visitor.test`, content },
    });
  for (const name of ["Otto", "Hugo", "Vera"]) await write(name, `Hello from ${name}`);
  const { page } = await signIn(shop);
  const rows = page.locator("[role=listitem]");
  await rows.nth(2).waitFor();
  expect(await page.locator("[role=list] a[tabindex='0']").count()).toBe(1);

  await page.locator("[role=list] a[tabindex='0']").focus();
  const moves = [
    ["ArrowDown", "Hugo"],
    ["End", "Otto"],
    ["ArrowDown", "Otto"],
    ["ArrowUp", "Hugo"],
    ["Home", "Vera"],
  ] as const;
  for (const [key, name] of moves) {
    await page.keyboard.press(key);
    await expect.poll(() => focusedText(page)).toContain(name);
    expect(await page.locator("[role=list] a[tabindex='0']").count()).toBe(1);
  }
  await page.keyboard.press("Space");
  await page.getByRole("toolbar").getByText("1 selected").waitFor({ state: "attached" });
  await page.keyboard.press("Space");
  await page.getByRole("toolbar").waitFor({ state: "detached" });

  await page.keyboard.press("Enter");
  const field = page.locator("section textarea");
  await page.locator("section textarea:focus").waitFor();
  expect(await field.inputValue()).toBe("");

  const region = page.locator("section[aria-label='Conversation with Vera'] > [aria-live=polite]").first();
  await page.keyboard.type("Hi Vera");
  await page.keyboard.press("Enter");
  await page.locator("section [data-index]", { hasText: "Hi Vera" }).waitFor();
  const { data } = await write("Vera", "Is my parcel lost?");
  await expect.poll(() => region.innerText()).toBe("Vera: Is my parcel lost?");
  const { conversation_id } = data.attributes;
  await shop.api.createMessage({
    body: { conversation_id, content: "It is in Oslo", agent_id: ben, type: "note" },
  });
  await expect.poll(() => region.innerText()).toBe("Note by Ben: It is in Oslo");
  await page.getByRole("article", { name: "Note by Ben" }).waitFor();

  // What was there before is no news in another conversation.
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.locator("section [data-index]", { hasText: "Hello from Hugo" }).waitFor();
  expect(await page.locator("section > [aria-live=polite]").first().innerText()).toBe("");

  await page.keyboard.press("?");
  const keys = dialogOf(page);
  await keys.getByText("Ctrl+K", { exact: true }).waitFor({ state: "attached" });
  await keys.getByText("G, I", { exact: true }).waitFor({ state: "attached" });
  expect(await keys.innerText()).not.toContain("$mod");
});

test("names of several pieces are read out as separate words", async () => {
  const shop = await anotherTeam(server);
  const ben = await joins(shop, BEN);
  const write = (name: string, content: string) =>
    shop.api.sendVisitorMessage({
      body: { widget_id: shop.widgetId, name, email: `${name.toLowerCase()}@visitor.test`, content },
    });
  const { data } = await write("Hugo", "Which color?");
  const { conversation_id } = data.attributes;
  await shop.api.createMessage({ body: { conversation_id, content: "Ochre", agent_id: ben, type: "note" } });
  await write("Vera", "Hello");
  await write("Vera", "Is my parcel lost?");
  const { page } = await signIn(shop);
  await page.locator("[role=listitem]").nth(1).waitFor();
  const links = async () =>
    (await accessibilityTree(page)).filter(({ role }) => role === "link").map(({ name }) => name);
  await expect.poll(links).toContainEqual("Open 2, including unread");
  const names = await links();
  expect(names).toContainEqual(expect.stringMatching(/^Hugo .*\bNote Ochre\b/));
  expect(names).toContainEqual(expect.stringMatching(/^Vera .*Is my parcel lost\? 2 unread\b/));
});
