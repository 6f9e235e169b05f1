/** How messages and their surroundings are shown to agents: long ones, emoji, links, undone changes, and right-to-left languages. */
import { violations } from "@frontdesk/testing/accessibility";
import { signIn } from "@frontdesk/testing/agent-browser";
import { anotherTeam, openChat, openShop, type Shop, visit, write } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const server = await openShop("sqlite", {}, afterAll);

const field = (page: Page) => page.locator("section textarea");
const thread = (page: Page) => page.locator("[data-index]").allTextContents();
const rows = (page: Page) => page.locator("[data-index]");
const heightOf = async (page: Page, text: string) => (await rows(page).filter({ hasText: text }).boundingBox())?.height;

async function veraWrites({ api, widgetId }: Shop, content: string): Promise<string> {
  const contact = { name: "Vera Lind", email: "vera@acme.test" };
  const { data } = await api.sendVisitorMessage({ body: { widget_id: widgetId, ...contact, content } });
  return data.attributes.conversation_id;
}

const LONG = Array.from({ length: 200 }, (_, index) => `Line ${index + 1}`).join("\n");

test("a long message is folded until it is asked for, or found", async () => {
  const shop = await anotherTeam(server);
  for (let number = 1; number <= 20; number += 1) await veraWrites(shop, `Earlier ${number}`);
  await veraWrites(shop, `First of all\n${LONG}\nhttps://acme.test/last`);
  const id = await veraWrites(shop, "Short");
  const { page, complaints } = await signIn(shop, `/inbox/${id}`);
  const long = rows(page).filter({ hasText: "First of all" });
  const more = page.getByRole("button", { name: "Show more" });
  await more.waitFor();
  expect(await more.getAttribute("aria-expanded")).toBe("false");
  const folded = (await heightOf(page, "First of all")) ?? 0;
  expect(folded).toBeGreaterThan(300);
  expect(folded).toBeLessThan(600);
  expect(await violations(page, "a folded message")).toEqual([]);

  // Opened, its first line stays where it was.
  const top = async () => Math.round((await long.boundingBox())?.y ?? Number.NaN);
  const before = await top();
  await more.click();
  await page.getByRole("button", { name: "Show less" }).waitFor();
  await expect.poll(() => heightOf(page, "First of all")).toBeGreaterThan(4_000);
  await expect.poll(top).toBe(before);
  await page.getByRole("button", { name: "Show less" }).click();
  await expect.poll(() => heightOf(page, "First of all")).toBe(folded);
  await expect.poll(() => more.isVisible()).toBe(true);

  // A link below the fold is not reached unseen.
  await more.focus();
  await page.keyboard.press("Shift+Tab");
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("https://acme.test/last");
  await page.getByRole("button", { name: "Show less" }).waitFor();
  await page.getByRole("button", { name: "Show less" }).click();

  // Printed, nothing is missing.
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => heightOf(page, "First of all")).toBeGreaterThan(4_000);
  await page.emulateMedia({ media: "screen" });

  // What a search has found in it is shown.
  const other = await signIn(shop);
  await other.page.locator("[role=listitem]").first().waitFor();
  await other.page.locator("body").press("/");
  await other.page.getByRole("dialog").getByRole("combobox").fill("Line 150");
  await other.page.getByRole("dialog").getByRole("option").first().click();
  await other.page.getByRole("button", { name: "Show less" }).waitFor();
  expect([...complaints, ...other.complaints]).toEqual([]);
});

test("few emoji are large, a link names its site, and the limit of a message is said", async () => {
  const shop = await anotherTeam(server);
  await veraWrites(shop, "👍🏽🎉");
  const id = await veraWrites(shop, "See https://bank.test@evil.test/login");
  const { page, complaints } = await signIn(shop, `/inbox/${id}`);
  const sizeOf = (text: string) =>
    rows(page)
      .getByText(text)
      .evaluate((line) => Number.parseFloat(line.ownerDocument.defaultView?.getComputedStyle(line).fontSize ?? ""));
  await rows(page).getByText("See https://").waitFor();
  expect(await sizeOf("👍🏽🎉")).toBeGreaterThan(2 * (await sizeOf("See https://")));
  await expect.poll(() => page.locator("[data-index] a").getAttribute("title")).toBe("evil.test");

  const send = page.getByRole("button", { name: "Send", exact: true });
  await field(page).fill("x".repeat(9_512));
  await page.getByText("488 of 10,000 characters left").waitFor();
  expect(await send.isEnabled()).toBe(true);
  await field(page).fill("x".repeat(10_120));
  await page.getByText("120 over the limit of 10,000 characters").waitFor();
  expect(await send.isDisabled()).toBe(true);
  expect(await field(page).getAttribute("aria-invalid")).toBe("true");
  expect(await violations(page, "a message that is too long")).toEqual([]);
  await field(page).fill("");
  // Drafts have the same limit.
  expect(complaints.filter((text) => !/422/.test(text))).toEqual([]);
});

test("an undone change leaves no lines in the thread", async () => {
  const shop = await anotherTeam(server);
  const id = await veraWrites(shop, "Hello");
  const { page, complaints } = await signIn(shop, `/inbox/${id}?view=all`);
  await rows(page).first().waitFor();
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await expect.poll(() => thread(page)).toContainEqual(expect.stringContaining("Ada resolved this"));
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Resolve", exact: true }).waitFor();
  await expect.poll(async () => (await thread(page)).filter((line) => /Ada/.test(line))).toEqual([]);
  await page.reload();
  await rows(page).first().waitFor();
  expect((await thread(page)).filter((line) => /Ada/.test(line))).toEqual([]);
  expect(complaints).toEqual([]);
});

/** Whether a text is drawn from left to right, from its first character to its last. */
const runsToTheRight = (page: Page, text: string) =>
  page.evaluate(`(() => {
    const text = ${JSON.stringify(text)};
    const walker = document.createTreeWalker(document.getElementById("app"), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.data.indexOf(text);
      if (at < 0 || !node.parentElement.checkVisibility()) continue;
      const lefts = [...text].map((_, index) => {
        const range = document.createRange();
        range.setStart(node, at + index);
        range.setEnd(node, at + index + 1);
        return range.getBoundingClientRect().left;
      });
      return lefts.every((left, index) => index === 0 || left > lefts[index - 1]);
    }
  })()`);

test("in Arabic, names and addresses keep their own direction", async () => {
  const shop = await anotherTeam(server);
  const site = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const vera = await openChat(site.page);
  await write(vera, "https://acme.test/a/1");
  await expect.poll(async () => (await shop.api.listConversations()).data.length).toBe(1);
  const [conversation] = (await shop.api.listConversations()).data;
  const id = String(conversation?.id);
  await shop.api.addTag({ params: { conversation_id: id }, body: { name: "v.i.p." } });
  const { page, complaints } = await signIn(shop, `/inbox/${id}`, { locale: "ar" });
  await expect.poll(() => page.evaluate("document.dir")).toBe("rtl");
  const address = `${new URL(shop.frontdesk.origin).host}/demo/${shop.widgetId}`;
  for (const text of ["v.i.p.", "https://acme.test/a/1", address]) {
    await expect.poll(() => runsToTheRight(page, text), { message: text }).toBe(true);
  }
  expect(complaints).toEqual([]);
});

/** What is under the toasts, and can be clicked: nothing, at any of the points across them. */
const coveredByToasts = (page: Page) =>
  page.evaluate(`(() => {
    const toasts = document.querySelector("[role=region] [role=dialog]");
    const place = toasts.getBoundingClientRect();
    const covered = new Set();
    for (let x = place.left + 1; x < place.right; x += 12) {
      for (let y = place.top + 1; y < place.bottom; y += 6) {
        for (const element of document.elementsFromPoint(x, y)) {
          const target = element.closest("a, button, input, textarea, [role=listitem], summary");
          if (target && !toasts.contains(target)) covered.add(target.outerHTML.slice(0, 80));
        }
      }
    }
    return [...covered];
  })()`);

test.each([
  ["a wide window", { width: 1280, height: 800 }],
  ["a narrow window", { width: 900, height: 600 }],
  ["a phone", { width: 360, height: 740 }],
])("in %s a toast covers nothing that can be clicked", async (_name, viewport) => {
  const shop = await anotherTeam(server);
  const id = await veraWrites(shop, Array.from({ length: 30 }, (_, index) => `https://acme.test/${index}`).join(" "));
  for (let number = 1; number <= 30; number += 1) await veraWrites(shop, `https://acme.test/last/${number}`);
  for (let number = 1; number <= 20; number += 1) {
    const contact = { name: `Visitor ${number}`, email: `${number}@acme.test` };
    await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, ...contact, content: "Hello" } });
  }
  const { page, complaints } = await signIn(shop, `/inbox/${id}?view=all`, { viewport });
  const toast = page.locator("[role=region] [role=dialog]");
  const newest = rows(page).filter({ hasText: "https://acme.test/last/30" });
  await newest.waitFor();
  const lowerEnd = async () => Math.round((await newest.boundingBox())?.y ?? Number.NaN);
  const before = await lowerEnd();

  // Above the thread, whose lower end stays where it is.
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await toast.hover();
  expect(await coveredByToasts(page)).toEqual([]);
  expect(await violations(page, "a toast above a thread")).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => toast.count()).toBe(0);
  await expect.poll(lowerEnd).toBe(before);

  // A growing composer does not hide it either.
  await field(page).fill("1\n2\n3\n4\n5\n6");
  const isAbove = async () => {
    const [message, composer] = [await newest.boundingBox(), await field(page).boundingBox()];
    return message && composer && message.y + message.height <= composer.y;
  };
  await expect.poll(async () => (await field(page).boundingBox())?.height).toBeGreaterThan(100);
  await expect.poll(isAbove).toBe(true);
  await field(page).fill("");

  // Below the list.
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Mark as unread" }).click();
  await page.waitForURL(/\/inbox\?/);
  await toast.hover();
  expect(await coveredByToasts(page)).toEqual([]);
  expect(complaints).toEqual([]);
});
