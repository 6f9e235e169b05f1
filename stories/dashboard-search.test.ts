/** The search of the inbox in a browser: what people type is found, marked, and shown where it was written. */
import { violations } from "@frontdesk/testing/accessibility";
import { signIn } from "@frontdesk/testing/agent-browser";
import { openMailbox } from "@frontdesk/testing/formatted-email";
import { anotherTeam, openShop, type Shop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const server = await openShop("sqlite", {}, afterAll);

const writes = ({ api, widgetId }: Shop, name: string, content: string) =>
  api.sendVisitorMessage({
    body: {
      widget_id: widgetId,
      name,
      email: `${name.length}@acme.test`,
      content,
    },
  });

const dialog = (page: Page) => page.getByRole("dialog");
const hits = (page: Page) => dialog(page).getByRole("option");
const marks = (page: Page, place: string) => page.locator(`${place} mark`).allInnerTexts();

async function searchFor(page: Page, text: string): Promise<void> {
  if ((await dialog(page).count()) === 0) {
    await page.locator("body").press("/");
    await dialog(page).waitFor();
  }
  await dialog(page).getByRole("combobox").fill(text);
}

test("what was searched for is marked in the hits and in the conversation, which opens at the message", async () => {
  const shop = await anotherTeam(server);
  const long = "a very long story before it, ".repeat(20);
  await writes(shop, "Ana Delgado", `<b>Straße</b> 4, please: ${long}where is the blanket? ${long}`);
  for (let number = 1; number <= 120; number += 1) await writes(shop, "Ana Delgado", `Line ${number}`);
  await writes(shop, "Siri Thomas Rasse", "Hello");
  const { page, complaints } = await signIn(shop);
  await page.locator("[role=listitem]").first().waitFor();

  await searchFor(page, "delgado blankets");
  await expect.poll(() => hits(page).count()).toBe(1);
  await expect.poll(() => marks(page, "[role=dialog]")).toEqual(["Delgado", "blanket"]);
  // The name and the date stay in sight beside a long hit.
  const row = await hits(page).first().boundingBox();
  for (const text of ["Ana", "blanket"]) {
    const box = await hits(page).first().getByText(text).last().boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((row?.x ?? 0) + (row?.width ?? 0));
  }

  await searchFor(page, "STRASSE");
  await expect.poll(() => marks(page, "[role=dialog]")).toEqual(["Straße"]);
  expect(await hits(page).allInnerTexts()).toEqual([expect.stringContaining("Ana Delgado")]);
  await page.keyboard.press("Enter");

  // It is the first of 121 messages: older ones are loaded until it is there.
  await expect.poll(() => marks(page, "[data-index]")).toEqual(["Straße"]);
  await expect.poll(() => page.locator("[data-index] mark").first().isVisible()).toBe(true);
  expect(await page.locator("[data-index] b").count()).toBe(0);
  const isInSight = () =>
    page.evaluate(`(({ top, bottom }) => top >= 0 && bottom <= innerHeight)
      (document.querySelector("[data-index] mark").getBoundingClientRect())`);
  await expect.poll(isInSight).toBe(true);

  await page.reload();
  await expect.poll(() => marks(page, "[data-index]")).toEqual(["Straße"]);
  await page.locator("body").press("k");
  await page.locator("section[aria-label*='Siri'] [data-index]").first().waitFor();
  expect(await marks(page, "[data-index]")).toEqual([]);
  expect(complaints).toEqual([]);
});

test("an email is found by its subject, which is marked in the hits and above its conversation", async () => {
  const shop = await anotherTeam(server);
  const arrives = await openMailbox(shop);
  await arrives("\r\nThe blanket is too warm", "Dora <dora@acme.test>", "Refund of order 4711");
  await writes(shop, "Ana Delgado", "Hello");
  const { page, complaints } = await signIn(shop);
  await page.locator("[role=listitem]").nth(1).waitFor();

  // By the subject alone; of the list that is loaded, before the service has answered.
  await searchFor(page, "orders 4711");
  await expect.poll(() => marks(page, "[role=dialog]")).toEqual(["order", "4711"]);
  expect(await hits(page).allInnerTexts()).toEqual([expect.stringMatching(/Dora.*Refund of order 4711/s)]);
  // Together with the message, with a typo, and only in what the service has.
  await searchFor(page, "4711 blankte status:open");
  await expect.poll(() => marks(page, "[role=dialog]")).toEqual(["4711", "blanket"]);
  expect(await hits(page).allInnerTexts()).toEqual([expect.stringMatching(/Dora.*Refund of order 4711.*too warm/s)]);
  expect(await violations(page, "hits of an email")).toEqual([]);
  await page.keyboard.press("Enter");
  await expect.poll(() => marks(page, "section[aria-label='About this email conversation'] h3")).toEqual(["4711"]);
  await expect.poll(() => marks(page, "[data-index]")).toEqual(["blanket"]);
  expect(complaints).toEqual([]);
});

test("operators narrow the search, and one that is not known says so", async () => {
  const shop = await anotherTeam(server);
  await writes(shop, "Ana Delgado", "A refund, please");
  await writes(shop, "Robin", "My refund?");
  const { page } = await signIn(shop);
  await page.locator("[role=listitem]").first().waitFor();

  await page.locator("body").press("/");
  await dialog(page).getByText("status:").waitFor();
  await searchFor(page, "refund from:ana");
  await expect.poll(() => hits(page).allInnerTexts()).toEqual([expect.stringContaining("Ana Delgado")]);
  await searchFor(page, "refund status:resolved");
  await dialog(page).getByText("No results").waitFor();
  await searchFor(page, "refund tag:vip");
  await dialog(page).getByText("No tag called “vip”").waitFor();
  await searchFor(page, "status:closed");
  await dialog(page).getByText("“closed” isn’t a status").waitFor();
});
