import { inDarkScheme, violations } from "@frontdesk/testing/accessibility";
import { dialogOf, signIn } from "@frontdesk/testing/agent-browser";
import { openShop } from "@frontdesk/testing/visitor-browser";
import type { Locator, Page, Response } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);

const DAYS = {
  conversations: "Delete resolved conversations after (days)",
  files: "Delete files after (days)",
  ip: "Delete IP addresses after (days)",
};
const field = (page: Page | Locator, label: string) => page.getByLabel(label, { exact: true });
const save = (page: Page) => page.getByRole("button", { name: "Save changes" }).click();
const settings = async () => (await shop.api.getPrivacy({})).data.attributes;
const hasFocus = (place: Locator) =>
  expect.poll(() => place.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
const posted = (answer: Response) => answer.request().postData() ?? "";
/** The texts that a screen reader adds to a field or a group. */
const described = (place: Locator) =>
  place.evaluate((element) =>
    (element.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id: string) => element.ownerDocument.getElementById(id)?.textContent)
      .join(" "),
  );

async function connectMailbox(address: string, widget_id: string): Promise<string> {
  const settings = { address, inbound: { kind: "http" } } as const;
  return (await shop.api.createChannel({ body: { channel: "email", widget_id, settings } })).data.id;
}

async function opened() {
  const signedIn = await signIn(shop, "/settings/privacy");
  await field(signedIn.page, DAYS.ip).waitFor();
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
  await page.getByLabel("Add settings for a widget").focus();
  await page.keyboard.type("Blog");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const own = page.getByRole("group", { name: "Blog" });
  await hasFocus(field(own, DAYS.conversations));
  await page.keyboard.press("Tab");
  await hasFocus(field(own, DAYS.files));
  await page.keyboard.type("30");
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await settings()).widgets)
    .toEqual([expect.objectContaining({ widget_id: blog.id, files_after_days: 30, erase_after_days: null })]);
  await own.getByRole("button", { name: /Blog/ }).focus();
  await page.keyboard.press("Enter");
  await own.waitFor({ state: "detached" });
  await hasFocus(page.getByLabel("Add settings for a widget"));
  await save(page);
  await expect.poll(async () => (await settings()).widgets).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a channel begins with what it inherits, counts before its widget, and keeps its settings when it is deleted", async () => {
  const { data: magazine } = await shop.api.createWidget({ body: { name: "Magazine" } });
  await shop.api.updatePrivacy({
    body: { erase_after_days: 365, widgets: [{ widget_id: magazine.id, files_after_days: 30 }] },
  });
  const channel_id = await connectMailbox("press@acme.test", magazine.id);
  const { page, complaints } = await opened();
  const channels = page.getByRole("group", { name: "Channels with their own settings" });
  expect(await described(channels)).toContain("A channel’s own settings come first");
  await channels.getByRole("button", { name: "Add", exact: true }).press("Enter");
  const own = page.getByRole("group", { name: "press@acme.test" });
  await hasFocus(field(own, DAYS.conversations));
  expect(await field(own, DAYS.conversations).inputValue()).toBe("365");
  expect(await field(own, DAYS.files).inputValue()).toBe("30");
  expect(await own.getByText("page visits").count()).toBe(0);
  expect(await violations(page, "a channel with settings", inDarkScheme)).toEqual([]);

  // The preview is of what is entered; an error of the service is at its field.
  const counted = page.waitForResponse(
    (answer) =>
      answer.url().endsWith("/privacy/preview") && /"channels":\[.*"files_after_days":7\b/.test(posted(answer)),
  );
  await field(own, DAYS.files).fill("7");
  expect((await counted).status()).toBe(200);
  await page.getByText("Unsaved changes", { exact: true }).waitFor();
  await own.evaluate((group) => group.closest("form")?.setAttribute("novalidate", ""));
  await field(own, DAYS.conversations).fill("9999");
  await save(page);
  await hasFocus(field(own, DAYS.conversations));
  expect(await described(field(own, DAYS.conversations))).toContain("This isn’t valid");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("90");
  await page.keyboard.press("Enter");
  const rules = { erase_after_days: 90, erase_what: "conversations", files_after_days: 7 };
  await expect.poll(async () => (await settings()).channels).toEqual([{ channel_id, ...rules }]);
  await page.getByText("The last change takes effect on").waitFor();

  await shop.api.deleteChannel({ params: { id: channel_id } });
  await page.reload();
  const deleted = page.getByRole("group", { name: "Deleted channel" });
  expect(await field(deleted, DAYS.conversations).inputValue()).toBe("90");
  await deleted.getByRole("button", { name: "Remove Deleted channel" }).press("Enter");
  await deleted.waitFor({ state: "detached" });
  await hasFocus(page.getByRole("button", { name: "Save changes" }));
  await save(page);
  await expect.poll(async () => (await settings()).channels).toEqual([]);
  await shop.api.updatePrivacy({ body: { erase_after_days: null, widgets: [] } });
  expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
});

test("the pages of widgets and channels say whether one has its own settings, and lead to them", async () => {
  const { data: news } = await shop.api.createWidget({ body: { name: "News" } });
  const channel_id = await connectMailbox("news@acme.test", news.id);
  const { page, complaints } = await signIn(shop, "/settings/widgets");
  await page.getByLabel("Widgets", { exact: true }).selectOption({ label: "News" });
  await page.getByText("This widget keeps data as long as your team does.").waitFor();
  const link = page.getByRole("link", { name: "Privacy settings of this widget" });
  await link.click();
  const adding = page.getByLabel("Add settings for a widget");
  await hasFocus(adding);
  expect(await adding.inputValue()).toBe(news.id);
  await shop.api.updatePrivacy({ body: { widgets: [{ widget_id: news.id, files_after_days: 30 }] } });

  await page.goto(`${shop.frontdesk.origin}/app/settings/widgets`);
  await page.getByLabel("Widgets", { exact: true }).selectOption({ label: "News" });
  await page.getByText("This widget has its own settings.").waitFor();
  await link.click();
  await hasFocus(field(page.getByRole("group", { name: "News" }), DAYS.conversations));

  const channelPage = `${shop.frontdesk.origin}/app/settings/channels/${channel_id}`;
  await page.goto(channelPage);
  await page.getByText("The settings of its widget or your team apply to this channel.").waitFor();
  const channelLink = page.getByRole("link", { name: "Privacy settings of this channel" });
  await channelLink.click();
  await hasFocus(page.getByLabel("Add settings for a channel"));
  await shop.api.updatePrivacy({ body: { channels: [{ channel_id, erase_after_days: 30 }] } });
  await page.goto(channelPage);
  await page.getByText("This channel has its own settings.").waitFor();
  await channelLink.click();
  const ofChannel = page.getByRole("group", { name: "news@acme.test" });
  await hasFocus(field(ofChannel, DAYS.conversations));
  // What it leaves out is as its widget has it.
  expect(await field(ofChannel, DAYS.files).inputValue()).toBe("30");
  await shop.api.updatePrivacy({ body: { widgets: [], channels: [] } });
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
