/** Spam and held emails in a real browser: an agent reads spam as plain text, moves an email to the inbox, and deletes another. */
import { readFileSync } from "node:fs";
import { inDarkScheme, violations } from "@frontdesk/testing/accessibility";
import { dialogOf, signIn } from "@frontdesk/testing/agent-browser";
import { query } from "@frontdesk/testing/second-app";
import { anotherTeam, openShop, type Shop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const server = await openShop("sqlite", {}, afterAll);

const main = (page: Page) => page.locator("main");
const says = (page: Page, text: string | RegExp) => expect.poll(() => main(page).innerText()).toMatch(text);
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const entry = (page: Page) => page.getByRole("link", { name: /^Spam/ });
const focused = (page: Page) => page.evaluate<string>("document.activeElement.textContent");
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

/** A mailbox whose own server is `mx.acme.example`. */
async function openMailbox({ frontdesk, api, teamId, widgetId }: Shop) {
  const settings = {
    ...{ address: `support-${teamId}@acme.test`, authserv_id: "mx.acme.example" },
    inbound: { kind: "http" as const },
  };
  const { data } = await api.createChannel({
    body: { channel: "email", widget_id: widgetId, name: "Support", settings },
  });
  const { pathname } = new URL(String(data.attributes.callback_url));
  let mails = 0;
  let spam = 0;
  /** Posts an email. */
  async function gets(subject: string, body: string, headers: readonly string[]): Promise<void> {
    mails += 1;
    const lines = [
      ...headers,
      ...["From: Sly <sly@spam.example>", `Message-ID: <${mails}.${teamId}@spam.example>`, `Subject: ${subject}`],
      ...["Content-Type: text/html", "", body],
    ];
    const sent = { "Content-Type": "message/rfc822" };
    const answer = await fetch(`${frontdesk.origin}${pathname}`, {
      method: "POST",
      headers: sent,
      body: lines.join("\r\n"),
    });
    expect(answer.status).toBe(200);
  }
  const inState = async (state: string) => {
    const found = `SELECT 1 FROM mail_imports WHERE team_id = '${teamId}' AND state = '${state}'`;
    return (await query(frontdesk.running().storage, found)).length;
  };
  /** Posts an email, and waits until it is spam. */
  async function getsSpam(subject: string, body = "Click on https://spam.example/win"): Promise<void> {
    spam += 1;
    await gets(subject, body, ["Authentication-Results: mx.acme.example; spf=pass", "X-Spam-Flag: YES"]);
    await expect.poll(() => inState("spam")).toBe(spam);
  }
  /** Posts emails that are no spam, until two are held. */
  async function getsTooMany(): Promise<void> {
    for (let n = 1; n <= 22; n += 1) await gets(`Mail ${n}`, `Text ${n}`, []);
    await expect.poll(() => inState("held")).toBe(2);
  }
  /** Posts a newsletter, and waits until it is there. */
  async function getsNewsletter(subject: string): Promise<void> {
    await gets(subject, "Summer sale", ["List-Unsubscribe: <https://spam.example/>"]);
    await expect.poll(() => inState("automatic")).toBe(1);
  }
  return { getsSpam, getsTooMany, getsNewsletter };
}

test("an agent finds spam beside the inbox, reads it as plain text, and moves what is none to the inbox", async () => {
  const shop = await anotherTeam(server);
  const without = await signIn(shop);
  await without.page.getByRole("link", { name: "Contacts" }).waitFor();
  expect(await entry(without.page).count()).toBe(0);

  const { getsSpam } = await openMailbox(shop);
  await getsSpam("Win a car");
  await getsSpam(
    "Order 20871",
    '<p>Where is <a href="https://spam.example/x">my order</a>?</p><img src="https://spam.example/i">',
  );
  const { page, complaints, strangers } = await signIn(shop);
  await expect.poll(() => entry(page).innerText()).toMatch(/Spam\s+2/);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("spam");
  await expect.poll(() => dialogOf(page).getByRole("option").count()).toBe(1);
  await dialogOf(page).getByRole("option", { name: "Spam" }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toMatch(/\/app\/spam$/);
  await expect.poll(() => page.title()).toMatch(/^Spam – Frontdesk$/);
  await says(page, /deleted after 30 days.*Sly.*Order 20871.*Where is my order.*Support.*Sly.*Win a car/s);
  expect(await violations(page, "the list of spam", inDarkScheme)).toEqual([]);

  // By keys: the first email is opened, and its text is plain.
  await button(page, "Order 20871").focus();
  await page.keyboard.press("Enter");
  await says(page, /Shown as plain text.*Where is my order \[https:\/\/spam\.example\/x\]\?/s);
  expect(await button(page, "Order 20871").getAttribute("aria-expanded")).toBe("true");
  expect(await main(page).locator("li a, li img, li iframe").count()).toBe(0);
  expect(await violations(page, "an open spam email", inDarkScheme)).toEqual([]);
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Download original").click()]);
  expect(readFileSync(await download.path(), "utf8")).toContain("Subject: Order 20871");

  await button(page, "Not spam: Order 20871").focus();
  await page.keyboard.press("Enter");
  await toast(page, "“Order 20871” was moved to the inbox.");
  await expect.poll(() => button(page, "Order 20871").count()).toBe(0);
  await expect.poll(() => focused(page)).toBe("Win a car");
  await expect.poll(() => entry(page).innerText()).toMatch(/Spam\s+1/);
  await page.getByRole("button", { name: "Inbox", exact: true }).click();
  await page.getByRole("listitem").filter({ hasText: "Sly" }).waitFor();
  expect([complaints, strangers]).toEqual([[], []]);
});

test("deleting spam asks first, and the last email leaves an empty list, also on a phone", async () => {
  const shop = await anotherTeam(server);
  const { getsSpam } = await openMailbox(shop);
  for (const subject of ["One", "Two"]) await getsSpam(subject);
  const { page, complaints } = await signIn(shop, "/spam", {
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
  });
  await says(page, /Two.*One/s);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await violations(page, "spam on a phone", inDarkScheme)).toEqual([]);
  for (const [subject, next] of [
    ["Two", "One"],
    ["One", ""],
  ] as const) {
    await button(page, `Delete: ${subject}`).click();
    await expect.poll(() => dialogOf(page).innerText()).toMatch(`“${subject}” will be deleted for good`);
    await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
    await dialogOf(page).waitFor({ state: "detached" });
    await button(page, `Delete: ${subject}`).click();
    await dialogOf(page).getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => button(page, subject).count()).toBe(0);
    if (next) await expect.poll(() => focused(page)).toBe(next);
  }
  await says(page, "No spam");
  expect(await violations(page, "no spam", inDarkScheme)).toEqual([]);
  expect(complaints).toEqual([]);
});

test("what another agent has handled goes from the list", async () => {
  const shop = await anotherTeam(server);
  const { getsSpam } = await openMailbox(shop);
  await getsSpam("One");
  const [ada, again] = [await signIn(shop, "/spam"), await signIn(shop, "/spam")];
  for (const { page } of [ada, again]) await button(page, "One").waitFor();
  await button(ada.page, "Not spam: One").click();
  await says(ada.page, "No spam");
  await button(again.page, "Not spam: One").click();
  await toast(again.page, "This no longer exists. Someone may have removed it.");
  await says(again.page, "No spam");
});

test("a newsletter is in no list of open conversations; the list of automatic emails opens it, also on a phone", async () => {
  const shop = await anotherTeam(server);
  const { getsNewsletter } = await openMailbox(shop);
  await getsNewsletter("Our summer sale");
  const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
  const { page, complaints } = await signIn(shop, "/inbox", phone);
  await says(page, "All caught up");
  expect(await main(page).innerText()).not.toContain("Our summer sale");
  await page.goto(page.url().replace(/\/inbox.*/, "/spam"));
  await page.getByRole("tab", { name: "Automatic" }).click();
  await says(page, /Newsletters.*Sly.*Our summer sale.*Summer sale.*Support/s);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await violations(page, "automatic emails", inDarkScheme)).toEqual([]);
  await page.getByRole("link", { name: "Our summer sale" }).click();
  await expect.poll(() => page.url()).toMatch(/\/app\/inbox\/\w/);
  await says(page, "Summer sale");
  expect(complaints).toEqual([]);
});

test("emails of a sender who writes too many are listed beside spam, and open their conversation", async () => {
  const shop = await anotherTeam(server);
  const { getsTooMany } = await openMailbox(shop);
  const { page, complaints } = await signIn(shop, "/spam");
  await says(page, "No spam");
  const tab = page.getByRole("tab", { name: "Held" });
  await tab.click();
  await says(page, "No held emails");
  await getsTooMany();
  await page.reload();
  await tab.click();
  await says(page, /more than 20 emails.*Sly.*Mail 22.*Text 22.*Support.*Sly.*Mail 21.*Text 21/s);
  expect(await main(page).innerText()).not.toContain("Mail 20");
  expect(await violations(page, "held emails", inDarkScheme)).toEqual([]);
  await page.getByRole("link", { name: "Mail 21" }).click();
  await expect.poll(() => page.url()).toMatch(/\/app\/inbox\/\w/);
  await says(page, "Text 21");
  expect(complaints).toEqual([]);
});
