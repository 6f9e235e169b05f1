/**
 * What an admin sets is what visitors and the team see: the widget, its hours and secret, tags, custom fields, the team's name.
 */

import { violations, violationsInDepth } from "@frontdesk/testing/accessibility";
import { BEN, dialogOf, joins, signIn } from "@frontdesk/testing/agent-browser";
import { openChat, openShop, visit } from "@frontdesk/testing/visitor-browser";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);
let vera = { conversation: "", contact: "" };

beforeAll(async () => {
  await joins(shop, BEN);
  const { data } = await shop.api.sendVisitorMessage({
    body: { widget_id: shop.widgetId, name: "Vera", email: "vera@acme.test", content: "Where is my order?" },
  });
  vera = { conversation: data.attributes.conversation_id, contact: String(data.attributes.contact?.id) };
  const params = { conversation_id: vera.conversation };
  await shop.api.addTag({ params, body: { name: "refund", color: "#c0262d" } });
  await shop.api.setCustomData({ params: { id: vera.contact, name: "plan" }, body: { value: "Business" } });
});

const settings = async (page: Page, part: string) => {
  await page.goto(`${shop.frontdesk.origin}/app/settings/${part}`);
  await page.waitForSelector("main h2");
};

test("the widget is as it was set: colors, words, questions, hours; and its secret is shown once", async () => {
  const options = { timezoneId: "UTC" };
  const { page, complaints } = await signIn(shop, "/settings/widgets", options);
  const found: string[] = [];
  const hugo = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`, options);
  await openChat(hugo.page);
  const preview = page.getByRole("img", { name: "Widget preview" });
  const save = async () => {
    const answered = page.waitForResponse((answer) => answer.request().method() === "PATCH");
    await page.getByRole("button", { name: "Save changes" }).click();
    expect((await answered).status()).toBe(200);
  };
  /** The widget after Hugo has reloaded the page. */
  const reloaded = async (): Promise<Frame> => {
    await hugo.page.reload();
    return openChat(hugo.page);
  };

  // The appearance; the text of the greeting is left out, so the default is shown.
  await page.getByRole("button", { name: "#0f766e" }).click();
  await page.getByLabel("Greeting title").fill("Welcome to Acme");
  await page.getByLabel("Ask for email").selectOption("required");
  await expect.poll(() => preview.innerText()).toContain("Welcome to Acme");
  await expect.poll(() => preview.innerText()).toMatch(/Email$/m);
  await save();
  let chat = await reloaded();
  await expect.poll(() => chat.locator("header").innerText()).toContain("We’re online");
  await expect.poll(() => chat.locator(".greeting").innerText()).toMatch(/Welcome to Acme\s+Ask us anything/);
  expect(await chat.evaluate("getComputedStyle(document.querySelector('header')).backgroundColor")).toBe(
    "rgb(15, 118, 110)",
  );
  await expect.poll(() => chat.locator("input[type=email]").getAttribute("aria-required")).toBe("true");

  // Hours that are days away: the team is away, and back on a day.
  const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  const later = days[(new Date().getUTCDay() + 3) % 7] as string;
  await page.getByRole("switch", { name: "Use business hours" }).click();
  await page.getByRole("button", { name: /^Time zone/ }).click();
  await page.getByPlaceholder("Search cities").waitFor();
  await page.keyboard.type("lisb");
  found.push(...(await violations(page, "the time zones")));
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByRole("button", { name: /^Time zone/ }).innerText()).toContain("Europe/Lisbon");
  for (const day of days) {
    const open = page.getByRole("switch", { name: day, exact: true });
    if ((await open.isChecked()) !== (day === later)) await open.click();
  }
  await expect.poll(() => preview.innerText()).toContain(`Back ${later}`);
  found.push(...(await violations(page, "the widget's settings")));
  await page.getByRole("button", { name: "Online", exact: true }).click();
  await expect.poll(() => preview.innerText()).toContain("We’re online");
  await save();
  chat = await reloaded();
  await expect.poll(() => chat.locator("header").innerText()).toContain(`Back on ${later}`);

  // Overlapping times are reported before they are sent; then open all day, every day.
  await page.getByRole("button", { name: `Add hours on ${later}` }).click();
  await page.getByLabel(`${later}, From`).last().fill("10:00");
  await page.getByText("These hours overlap.").waitFor();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Fix the business hours first.").waitFor();
  await page.getByRole("button", { name: /^Remove 10:00/ }).click();
  await page.getByLabel(`${later}, From`).fill("00:00");
  await page.getByLabel(`${later}, To`).fill("00:00");
  await page.getByRole("button", { name: `Copy ${later} to other days` }).click();
  await page.getByRole("menuitem", { name: "Copy to every day" }).click();
  await expect.poll(() => page.getByRole("switch", { name: "Monday", exact: true }).isChecked()).toBe(true);
  await save();
  chat = await reloaded();
  await expect.poll(() => chat.locator("header").innerText()).toContain("We’re online");

  // Closed dates, today and tomorrow: whatever the hour, and the local time in Lisbon.
  for (const ahead of [-1, 0, 1]) {
    await page
      .getByLabel("Date", { exact: true })
      .fill(new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10));
    await page.keyboard.press("Enter");
  }
  await expect.poll(() => page.getByRole("group", { name: "Holidays" }).getByRole("listitem").count()).toBe(3);
  await save();
  chat = await reloaded();
  await expect.poll(() => chat.locator("header").innerText()).toMatch(/Back (on )?\w+ at/);
  const stored = await shop.api.getWidget({ params: { widget: shop.widgetId } });
  expect(stored.data.attributes.settings.hours).toMatchObject({
    timezone: "Europe/Lisbon",
    week: { mon: [{ from: "00:00", to: "24:00" }], sun: [{ from: "00:00", to: "24:00" }] },
  });

  // The secret: shown once, and replaced only after a confirmation.
  await page.getByRole("button", { name: "Create secret" }).click();
  const secret = dialogOf(page);
  const first = await secret.locator("pre").first().innerText();
  expect(first).toMatch(/^fd_identity_\w+/);
  await secret.getByLabel("Sign on your server").first().selectOption("python");
  await expect.poll(() => secret.innerText()).toContain("def sign_identity");
  found.push(...(await violations(page, "the secret")));
  await secret.getByRole("checkbox").click();
  await secret.getByRole("button", { name: "Done" }).click();
  await page.getByText(/Identity verification is on/).waitFor();
  await page.getByRole("button", { name: "Replace secret" }).click();
  found.push(...(await violations(page, "asking for a new secret")));
  await dialogOf(page).getByRole("button", { name: "Replace secret" }).click();
  await expect.poll(() => dialogOf(page).locator("pre").first().innerText()).toMatch(/^fd_identity_/);
  expect(await dialogOf(page).locator("pre").first().innerText()).not.toBe(first);
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a widget suggests articles once its owner has chosen it, and the preview shows it", async () => {
  const { page } = await signIn(shop, "/settings/widgets");
  const preview = page.getByRole("img", { name: "Widget preview" });
  const chosen = page.getByRole("switch", { name: "Suggest articles" });
  await expect.poll(() => chosen.isChecked()).toBe(false);
  expect(await preview.innerText()).not.toContain("Search for answers");
  await chosen.click();
  await expect.poll(() => preview.innerText()).toContain("Search for answers");
  await page.getByRole("button", { name: "Save changes" }).click();
  const stored = async () =>
    (await shop.api.getWidget({ params: { widget: shop.widgetId } })).data.attributes.settings.suggest_articles;
  await expect.poll(stored).toBe(true);
  await page.context().close();
});

test("what an admin does to tags and fields is on the screen of agents in the inbox, without a reload", async () => {
  const found: string[] = [];
  const ben = await signIn(shop, `/inbox/${vera.conversation}`, {}, BEN);
  const row = ben.page.locator("[role=listitem]").first();
  const details = ben.page.getByRole("complementary", { name: "Details" });
  await expect.poll(() => row.innerText()).toContain("refund");
  await expect.poll(() => details.innerText()).toContain("refund");
  // A mark that a reload would remove.
  await ben.page.evaluate("document.body.dataset.sameVisit = 'yes'");
  const { page, complaints } = await signIn(shop, "/settings/tags");
  const dialog = dialogOf(page);

  // Created, renamed, with another color.
  await page.getByRole("button", { name: "Add tag" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("vip");
  await dialog.getByRole("radio", { name: "#8a5a00" }).check();
  found.push(...(await violations(page, "a new tag")));
  await page.keyboard.press("Enter");
  await expect
    .poll(() => page.locator("main li").allInnerTexts())
    .toContainEqual(expect.stringMatching(/vip\s+0 conv/));
  // The focus returns to what opened it.
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain("Add tag");
  found.push(...(await violationsInDepth(page, "the tags")));
  await page.getByRole("button", { name: "Edit refund" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("Money back");
  await dialog.getByRole("radio", { name: "#0a5fb8" }).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => row.innerText()).toContain("Money back");
  await expect.poll(() => details.innerText()).toContain("Money back");
  expect(await row.locator("[style*='rgb(10, 95, 184)']").count()).toBeGreaterThan(0);

  // The name of another tag offers to merge the two.
  await page.getByRole("button", { name: "Edit Money back" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("VIP");
  await dialog.getByText(/If you merge them/).waitFor();
  found.push(...(await violations(page, "two tags that become one")));
  await dialog.getByRole("button", { name: "Merge tags" }).click();
  await expect.poll(() => row.innerText()).toContain("vip");
  await expect.poll(() => row.innerText()).not.toContain("Money back");
  await expect
    .poll(() => page.locator("main li").allInnerTexts())
    .toContainEqual(expect.stringMatching(/vip\s+1 conv/));

  // Removed only after a question that names the consequences.
  await page.getByRole("button", { name: "Remove vip" }).click();
  await dialog.getByText(/removed from 1 conversation/).waitFor();
  found.push(...(await violationsInDepth(page, "removing a tag")));
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => row.innerText()).toContain("vip");
  await page.getByRole("button", { name: "Remove vip" }).click();
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await expect.poll(() => row.innerText()).not.toContain("vip");
  await page.getByText("No tags yet").waitFor();

  // The same for fields.
  await settings(page, "custom-fields");
  await expect.poll(() => details.innerText()).toContain("plan");
  await page.getByRole("button", { name: "Edit plan" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("Tariff");
  found.push(...(await violations(page, "a field")));
  await page.keyboard.press("Enter");
  await expect.poll(() => details.innerText()).toContain("Tariff");
  await page.getByRole("button", { name: "Add field" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("Tariff");
  await page.keyboard.press("Enter");
  await dialog.getByText("This name is already taken. Choose another one.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard changes" }).click();
  found.push(...(await violations(page, "the fields")));
  await page.getByRole("button", { name: "Remove Tariff" }).click();
  await dialog.getByText(/The value of 1 contact will be deleted/).waitFor();
  await dialog.getByRole("button", { name: "Remove", exact: true }).click();
  await expect.poll(() => details.innerText()).not.toContain("Tariff");
  expect(await ben.page.evaluate("document.body.dataset.sameVisit")).toBe("yes");

  // Members may not change tags and fields.
  await settings(ben.page, "tags");
  await ben.page.getByText("Ask an admin", { exact: true }).waitFor();
  expect(found).toEqual([]);
  expect([...complaints, ...ben.complaints].filter((text) => !text.includes("422"))).toEqual([]);
});

test("a search for contacts that is typed keeps the contact that is open, and going back closes the menu that is open", async () => {
  const { page, complaints } = await signIn(shop, `/contacts/${vera.contact}`);
  const search = page.getByRole("searchbox", { name: "Search contacts" });
  await search.fill("vera");
  await expect.poll(() => page.url()).toContain("q=vera");
  expect(page.url()).toContain(`/contacts/${vera.contact}`);
  await page.getByText("Where is my order").waitFor();

  // A menu above all layers closes when the browser goes back.
  await page.getByRole("link", { name: "Knowledge base" }).click();
  await page.getByRole("heading", { name: "Knowledge base" }).waitFor();
  await page.locator("nav button[title]").filter({ hasText: "Ada" }).click();
  await page.getByRole("menu").waitFor();
  await page.goBack();
  await page.getByText("Where is my order").waitFor();
  await expect.poll(() => page.getByRole("menu").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("the team is called otherwise, and a contact who never wrote is blocked and unblocked", async () => {
  const { page, complaints } = await signIn(shop, "/settings/team");
  await page.getByLabel("Name", { exact: true }).fill("Acme & Sons");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect.poll(() => page.locator("nav").first().innerText()).toContain("Acme & Sons");
  const { data } = await shop.api.initializeContact({ body: { widgetId: shop.widgetId } });
  await page.goto(`${shop.frontdesk.origin}/app/contacts/${data.id}`);
  await page.getByText("No conversations yet.").waitFor();
  await page.getByRole("button", { name: "Block visitor", exact: true }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Block visitor", exact: true }).waitFor();
  await page.getByRole("button", { name: "Block visitor", exact: true }).click();
  await page.getByRole("button", { name: "Unblock visitor" }).click();
  await expect
    .poll(async () => (await shop.api.getContact({ params: { id: data.id } })).data.attributes.blocked_at)
    .toBeNull();
  // A contact's page links to their conversation.
  await page.goto(`${shop.frontdesk.origin}/app/contacts/${vera.contact}`);
  await page.getByRole("link", { name: /Where is my order/ }).click();
  await expect.poll(() => page.url()).toContain(`/inbox/${vera.conversation}`);
  expect(complaints).toEqual([]);
});

test("a changed password leaves its fields, and a locked email says why", async () => {
  const { page, complaints } = await signIn(shop, "/settings/profile", {}, BEN);
  await page.getByLabel("Email", { exact: true }).waitFor();
  await page.getByText("You sign in with this email. It can’t be changed.").waitFor();
  await page.getByLabel("Current password").fill(BEN.password);
  await page.getByLabel("New password").fill("three green kettles");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Password changed", { exact: true }).first().waitFor();
  await expect.poll(() => page.getByLabel("Current password").inputValue()).toBe("");
  expect(await page.getByLabel("New password").inputValue()).toBe("");
  expect(complaints).toEqual([]);
});

test("a photo that is no image is refused by what it may be", async () => {
  const { page } = await signIn(shop, "/settings/profile");
  await page.getByRole("button", { name: "Upload photo" }).waitFor();
  await page
    .locator("main input[type=file]")
    .setInputFiles({ name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear Ada") });
  await page.getByText("Choose a PNG, JPEG, GIF, WebP or AVIF image.").first().waitFor();
});
