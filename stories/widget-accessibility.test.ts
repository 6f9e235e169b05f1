import { createRequire } from "node:module";
import type { BrowserContextOptions, Frame, Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  answer,
  bubbles,
  chatButton,
  chatFrame,
  openChat,
  openShop,
  visit,
  write,
} from "./visitor-browser.ts";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** What keeps people out, in the frame as it is now. */
async function violations(frame: Frame, of: string): Promise<string[]> {
  // The frame's own policy lets no script in, which is right; the tool goes in by the debugger.
  if (!(await frame.evaluate("'axe' in window"))) {
    const { readFileSync } = await import("node:fs");
    await frame.evaluate(readFileSync(AXE, "utf8"));
  }
  const found = (await frame.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => violations)`,
  )) as Violation[];
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${of}: ${id}: ${html} ${failureSummary}`),
  );
}

const looks: [string, BrowserContextOptions][] = [
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["Arabic, dark", { colorScheme: "dark", locale: "ar" }],
  ["a phone", { colorScheme: "light", viewport: { width: 375, height: 700 }, isMobile: true, hasTouch: true }],
  ["a system's own colors", { forcedColors: "active" }],
];

test.each(looks)("nothing in any state of the widget keeps people out: %s", async (_, options) => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`, {
    ...options,
    reducedMotion: "reduce",
  });
  if (options.locale === "ar") await page.evaluate("Frontdesk('set', { language: 'ar' })");
  const frame = await openChat(page);
  const found = await violations(frame, "greeting and form");
  await frame.fill("#email", "wrong");
  await write(frame, "Hello https://acme.test");
  await frame.waitForSelector("#email-problem:not(:empty)");
  found.push(...(await violations(frame, "a field that is wrong")));
  await frame.fill("#email", "vera@acme.test");
  await frame.press("textarea", "Enter");
  await answer(shop, "Hi Vera, see https://acme.test/snake");
  await expect.poll(async () => (await bubbles(frame)).length).toBe(2);
  found.push(...(await violations(frame, "conversation")));
  await frame.click(".smile");
  await frame.waitForSelector(".emojis");
  found.push(...(await violations(frame, "emojis")));
  await frame.press(".emojis button", "Escape");
  await page.context().setOffline(true);
  await write(frame, "Are you there?");
  await frame.waitForSelector("[role=status]");
  found.push(...(await violations(frame, "offline")));
  await page.context().setOffline(false);
  expect(found).toEqual([]);
});

test("the demo page itself keeps nobody out, light and dark", async () => {
  const shop = await openShop();
  for (const colorScheme of ["light", "dark"] as const) {
    const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`, { colorScheme });
    expect(await violations(page.mainFrame(), colorScheme)).toEqual([]);
  }
});

test("the chat can be opened, used and closed by keyboard alone, and the focus comes back", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  await focusLast(page);
  await page.keyboard.press("Enter");
  const frame = await chatFrame(page);
  await expect.poll(() => focused(frame)).toBe("TEXTAREA");
  await expect.poll(async () => (await chatButton(page))?.expanded).toBe(true);

  await page.keyboard.type("Hello");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("Vera here ");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await frame.waitForSelector(".emojis");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(frame)).toBe("TEXTAREA");
  await page.keyboard.press("Enter");
  await expect.poll(() => bubbles(frame)).toEqual(["Hello\nVera here 😢"]);

  // Esc closes what was opened last: the emojis first, then the chat.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await frame.waitForSelector(".emojis");
  await page.keyboard.press("Escape");
  await expect.poll(() => frame.locator(".emojis").count()).toBe(0);
  expect((await chatButton(page))?.expanded).toBe(true);
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await chatButton(page))?.expanded).toBe(false);
  expect(await page.evaluate("document.activeElement.tagName")).toBe("FRONTDESK-CHAT");
});

test("on a phone the chat takes the whole screen, and what is behind it cannot be reached", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`, {
    viewport: { width: 375, height: 700 },
    isMobile: true,
    hasTouch: true,
  });
  const frame = await openChat(page);
  await expect.poll(() => focused(frame)).toBe("TEXTAREA");
  expect(await (await frame.frameElement()).boundingBox()).toEqual({ x: 0, y: 0, width: 375, height: 700 });
  const small = (await frame.evaluate(`[...document.querySelectorAll("button, input, textarea")]
    .map((box) => box.getBoundingClientRect()).filter(({ width, height }) => width < 24 || height < 24).length`)) as number;
  expect(small).toBe(0);
  await frame.locator("header button").last().click();
  await expect.poll(async () => (await chatButton(page))?.expanded).toBe(false);
});

/** By Tab, as somebody without a mouse comes to the button: it stands last on the page. */
async function focusLast(page: Page): Promise<void> {
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate("document.activeElement.tagName")) === "FRONTDESK-CHAT") return;
  }
  throw new Error("Tab does not lead to the button.");
}

function focused(frame: Frame): Promise<unknown> {
  return frame.evaluate("document.activeElement.tagName");
}
