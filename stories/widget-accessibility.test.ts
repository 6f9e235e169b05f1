import { inDarkScheme, looksOf, violations } from "@frontdesk/testing/accessibility";
import {
  adaIsOnline,
  answer,
  bubbles,
  chatButton,
  chatFrame,
  choose,
  notes,
  openChat,
  openShop,
  picture,
  resolve,
  visit,
  WITH_MAIL,
  write,
} from "@frontdesk/testing/visitor-browser";
import type { Frame, Page } from "playwright-core";
import { expect, test } from "vitest";

const looks = looksOf({ width: 375, height: 700 });

test.each(looks)("nothing in any state of the widget keeps people out: $name", async ({ options, also }) => {
  const shop = await openShop("sqlite", WITH_MAIL);
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`, {
    ...options,
    reducedMotion: "reduce",
  });
  if (options.locale === "ar") await page.evaluate("Frontdesk('set', { language: 'ar' })");
  const frame = await openChat(page);
  const found = await violations(frame, "greeting and form", also);
  await frame.fill("#email", "wrong");
  await write(frame, "Hello https://acme.test");
  await frame.waitForSelector("#email-problem:not(:empty)");
  found.push(...(await violations(frame, "a field that is wrong", also)));
  await frame.fill("#email", "vera@acme.test");
  await frame.press("textarea", "Enter");
  await answer(shop, "Hi Vera, see https://acme.test/snake");
  await expect.poll(async () => (await bubbles(frame)).length).toBe(2);
  found.push(...(await violations(frame, "conversation", also)));
  await frame.click(".smile");
  await frame.waitForSelector(".emojis :focus");
  found.push(...(await violations(frame, "emojis", also)));
  await frame.press(".emojis button", "Escape");
  await page.context().setOffline(true);
  await write(frame, "Are you there?");
  await frame.waitForSelector("[role=status]");
  found.push(...(await violations(frame, "offline", also)));
  await page.context().setOffline(false);
  expect(found).toEqual([]);
});

test.each(looks)(
  "nothing of files, of an e-mail to leave or of a rating keeps people out: $name",
  async ({ options, also }) => {
    const shop = await openShop("sqlite", { UPLOAD_MAX_MB: "1", ...WITH_MAIL });
    const ada = await adaIsOnline(shop);
    const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`, {
      ...options,
      reducedMotion: "reduce",
    });
    const arabic = options.locale === "ar";
    if (arabic) await page.evaluate("Frontdesk('set', { language: 'ar' })");
    const frame = await openChat(page);
    await expect.poll(() => frame.locator(".here").count()).toBe(1);
    const large = notes("a photo of the plant that I mean, with its pot.txt", "x".repeat(1_100_000));
    await choose(
      page,
      frame,
      arabic ? "إرفاق ملفات" : "Attach files",
      picture,
      notes("care.txt"),
      large,
      notes("no.txt", ""),
    );
    await expect.poll(() => frame.locator(".files .problem").count()).toBe(2);
    const found = await violations(frame, "files that are written with", also);
    // At once; her leaving is shown seconds later.
    ada.says({ type: "away", away: true });
    for (const each of [large.name, "no.txt"]) await frame.locator(`[aria-label$="${each}"]`).last().click();
    await write(frame, "See these\n".repeat(30));
    await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
    found.push(...(await violations(frame, "files in the conversation", also)));
    await frame.fill("#email", "wrong");
    await frame.press("#email", "Enter");
    await frame.waitForSelector("#email-problem:not(:empty)");
    found.push(...(await violations(frame, "an e-mail to leave", also)));
    await frame.fill("#email", "vera@acme.test");
    await frame.press("#email", "Enter");
    await expect.poll(() => frame.locator("#email").count()).toBe(0);
    await resolve(shop);
    await frame.waitForSelector("[type=radio]", { state: "attached" });
    found.push(...(await violations(frame, "rating", also)));
    await frame.locator(".faces label").last().click();
    await frame.waitForSelector("#comment");
    // A focused hidden element has not scrolled the rest out of sight.
    expect(await frame.evaluate("document.body.scrollTop + document.documentElement.scrollTop")).toBe(0);
    found.push(...(await violations(frame, "rating with a comment", also)));
    await frame.press("#comment", "Enter");
    await expect.poll(() => frame.locator("#comment").count()).toBe(0);
    found.push(...(await violations(frame, "rated", also)));
    expect(found).toEqual([]);
  },
);

test("files are attached and taken back, a rating is given and an e-mail left by keyboard alone", async () => {
  const shop = await openShop("sqlite", WITH_MAIL);
  const ada = await adaIsOnline(shop);
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  await focusLast(page);
  await page.keyboard.press("Enter");
  const frame = await chatFrame(page);
  await expect.poll(() => focused(frame)).toBe("TEXTAREA");
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const chooser = page.waitForEvent("filechooser");
  await press("Tab", "Tab");
  await expect.poll(() => frame.evaluate("document.activeElement.ariaLabel")).toBe("Attach files");
  await press("Enter");
  await (await chooser).setFiles([notes("first.txt"), notes("second.txt")]);
  await expect.poll(() => frame.locator(".files progress, .files .problem").count()).toBe(0);
  // Back over the emojis and the message to the last file: it is removed, and the focus moves to the message.
  await press("Shift+Tab", "Shift+Tab", "Shift+Tab", "Enter");
  await expect.poll(() => frame.locator(".files bdi").allTextContents()).toEqual(["first.txt"]);
  await expect.poll(() => focused(frame)).toBe("TEXTAREA");
  await page.keyboard.type("See this");
  await press("Enter");
  await expect.poll(() => bubbles(frame)).toEqual(["See this", "first.txt 1 kB"]);

  ada.leaves();
  await frame.waitForSelector("#email");
  await press("Shift+Tab", "Shift+Tab", "Shift+Tab");
  await page.keyboard.type("vera@acme.test");
  await press("Enter");
  await expect.poll(async () => (await shop.api.listContacts()).data[0]?.attributes.email).toBe("vera@acme.test");
  await expect.poll(() => focused(frame)).toBe("TEXTAREA");

  await resolve(shop);
  await frame.waitForSelector("[type=radio]", { state: "attached" });
  // Shift+Tab reaches the last rating; ArrowRight wraps to the first.
  await press("Shift+Tab", "Space", "ArrowRight", "ArrowRight", "Tab");
  await page.keyboard.type("Lovely");
  await press("Enter");
  await expect.poll(() => frame.locator("legend").textContent()).toBe("Thank you!");
  expect(await frame.getByRole("radio", { name: "Bad", exact: true }).isChecked()).toBe(true);
  await expect.poll(() => focused(frame)).toBe("TEXTAREA");
});

test("the demo page itself is accessible, light and dark", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`, { colorScheme: "light" });
  expect(await violations(page, "the demo page", inDarkScheme)).toEqual([]);
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
  await frame.waitForSelector(".emojis :focus");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(frame)).toBe("TEXTAREA");
  await page.keyboard.press("Enter");
  await expect.poll(() => bubbles(frame)).toEqual(["Hello\nVera here 😢"]);

  // Esc closes the last opened layer: the emojis first, then the chat.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await frame.waitForSelector(".emojis :focus");
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
  // Once the layout is stable.
  const place = async () => (await frame.frameElement()).boundingBox();
  await expect.poll(place).toEqual({ x: 0, y: 0, width: 375, height: 700 });
  const small = (await frame.evaluate(`[...document.querySelectorAll("button, input, textarea")]
    .map((box) => box.getBoundingClientRect()).filter(({ width, height }) => width < 24 || height < 24).length`)) as number;
  expect(small).toBe(0);
  await frame.locator("header button").last().click();
  await expect.poll(async () => (await chatButton(page))?.expanded).toBe(false);
});

/** By Tab, as a keyboard user reaches the button: it is last on the page. */
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
