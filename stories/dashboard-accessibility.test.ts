import { looksOf, violations } from "@frontdesk/testing/accessibility";
import { dialogOf, openDashboard, pageNavigator, signIn } from "@frontdesk/testing/agent-browser";
import { openShop, picture } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);
let assistantId = "";
let mailboxId = "";

/** A conversation with everything that a thread shows: both sides, an image, a note, a tag. */
beforeAll(async () => {
  const contact = { name: "Vera", email: "vera@acme.test" };
  const { data } = await shop.api.sendVisitorMessage({
    body: { widget_id: shop.widgetId, ...contact, content: "Hello https://acme.test" },
  });
  const { conversation_id } = data.attributes;
  const sent = await fetch(`${shop.frontdesk.origin}/api/v1/files?name=${picture.name}`, {
    method: "POST",
    headers: { "X-API-KEY": shop.apiKey, "Content-Type": picture.mimeType },
    body: new Uint8Array(picture.buffer),
  });
  const { url } = ((await sent.json()) as { data: { attributes: { url: string } } }).data.attributes;
  await shop.api.createMessage({
    body: { conversation_id, content: "Hi Vera", agent_id: shop.agentId, attachments: [{ url }] },
  });
  await shop.api.createMessage({
    body: { conversation_id, content: "Good customer", agent_id: shop.agentId, type: "note" },
  });
  await shop.api.addTag({ params: { conversation_id }, body: { name: "vip", color: "#4f46e5" } });
  await shop.api.createArticle({ body: { question: "Do you ship?", answer: "We **do**.", is_published: true } });
  const assistant = { name: "Night shift", permissions: "all", widgets: "all", agent_id: shop.agentId } as const;
  assistantId = (await shop.api.createAssistant({ body: assistant })).data.id;
  const posted = { address: "support@acme.test", inbound: { kind: "http" } } as const;
  const mailbox = { channel: "email", widget_id: shop.widgetId, settings: posted } as const;
  mailboxId = (await shop.api.createChannel({ body: mailbox })).data.id;
});

/** The layers over the page, and how each is opened there. */
const layers: [string, (page: Page) => Promise<void>][] = [
  ["the palette", (page) => page.keyboard.press("Control+k")],
  ["the search", (page) => page.locator("body").press("/")],
  ["the keys", (page) => page.locator("body").press("Shift+?")],
  ["whom to assign", (page) => page.locator("body").press("a")],
  ["which tag", (page) => page.locator("body").press("t")],
  ["until when", (page) => page.locator("body").press("z")],
  ["a picture", (page) => page.locator("section button[aria-haspopup=dialog]").first().click()],
  ["the menu of a message", (page) => page.locator("section section button[aria-haspopup=menu]").first().click()],
];

const looks = looksOf({ width: 360, height: 740 });

test.each(looks)("no screen of the dashboard keeps anybody out: $name", async ({ options, also }) => {
  const found: string[] = [];
  const stranger = await openDashboard(shop, "/sign-in", options);
  await stranger.page.waitForSelector("input[name=email]");
  found.push(...(await violations(stranger.page, "sign-in", also)));
  await stranger.page.context().close();

  const { page, complaints } = await signIn(shop, "/inbox", options);
  const { go } = pageNavigator(page);
  await page.waitForSelector("[role=listitem]");
  found.push(...(await violations(page, "the inbox", also)));
  await page.locator("[role=listitem] a").first().click();
  await page.waitForSelector("article");
  found.push(...(await violations(page, "a conversation", also)));
  if (!options.isMobile) {
    for (const [name, open] of layers) {
      await open(page);
      await dialogOf(page).or(page.getByRole("menu")).waitFor();
      found.push(...(await violations(page, name, also)));
      await page.keyboard.press("Escape");
      await dialogOf(page).or(page.getByRole("menu")).waitFor({ state: "detached" });
    }
  }
  for (const path of ["/spam", "/contacts", "/knowledge", "/start"]) {
    await go(path);
    await page.waitForSelector("main h1");
    found.push(...(await violations(page, path, also)));
  }
  for (const part of [
    "profile",
    "canned-replies",
    "widgets",
    "channels",
    `channels/${mailboxId}`,
    "tags",
    "custom-fields",
    "team",
    "security",
    "privacy",
    "audit-log",
    "api-keys",
    "webhooks",
    "assistants",
    `assistants/${assistantId}`,
  ]) {
    await go(`/settings/${part}`);
    await page.waitForSelector("main section h2");
    found.push(...(await violations(page, part, also)));
  }
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});

test("an agent with the keyboard alone gets through sign-in, list, thread and answer", async () => {
  const { page } = await openDashboard(shop, "/inbox");
  await page.waitForSelector("input[name=email]");
  await page.keyboard.type("ada@acme.test");
  await page.keyboard.press("Tab");
  await page.keyboard.type("correct horse");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=listitem]");
  await page.keyboard.press("j");
  await page.waitForSelector("article");
  await page.keyboard.press("r");
  await page.keyboard.type("By keys alone");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => page.locator("[data-index]").allTextContents())
    .toContainEqual(expect.stringContaining("By keys alone"));
  // Esc leaves the field, then the conversation; a closed layer returns the focus to what opened it.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.waitForSelector("[role=dialog]");
  await page.keyboard.type("mark as unr");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).not.toMatch(/inbox\/\w/);
  await expect.poll(() => page.locator("[role=listitem]").first().innerText()).toContain("unread");
});

test("single keys can be switched off, those with Ctrl still work", async () => {
  const { page } = await signIn(shop);
  await page.waitForSelector("[role=listitem]");
  await page.locator("body").press("Shift+?");
  await page.getByRole("switch").click();
  await page.keyboard.press("Escape");
  await page.waitForSelector("[role=dialog]", { state: "detached" });
  await page.locator("body").press("j");
  await page.keyboard.press("Control+k");
  await page.waitForSelector("[role=dialog]");
  expect(page.url()).not.toMatch(/inbox\/\w/);
});
