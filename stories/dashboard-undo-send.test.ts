/** An agent who has sent a reply too soon takes it back (docs/decisions/0052-undo-send.md). */
import { violations } from "@frontdesk/testing/accessibility";
import { ADA, signIn } from "@frontdesk/testing/agent-browser";
import { bubbles, notes, openChat, openShop, visit, write } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);

const field = (page: Page) => page.locator("section textarea");
const held = (page: Page) => page.locator("[data-index]").getByText(/^Sending in \d+ seconds?$/);
const undoButton = (page: Page) => page.locator("[data-index]").getByRole("button", { name: "Undo" });
const row = (page: Page, text: string) => page.locator("[role=listitem]").filter({ hasText: text });
const isFocused = (page: Page) =>
  page.evaluate("document.activeElement === document.querySelector('section textarea')");

async function visitorWrites(content: string) {
  const vera = await openChat((await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`)).page);
  await write(vera, content);
  await expect.poll(() => bubbles(vera)).toContain(content);
  return vera;
}

async function hasWritten(name: string): Promise<void> {
  await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, name, content: "Do you ship to Spain?" } });
}

/** Ada chooses in her profile how long her replies wait. */
async function chooses(page: Page, seconds: number): Promise<void> {
  const address = page.url();
  await page.goto(`${shop.frontdesk.origin}/app/settings/profile`);
  const stored = page.waitForResponse(
    (answer) => answer.url().endsWith("/preferences") && answer.request().method() === "PUT",
  );
  await page.getByLabel("Undo send").selectOption(`${seconds}`);
  await stored;
  await page.goto(address);
}

/** The same without her profile, and also for fewer seconds than it offers; an open page learns it when it is loaded again. */
async function adaWaits(seconds: number): Promise<void> {
  const { origin, beginSession } = shop.frontdesk;
  const { status } = await fetch(`${origin}/app/api/inbox/preferences`, {
    method: "PUT",
    headers: {
      "Content-Type": "application/json",
      Origin: origin,
      Cookie: `frontdesk=${await beginSession(ADA.email)}`,
    },
    body: JSON.stringify({ undo_send_seconds: seconds }),
  });
  expect(status).toBe(200);
}

async function sends(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press("Enter");
  await expect.poll(() => field(page).inputValue()).toBe("");
}

/** The text is in the reply again, with the cursor, and nothing waits. */
async function isBack(page: Page, text: string): Promise<void> {
  await expect.poll(() => field(page).inputValue()).toBe(text);
  await expect.poll(() => isFocused(page)).toBe(true);
  await expect.poll(() => undoButton(page).count()).toBe(0);
}

test("a reply that waits can be undone by its button and by a key, and is sent when it is left alone", async () => {
  const vera = await visitorWrites("Do you ship to Portugal?");
  const { page, complaints } = await signIn(shop);
  await chooses(page, 30);
  await row(page, "Portugal").locator("a").click();
  await field(page).waitFor();

  // By the button.
  await sends(page, "We dont");
  await held(page).waitFor();
  await page.locator("[aria-live=polite]").getByText("to undo").waitFor({ state: "attached" });
  expect(await violations(page, "a reply that waits")).toEqual([]);
  await undoButton(page).click();
  await isBack(page, "We dont");

  // By the key in the empty field; what was begun meanwhile has the key for itself.
  await sends(page, "We do not");
  await held(page).waitFor();
  await field(page).press("Control+z");
  await isBack(page, "We do not");
  await sends(page, "We do n");
  await held(page).waitFor();
  await field(page).pressSequentially("In two");
  await undoButton(page).click();
  await isBack(page, "We do n\n\nIn two");

  // With its file.
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await chooser).setFiles([notes("prices.txt")]);
  const remove = page.getByRole("button", { name: "Remove prices.txt" });
  await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
  await remove.waitFor();
  await sends(page, "Our prices");
  await held(page).waitFor();
  expect(await remove.count()).toBe(0);
  await undoButton(page).click();
  await isBack(page, "Our prices");
  await remove.waitFor();

  // A reload changes nothing.
  await sends(page, "Our prices.");
  await held(page).waitFor();
  await page.reload();
  await held(page).waitFor();
  await undoButton(page).click();
  await isBack(page, "Our prices.");
  await remove.waitFor();

  // Let go: the next message sends the one before, and the last one goes when its time is over.
  await remove.click();
  await remove.waitFor({ state: "detached" });
  await sends(page, "Yes, to Portugal.");
  await held(page).waitFor();
  await adaWaits(1);
  await page.reload();
  await held(page).waitFor();
  await sends(page, "In two days.");
  await expect.poll(() => bubbles(vera)).toContain("Yes, to Portugal.");
  await expect.poll(() => bubbles(vera)).toContain("In two days.");
  expect(await bubbles(vera)).toEqual(["Do you ship to Portugal?", "Yes, to Portugal.", "In two days."]);
  await expect.poll(() => undoButton(page).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a tab that is closed while a reply waits does not keep it from the visitor", async () => {
  const vera = await visitorWrites("Do you ship to Malta?");
  await adaWaits(2);
  const { page } = await signIn(shop);
  await row(page, "Malta").locator("a").click();
  const stored = page.waitForResponse((answer) => answer.url().endsWith("/held-replies"));
  await sends(page, "We do.");
  await stored;
  await page.context().close();
  await expect.poll(() => bubbles(vera)).toEqual(["Do you ship to Malta?", "We do."]);
});

test("sending and resolving goes on to the next conversation, and the undo leads back", async () => {
  await hasWritten("Olu Ade");
  await hasWritten("Kim Park");
  await adaWaits(30);
  const { page, complaints } = await signIn(shop);
  await row(page, "Kim Park").locator("a").click();
  await field(page).waitFor();
  const kim = page.url();
  await field(page).fill("We do, Kim.");
  await field(page).press("Control+Shift+Enter");
  await expect.poll(() => page.url()).not.toBe(kim);
  const toast = page.getByRole("dialog").filter({ hasText: "Sending your reply to Kim Park" });
  await toast.waitFor();
  // It is resolved only when it is sent.
  await row(page, "Kim Park").waitFor();
  await toast.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => page.url()).toBe(kim);
  await isBack(page, "We do, Kim.");
  await expect.poll(() => page.getByRole("button", { name: "Reopen" }).count()).toBe(0);
  expect(complaints).toEqual([]);
});
