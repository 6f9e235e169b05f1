import { dialogOf, signIn } from "@frontdesk/testing/agent-browser";
import { openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

const SHIFT = 8;

/** Presses a key as a keyboard of another layout reports it. */
async function pressOn(page: Page, key: string, code: string, modifiers = 0): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const event = { key, code, modifiers };
  await browser.send("Input.dispatchKeyEvent", { type: "keyDown", text: key, ...event });
  await browser.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  await browser.detach();
}

test("the keys of the inbox work on Russian, German and Arabic keyboards", async () => {
  const shop = await openShop();
  for (const name of ["Hugo", "Vera"]) {
    await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, name, content: `Hello from ${name}` } });
  }
  const { page } = await signIn(shop);
  const thread = page.locator("section [data-index]");
  await page.waitForSelector("[role=listitem]");

  // Russian: J.
  await pressOn(page, "о", "KeyJ");
  await thread.filter({ hasText: "Hello from Vera" }).waitFor();
  // Arabic: R, and then letters are only text.
  await pressOn(page, "ق", "KeyR");
  await page.locator("section textarea:focus").waitFor();
  await pressOn(page, "у", "KeyE");
  await expect.poll(() => page.locator("section textarea").inputValue()).toBe("у");
  await page.locator("section textarea").fill("");
  await page.keyboard.press("Escape");

  // German: Shift+7 searches, Shift+ß shows the keys.
  await pressOn(page, "/", "Digit7", SHIFT);
  await page.getByRole("combobox").waitFor();
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "detached" });
  await pressOn(page, "?", "Minus", SHIFT);
  await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "detached" });

  // Russian: E.
  await pressOn(page, "у", "KeyE");
  await page.locator("[role=listitem]", { hasText: "Vera" }).waitFor({ state: "detached" });
});
