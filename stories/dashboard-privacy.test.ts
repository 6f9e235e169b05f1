import { dialogOf, signIn } from "@frontdesk/testing/agent-browser";
import { openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);

const DAYS = {
  conversations: "Delete resolved conversations after (days)",
  files: "Delete files after (days)",
  ip: "Delete IP addresses after (days)",
};
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const save = (page: Page) => page.getByRole("button", { name: "Save changes" }).click();
const settings = async () => (await shop.api.getPrivacy({})).data.attributes;

async function opened() {
  const signedIn = await signIn(shop, "/settings/privacy");
  await field(signedIn.page, DAYS.files).waitFor();
  return signedIn;
}

test("an owner sets how long data is kept, sees from when on, and is asked before changes are lost", async () => {
  const { page, complaints } = await opened();
  await page.getByText("Would be deleted now").waitFor();
  await field(page, DAYS.conversations).fill("365");
  await field(page, DAYS.ip).fill("14");
  await page.getByText("Unsaved changes", { exact: true }).waitFor();
  await page.locator("nav a[href$='/contacts']").first().click();
  await dialogOf(page).getByRole("button", { name: "Keep editing" }).click();
  await save(page);
  await page.getByText("The last change takes effect on").waitFor();
  expect(await settings()).toMatchObject({ erase_after_days: 365, ip_after_days: 14, files_after_days: null });
  await page.reload();
  await expect.poll(() => field(page, DAYS.conversations).inputValue()).toBe("365");

  // Empty is never, and less holds at once.
  await field(page, DAYS.conversations).fill("");
  await field(page, DAYS.ip).fill("");
  await save(page);
  await page.getByText("The last change takes effect on").waitFor({ state: "detached" });
  expect(await settings()).toMatchObject({ erase_after_days: null, ip_after_days: null, starts_at: null });
  expect(complaints).toEqual([]);
});

test("a widget has settings of its own, by keyboard alone", async () => {
  const { data: blog } = await shop.api.createWidget({ body: { name: "Blog" } });
  const { page, complaints } = await opened();
  await page.getByLabel("Add settings for a widget").selectOption({ label: "Blog" });
  const own = page.getByRole("group", { name: "Blog" });
  await own.getByLabel(DAYS.files, { exact: true }).focus();
  await page.keyboard.type("30");
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await settings()).widgets)
    .toEqual([expect.objectContaining({ widget_id: blog.id, files_after_days: 30, erase_after_days: null })]);
  await own.getByRole("button", { name: /Blog/ }).focus();
  await page.keyboard.press("Enter");
  await own.waitFor({ state: "detached" });
  await save(page);
  await expect.poll(async () => (await settings()).widgets).toEqual([]);
  expect(complaints).toEqual([]);
});

test("the page of widgets says whether one has its own settings, and leads to them", async () => {
  const { data: news } = await shop.api.createWidget({ body: { name: "News" } });
  const { page, complaints } = await signIn(shop, "/settings/widgets");
  await page.getByLabel("Widgets", { exact: true }).selectOption({ label: "News" });
  await page.getByText("This widget keeps data as long as your team does.").waitFor();
  const link = page.getByRole("link", { name: "Privacy settings of this widget" });
  await link.click();
  const adding = page.getByLabel("Add settings for a widget");
  await expect.poll(() => adding.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
  await shop.api.updatePrivacy({ body: { widgets: [{ widget_id: news.id, files_after_days: 30 }] } });

  await page.goto(`${shop.frontdesk.origin}/app/settings/widgets`);
  await page.getByLabel("Widgets", { exact: true }).selectOption({ label: "News" });
  await page.getByText("This widget has its own settings.").waitFor();
  await link.click();
  const first = page.getByRole("group", { name: "News" }).getByLabel(DAYS.conversations, { exact: true });
  await expect.poll(() => first.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
  await shop.api.updatePrivacy({ body: { widgets: [] } });
  expect(complaints).toEqual([]);
});

test("who is on hold is listed with the reason, and released after a question", async () => {
  const { data } = await shop.api.sendVisitorMessage({
    body: { widget_id: shop.widgetId, name: "Vera", email: "vera@acme.test", content: "Hello" },
  });
  const contactId = data.attributes.contact?.id ?? "";
  await shop.api.holdContact({ params: { id: contactId }, body: { reason: "Court case 12/26" } });
  const { page, complaints } = await opened();
  const held = page.getByRole("list", { name: "On hold" }).getByRole("listitem");
  await expect.poll(() => held.textContent()).toContain("Court case 12/26");
  expect(await held.textContent()).toContain("Until it’s released");
  await held.getByRole("button", { name: /Release/ }).click();
  await dialogOf(page).getByRole("button", { name: "Release", exact: true }).click();
  await page.getByText("No contact is on hold").waitFor();

  // Then it can be erased, and is listed there.
  const { data: erasure } = await shop.api.eraseContact({ params: { id: contactId }, body: {} });
  await expect
    .poll(async () => (await shop.api.getErasure({ params: { id: erasure.id } })).data.attributes.state)
    .toBe("done");
  await page.reload();
  const erasures = page.getByRole("list", { name: "Latest deletions" }).getByRole("listitem");
  await expect.poll(() => erasures.first().textContent()).toMatch(/^Contact.*Messages: 1.*Done$/);
  expect(complaints).toEqual([]);
});
