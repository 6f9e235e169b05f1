import { dialogOf, signIn } from "@frontdesk/testing/agent-browser";
import { openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);

const question = (page: Page) => dialogOf(page).filter({ hasText: "Discard changes?" });
const mark = (page: Page) => page.getByText("Unsaved changes", { exact: true });

test("an article that is not saved is kept, or discarded after a question", async () => {
  const { page } = await signIn(shop, "/knowledge/new");
  await page.locator("input[name=question]").fill("Do you ship?");
  await mark(page).waitFor();
  const leave = () => page.locator("nav a[href$='/contacts']").first().click();
  await leave();
  await question(page).getByRole("button", { name: "Keep editing" }).click();
  await question(page).waitFor({ state: "detached" });
  expect(await page.locator("input[name=question]").inputValue()).toBe("Do you ship?");

  // The browser asks before the page is unloaded.
  const asked = page.waitForEvent("dialog");
  const reload = page.evaluate("location.reload()").catch(() => {});
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await reload;
  await expect.poll(() => page.locator("input[name=question]").inputValue()).toBe("Do you ship?");

  await leave();
  await question(page).getByRole("button", { name: "Discard changes" }).click();
  await page.waitForURL(/contacts/);
  await page.goBack();
  await page.locator("input[name=question]").waitFor();
  expect(await page.locator("input[name=question]").inputValue()).toBe("");
});

test("a saved article is left without a question", async () => {
  const { page } = await signIn(shop, "/knowledge/new");
  await page.locator("input[name=question]").fill("Where are you?");
  await page.locator("textarea[name=answer]").fill("In Oslo.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator("nav a[href$='/contacts']").first().click();
  await page.waitForURL(/contacts/);
  expect((await shop.api.listArticles()).data.map(({ attributes }) => attributes.question)).toContain("Where are you?");
});

test("Esc in the form of a canned reply asks, and a text typed back to what it was needs no question", async () => {
  const { page } = await signIn(shop, "/settings/canned-replies");
  await page.getByRole("button", { name: "Add canned reply" }).click();
  const content = page.locator("[role=dialog] textarea[name=content]");
  await content.fill("We ship in three days.");
  await page.keyboard.press("Escape");
  await question(page).waitFor();
  // Esc answers the question with "Keep editing".
  await page.keyboard.press("Escape");
  await question(page).waitFor({ state: "detached" });
  expect(await content.inputValue()).toBe("We ship in three days.");

  await content.fill("");
  await mark(page).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Add canned reply" }).click();
  await content.fill("We ship in four days.");
  await page.keyboard.press("Escape");
  await question(page).getByRole("button", { name: "Discard changes" }).click();
  await dialogOf(page).waitFor({ state: "detached" });
});

test("another widget is not shown, and nobody is signed out, over unsaved settings", async () => {
  await shop.api.createWidget({ body: { name: "Second" } });
  const { page } = await signIn(shop, "/settings/widgets");
  const name = page.getByLabel("Widget name");
  await name.fill("Changed");
  await page.getByLabel("Widgets", { exact: true }).selectOption({ label: "Second" });
  await question(page).getByRole("button", { name: "Keep editing" }).click();
  await question(page).waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe("Changed");

  await page.getByRole("button", { name: /Ada/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await question(page).getByRole("button", { name: "Discard changes" }).click();
  await page.waitForURL(/sign-in/);
});
