import { violations } from "@frontdesk/testing/accessibility";
import { BEN, dialogOf, joins, signIn } from "@frontdesk/testing/agent-browser";
import { openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import type { InboxList } from "../packages/core/src/contract/inbox.ts";

const MANY = 30;

const shop = await openShop("sqlite", {}, afterAll);
await joins(shop, BEN);
// The latest writer is on top.
const names = Array.from({ length: MANY }, (_, index) => `Visitor ${String(MANY - index).padStart(2, "0")}`);
for (const name of names) {
  await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, name, content: `I am ${name}.` } });
}

/** All conversations as the service has them. */
async function listed(): Promise<InboxList["conversations"]> {
  const answer = await fetch(`${shop.frontdesk.origin}/app/api/inbox/conversations?view=all&limit=100`, {
    headers: { "X-API-KEY": shop.apiKey },
  });
  return ((await answer.json()) as InboxList).conversations;
}
const count = async (are: (conversation: InboxList["conversations"][number]) => boolean) =>
  (await listed()).filter(are).length;

/** Another agent changes many conversations. */
async function changesAll(action: string, conversationIds: readonly string[], input: object): Promise<void> {
  const answer = await fetch(`${shop.frontdesk.origin}/app/api/inbox/bulk/${action}`, {
    method: "POST",
    headers: { "X-API-KEY": shop.apiKey, "Content-Type": "application/json" },
    body: JSON.stringify({ conversation_ids: conversationIds, ...input }),
  });
  expect(answer.status).toBe(200);
}
const isVip = ({ tags }: { tags: { name: string }[] }) => tags.some(({ name }) => name === "vip");
const isBens = ({ assigned_agents: agents }: { assigned_agents: { name: string | null }[] }) =>
  agents.some(({ name }) => name === "Ben");

const row = (page: Page, name: string) => page.locator("[role=listitem]").filter({ hasText: name });
const box = (page: Page, name: string) => row(page, name).getByRole("checkbox");
const bar = (page: Page) => page.getByRole("toolbar");
const chosen = (page: Page) => bar(page).getByRole("status").locator("span").last();
const undo = (page: Page) => page.getByRole("button", { name: "Undo" });

/** Holds back the second request of a bulk change until the returned function is called. */
async function holdSecondPart(page: Page): Promise<() => void> {
  let go = () => {};
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  let parts = 0;
  await page.route("**/app/api/inbox/bulk/**", async (route) => {
    parts += 1;
    if (parts === 2) await gone;
    await route.continue();
  });
  return go;
}

test("many conversations are changed at once, and what could not be changed is listed by name", async () => {
  const { page, complaints } = await signIn(shop);
  await row(page, "Visitor 01").waitFor();

  // One by its key, a range with Shift, then all.
  await page.keyboard.press("j");
  await page.locator("section textarea").waitFor();
  // Ctrl+K also works in the composer, and the focus returns to it.
  await page.keyboard.press("r");
  await page.keyboard.press("Control+k");
  await dialogOf(page).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
  await page.keyboard.press("Escape");
  await page.locator("body").press("x");
  await expect.poll(() => chosen(page).innerText()).toBe("1 selected");
  await box(page, "Visitor 05").click({ modifiers: ["Shift"] });
  await expect.poll(() => chosen(page).innerText()).toBe("5 selected");
  await bar(page).getByRole("checkbox").click();
  await expect.poll(() => chosen(page).innerText()).toBe(`${MANY} selected`);

  // A tag for all, in parts with progress; then undone.
  const go = await holdSecondPart(page);
  await page.locator("body").press("t");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("vip");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  // While hovered, the toast stays.
  await undo(page).hover();
  await expect.poll(() => page.getByRole("progressbar").getAttribute("value")).toMatch(/^0\.8/);
  expect(await violations(page, "a change of many")).toEqual([]);
  go();
  await expect.poll(() => count(isVip)).toBe(MANY);
  await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
  await expect.poll(() => row(page, "Visitor 09").innerText()).toContain("vip");
  await undo(page).click();
  await expect.poll(() => count(isVip)).toBe(0);

  // Three are assigned to Ben.
  await page.locator("body").press("Escape");
  await expect.poll(() => bar(page).count()).toBe(0);
  for (const name of ["Visitor 02", "Visitor 03", "Visitor 04"]) {
    await row(page, name).hover();
    await box(page, name).click();
  }
  await page.locator("body").press("a");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("ben");
  await page.keyboard.press("Enter");
  await expect.poll(() => count(isBens)).toBe(3);

  // E acts on the selection, not on the open conversation.
  await page.locator("body").press("e");
  await expect.poll(() => row(page, "Visitor 03").count()).toBe(0);
  expect(await row(page, "Visitor 01").count()).toBe(1);
  await expect.poll(() => count(({ is_resolved }) => is_resolved)).toBe(3);

  // Of five, three are resolved and cannot be snoozed: the other two are, and these three stay selected.
  await page.getByRole("navigation").getByRole("link", { name: /^All/ }).click();
  await row(page, "Visitor 02").waitFor();
  for (const name of ["Visitor 06", "Visitor 07", "Visitor 02", "Visitor 03", "Visitor 04"]) {
    await row(page, name).hover();
    await box(page, name).click();
  }
  await page.locator("body").press("z");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("visitor");
  await page.keyboard.press("Enter");
  await page
    .getByText("Couldn’t update 3 conversations. This conversation is resolved. Reopen it first. (Visitor 0")
    .first()
    .waitFor();
  await page.getByText("2 conversations snoozed").hover();
  await expect.poll(() => count(({ snoozed_until_reply }) => snoozed_until_reply)).toBe(2);
  await expect.poll(() => chosen(page).innerText()).toBe("3 selected");
  await page.keyboard.press("Control+z");
  await expect.poll(() => count(({ snoozed_until_reply }) => snoozed_until_reply)).toBe(0);
  expect(await count(({ is_resolved }) => is_resolved)).toBe(3);

  // When all have failed, the toast does not report success.
  await page.keyboard.press("Escape");
  for (const name of ["Visitor 02", "Visitor 03"]) {
    await row(page, name).hover();
    await box(page, name).click();
  }
  await page.locator("body").press("z");
  await page.getByRole("combobox").waitFor();
  await page.keyboard.type("visitor");
  await page.keyboard.press("Enter");
  await page.getByText("Couldn’t update 2 conversations").first().waitFor();
  await expect.poll(() => page.getByText("2 conversations snoozed").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("hundreds of changes in a row, as after a cut, are drawn without a complaint, and keys go on", async () => {
  const { page, complaints } = await signIn(shop);
  await row(page, "Visitor 01").click();
  await page.locator("section textarea").waitFor();
  const slow = await page.context().newCDPSession(page);
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  const ids = (await listed()).map(({ id }) => id);
  const names = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
  await Promise.all(names.map((name) => changesAll("tag", ids, { name })));
  for (const name of names) await page.getByText(`Ada added the tag “${name}”`).waitFor();
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await page.locator("body").press("Control+k");
  await dialogOf(page).waitFor();
  expect(complaints).toEqual([]);
});
