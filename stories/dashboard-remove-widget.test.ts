/** Removing a widget in the dashboard: what the admin is asked, and what teammates and visitors see of it. */

import { violations, violationsInDepth } from "@frontdesk/testing/accessibility";
import { BEN, dialogOf, joins, signIn } from "@frontdesk/testing/agent-browser";
import {
  anotherTeam,
  bubbles,
  chatButton,
  openChat,
  openShop,
  type Shop,
  siteWith,
  tag,
  visit,
  write,
} from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const server = await openShop("sqlite", {}, afterAll);

const pageOf = (shop: Shop) =>
  `<!doctype html><html lang="en"><head><title>Shop</title></head><body><main><h1>Shop</h1></main>${tag(shop)}</body></html>`;

/** The chat's element, whose button and frame are in a closed shadow root. */
const chats = (page: Page) => page.locator("frontdesk-chat").count();
const widgetNames = (page: Page) => page.getByLabel("Widgets", { exact: true }).locator("option").allTextContents();

async function addWidget(shop: Shop, name: string): Promise<Shop> {
  const { data } = await shop.api.createWidget({ body: { name } });
  return { ...shop, widgetId: data.id };
}

const says = (shop: Shop, content: string) =>
  shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, content } });

test("a widget goes with its conversations once its name is typed, from the dashboards of the team too", async () => {
  const website = await anotherTeam(server);
  await joins(website, BEN, "CHAT_AGENT_ADMIN");
  const shop = await addWidget(website, "Shop");
  const stays = await says(website, "Where is my order?");
  await says(shop, "Do you ship to Portugal?");

  const ben = (await signIn(website, "/settings/widgets", {}, BEN)).page;
  await ben.getByLabel("Widgets", { exact: true }).selectOption(shop.widgetId);
  await expect.poll(() => ben.getByLabel("Widget name").inputValue()).toBe("Shop");
  const { page: ada, complaints } = await signIn(website, "/settings/widgets");
  await ada.getByLabel("Widgets", { exact: true }).selectOption(shop.widgetId);
  await expect.poll(() => ada.getByLabel("Widget name").inputValue()).toBe("Shop");
  const open = ada.getByRole("main").getByRole("button", { name: "Remove widget" });
  await open.focus();
  await ada.keyboard.press("Enter");
  const dialog = dialogOf(ada);
  await expect.poll(() => dialog.locator("li").allTextContents()).toEqual(["1 conversation", "1 contact"]);
  expect(await violations(ada, "the question")).toEqual([]);

  // Enter and Escape alone remove nothing, and neither does another name.
  await ada.keyboard.press("Enter");
  await dialog.getByText("This doesn’t match the name.").waitFor();
  await ada.keyboard.press("Escape");
  await expect.poll(() => dialog.count()).toBe(0);
  await ada.keyboard.press("Enter");
  await dialog.locator("li").first().waitFor();
  await expect.poll(() => ada.evaluate("document.activeElement?.tagName")).toBe("INPUT");
  await ada.keyboard.type("Website");
  await ada.keyboard.press("Enter");
  await dialog.getByText("This doesn’t match the name.").waitFor();
  await dialog.getByLabel("Type “Shop” to confirm").fill("shop");
  await dialog.getByLabel("Reason (optional)").fill("The shop has closed");
  await ada.keyboard.press("Enter");

  await ada.getByText("Widget removed. Its conversations are being deleted.").waitFor();
  await expect.poll(() => widgetNames(ada)).toEqual(["Website"]);
  await expect.poll(() => widgetNames(ben)).toEqual(["Website"]);
  await expect.poll(() => ben.getByLabel("Widget name").inputValue()).toBe("Website");
  const listed = async () => (await website.api.listConversations()).data.map(({ id }) => id);
  await expect.poll(listed).toEqual([stays.data.attributes.conversation_id]);
  // A request for the widget that is under way finds it gone.
  expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
});

test("the chat leaves the pages that have it, open or not, and those that are opened later do not get it", async () => {
  const website = await anotherTeam(server);
  const shop = await addWidget(website, "Shop");
  const site = await siteWith(pageOf(shop));
  const stays = await openChat((await visit(await siteWith(pageOf(website)))).page);
  await write(stays, "Where is my order?");
  const vera = await visit(site);
  const chat = await openChat(vera.page);
  await write(chat, "Do you ship to Portugal?");
  await expect.poll(() => chat.locator(".waiting").count()).toBe(0);
  // Hugo has the page open and has not touched the button.
  const hugo = await visit(site);
  await expect.poll(async () => (await chatButton(hugo.page))?.expanded).toBe(false);

  await shop.api.removeWidget({ params: { widget: shop.widgetId }, body: { conversations: "erase" } });
  // What Vera's browser kept of it is gone as well.
  await expect.poll(() => chats(vera.page)).toBe(0);
  expect(vera.complaints).toEqual([]);
  await vera.page.goto(`${shop.frontdesk.origin}/health/live`);
  expect(await vera.page.evaluate("Object.keys(localStorage)")).toEqual([]);
  // Hugo's button goes at the first touch.
  await hugo.page.mouse.move(1280 - 48, 860 - 48);
  await expect.poll(() => chats(hugo.page)).toBe(0);
  const late = await visit(site);
  await late.page.waitForLoadState("networkidle");
  expect(await chats(late.page)).toBe(0);
  expect(late.complaints).toEqual([]);
  expect(await bubbles(stays)).toEqual(["Where is my order?"]);
});

test("after the last one, the dashboard says how to add one, and the new one is ready", async () => {
  const shop = await anotherTeam(server);
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: "dark" } as const;
  const { page, complaints } = await signIn(shop, "/settings/widgets", phone);
  await page.getByRole("main").getByRole("button", { name: "Remove widget" }).click();
  const dialog = dialogOf(page);
  await dialog.getByText("It has no conversations.").waitFor();
  expect(await violationsInDepth(page, "the question on a phone")).toEqual([]);
  await dialog.getByLabel("Type “Website” to confirm").fill("Website");
  await dialog.getByRole("button", { name: "Remove widget" }).click();
  await page.getByText("No widgets").waitFor();
  expect(await violations(page, "no widgets")).toEqual([]);

  await page.goto(`${shop.frontdesk.origin}/app/start`);
  await page.getByText("No widgets").waitFor();
  await page.goto(`${shop.frontdesk.origin}/app/settings/widgets`);
  await page.getByRole("button", { name: "Add widget" }).click();
  await expect.poll(() => page.getByLabel("Widget name").inputValue()).toBe("New website");
  const { data } = await shop.api.listWidgets();
  expect(data.map(({ attributes }) => attributes.name)).toEqual(["New website"]);
  expect(complaints).toEqual([]);
});

test("a contact on hold keeps its widget, and the question says so in Arabic as well", async () => {
  const shop = await anotherTeam(server);
  const { data } = await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, content: "Hello" } });
  const id = String(data.attributes.contact?.id);
  await shop.api.holdContact({ params: { id }, body: { reason: "Court case" } });
  const { page } = await signIn(shop, "/settings/widgets", { locale: "ar" });
  await page.getByRole("main").getByRole("button", { name: "إزالة أداة الدردشة" }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole("alert").waitFor();
  expect(await dialog.getByRole("button", { name: "إزالة أداة الدردشة" }).isDisabled()).toBe(true);
  expect(await violationsInDepth(page, "the question in Arabic")).toEqual([]);
});
