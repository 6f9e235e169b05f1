/** Who waits, since when, and whose it is, as agents see it in their lists (docs/decisions/0044-triage.md). */
import { violations } from "@frontdesk/testing/accessibility";
import { BEN, joins, signIn } from "@frontdesk/testing/agent-browser";
import { openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);
await joins(shop, BEN);

const HOURS_2_MS = 7_200_000;

const rows = (page: Page) => page.locator("[role=listitem]");
const row = (page: Page, name: string) => rows(page).filter({ hasText: name });
const names = (page: Page) => page.locator("[role=listitem] a > span:first-child > [dir=auto]").allInnerTexts();
const field = (page: Page) => page.locator("section textarea");
const view = (page: Page, name: string) =>
  page.getByRole("navigation").getByRole("link", { name: new RegExp(`^${name}`) });
const countOf = async (page: Page, name: string) =>
  Number.parseInt(/\d+/.exec(await view(page, name).innerText())?.[0] ?? "0", 10);

async function writes(name: string, content = "Do you ship to Portugal?"): Promise<string> {
  const contact = { name, email: `${name.toLowerCase().replaceAll(" ", ".")}@example.com` };
  const { data } = await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, ...contact, content } });
  return data.attributes.conversation_id;
}

test("an agent sees who waits and since when, answers the longest first, and has what they answered", async () => {
  await writes("Vera Lind");
  const kim = await writes("Kim Park");
  const { page, complaints } = await signIn(shop);
  await expect.poll(() => countOf(page, "Waiting for us")).toBe(2);
  await view(page, "Waiting for us").click();
  await expect.poll(() => names(page)).toEqual(["Vera Lind", "Kim Park"]);
  await row(page, "Vera Lind").getByText("Waiting 0m").waitFor();
  expect(await violations(page, "those that wait")).toEqual([]);

  // The order is in the address, and stays.
  await page.getByRole("button", { name: "Sort" }).click();
  await page.getByRole("menu").waitFor();
  expect(await violations(page, "the orders")).toEqual([]);
  await page.getByRole("menuitemradio", { name: "Newest" }).click();
  await expect.poll(() => names(page)).toEqual(["Kim Park", "Vera Lind"]);
  expect(page.url()).toContain("order=newest");
  await page.reload();
  await expect.poll(() => names(page)).toEqual(["Kim Park", "Vera Lind"]);
  await page.getByRole("button", { name: "Sort" }).click();
  await page.getByRole("menuitemradio", { name: "Waiting longest" }).click();
  await expect.poll(() => names(page)).toEqual(["Vera Lind", "Kim Park"]);
  expect(page.url()).not.toContain("order=");

  // Two hours later it says so in words, and stands out.
  await page.addInitScript(`{ const now = Date.now; Date.now = () => now() + ${HOURS_2_MS}; }`);
  await page.reload();
  await row(page, "Vera Lind").getByText("Waiting 2h").waitFor();
  expect(await violations(page, "a long wait")).toEqual([]);

  // Her reply takes it: it waits no more, and is hers.
  await row(page, "Vera Lind").locator("a").click();
  await field(page).fill("We do, Vera.");
  await field(page).press("Enter");
  await expect.poll(() => names(page)).toEqual(["Kim Park"]);
  await expect.poll(() => countOf(page, "Answered")).toBe(1);
  await expect.poll(() => countOf(page, "Mine")).toBe(1);
  await view(page, "Answered").click();
  await row(page, "Vera Lind").getByRole("img", { name: "Assigned to Ada" }).waitFor();

  // A colleague sees it too, and what is done with the other one.
  const ben = await signIn(shop, "/inbox?view=all", {}, BEN);
  await row(ben.page, "Vera Lind").getByRole("img", { name: "Assigned to Ada" }).waitFor();
  await shop.api.setConversationStatus({ params: { conversation_id: kim }, body: { status: "resolved" } });
  await row(ben.page, "Kim Park").getByText("Resolved").waitFor();
  expect(await row(ben.page, "Kim Park").getByText("Waiting").count()).toBe(0);

  // With the setting off, Ben's reply assigns no one.
  await ben.page.goto(`${shop.frontdesk.origin}/app/settings/profile`);
  await ben.page.getByRole("switch", { name: "Assign to me when I reply" }).click();
  const noor = await writes("Noor Aziz");
  await ben.page.goto(`${shop.frontdesk.origin}/app/inbox/${noor}`);
  await field(ben.page).fill("We do, Noor.");
  await field(ben.page).press("Enter");
  await expect.poll(() => countOf(ben.page, "Answered")).toBe(2);
  expect(
    await row(ben.page, "Noor Aziz")
      .getByRole("img", { name: /Assigned to/ })
      .count(),
  ).toBe(0);
  expect([...complaints, ...ben.complaints]).toEqual([]);
});

test("what a colleague has opened stays new to the others, and is read at all screens of one's own", async () => {
  const [ada, ben] = [await signIn(shop), await signIn(shop, "/inbox", {}, BEN)];
  const dot = (page: Page) => row(page, "Olu Ade").getByRole("img", { name: "New for you" });
  await writes("Olu Ade");
  await row(ben.page, "Olu Ade").locator("a").click();
  await dot(ada.page).waitFor();
  expect(await violations(ada.page, "the dot")).toEqual([]);
  await expect.poll(() => dot(ben.page).count()).toBe(0);
  const second = await ada.page.context().newPage();
  await second.goto(`${shop.frontdesk.origin}/app/inbox`);
  await dot(second).waitFor();
  await row(second, "Olu Ade").locator("a").click();
  await expect.poll(() => dot(second).count()).toBe(0);
  await expect.poll(() => dot(ada.page).count()).toBe(0);
  await second.reload();
  await row(second, "Olu Ade").waitFor();
  expect(await dot(second).count()).toBe(0);
  expect([...ada.complaints, ...ben.complaints]).toEqual([]);
});

test("the open row stays in place while others come in, and a pill leads to them", async () => {
  const ARRIVING = 12;
  // Two digits: "Late 1" and its time, "2:15 AM", would read as "Late 12".
  for (let count = 11; count <= 30; count += 1) await writes(`Early ${count}`);
  const { page, complaints } = await signIn(shop);
  await row(page, "Early 27").locator("a").click();
  await field(page).waitFor();
  const placeOf = async () => (await row(page, "Early 27").boundingBox())?.y;
  const before = await placeOf();
  expect(before).toBeGreaterThan(0);
  for (let count = 1; count <= ARRIVING; count += 1) await writes(`Late ${10 + count}`);
  const pill = page.getByRole("button", { name: `${ARRIVING} new` });
  await pill.waitFor();
  expect(await placeOf()).toBe(before);
  expect(await violations(page, "the pill")).toEqual([]);
  await pill.click();
  await row(page, "Late 22").waitFor();
  await expect.poll(() => pill.count()).toBe(0);
  await expect.poll(async () => (await names(page))[0]).toBe("Late 22");
  // The list is at its top, and the open row is out of sight: what comes now shows at once.
  await writes("Last One");
  await expect.poll(async () => (await names(page))[0]).toBe("Last One");
  expect(complaints).toEqual([]);
});
