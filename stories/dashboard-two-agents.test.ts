import { violations } from "@frontdesk/testing/accessibility";
import { BEN, joins, signIn } from "@frontdesk/testing/agent-browser";
import { lineOf } from "@frontdesk/testing/page-line";
import { bubbles, openChat, openShop, visit, write } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);
const benId = await joins(shop, BEN);

const rows = (page: Page) => page.locator("[role=listitem]");
const field = (page: Page) => page.locator("section textarea");
const thread = (page: Page) => page.locator("[data-index]").allTextContents();
/** The label of a teammate, in the list or above the thread. */
const teammate = (page: Page, says: string) => page.getByRole("img", { name: says });
const openFirst = async (page: Page) => {
  await rows(page).first().locator("a").click();
  await field(page).waitFor();
};
/** The link in the navigation, with its count. */
const view = (page: Page, name: string) =>
  page.getByRole("navigation").getByRole("link", { name: new RegExp(`^${name}`) });

test("two agents and a visitor: they see each other, and neither replies over the other", async () => {
  const [ada, ben] = [await signIn(shop), await signIn(shop, "/inbox", {}, BEN)];
  const line = await lineOf(ada.page);
  const vera = await openChat((await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`)).page);
  await write(vera, "Do you ship to Portugal?");

  // Ben views and begins to write: Ada sees it in the list, and above the thread.
  await openFirst(ben.page);
  await teammate(ada.page, "Ben is also viewing this").waitFor();
  await field(ben.page).pressSequentially("We do, in two");
  await teammate(ada.page, "Ben is writing a reply").waitFor();
  await openFirst(ada.page);
  // The header of the thread still shows him as a viewer while he writes.
  await ada.page.locator("section header").getByRole("img", { name: "Ben is also viewing this" }).waitFor();
  await ada.page.getByText("Draft by Ben").waitFor();

  // She writes as well. His reply is first: hers is held until she has seen it.
  await field(ada.page).pressSequentially("Yes, by ship");
  await ben.page.locator("section").getByText("Ada is writing a reply").waitFor();
  await field(ben.page).pressSequentially(" days.");
  await ben.page.keyboard.press("Enter");
  await expect.poll(() => bubbles(vera)).toContain("We do, in two days.");
  const held = ada.page.getByRole("alert").filter({ hasText: "A teammate replied while you were writing" });
  await held.getByText("We do, in two days.").waitFor();
  await expect.poll(() => ada.page.getByText("Draft by Ben").count()).toBe(0);
  expect(await violations(ada.page, "what is held")).toEqual([]);
  await field(ada.page).press("Enter");
  await expect.poll(() => field(ada.page).inputValue()).toBe("Yes, by ship");
  await field(ada.page).fill("And by ship in nine.");
  await held.getByRole("button", { name: "Send mine as well" }).click();
  await expect
    .poll(() => bubbles(vera))
    .toEqual(["Do you ship to Portugal?", "We do, in two days.", "And by ship in nine."]);
  expect(await held.count()).toBe(0);
  expect(await field(ada.page).inputValue()).toBe("");

  // A note mentions Ben: it is in his view of mentions, and Vera does not get it.
  await ben.page.keyboard.press("Escape");
  await view(ben.page, "Contacts").click();
  await ada.page.locator("body").press("n");
  await ada.page.keyboard.type("Can you take over, @be");
  await ada.page.getByRole("listbox").getByText("Ben", { exact: true }).waitFor();
  await ada.page.keyboard.press("Enter");
  await ada.page.keyboard.type("? She is a good customer.");
  await ada.page.keyboard.press("Enter");
  const note = "Can you take over, @Ben ? She is a good customer.";
  await expect.poll(() => view(ben.page, "Mentions").innerText()).toContain("1");
  await view(ben.page, "Mentions").click();
  await openFirst(ben.page);
  await ben.page.getByRole("article", { name: "Note" }).getByText(note).waitFor();
  await expect.poll(() => view(ben.page, "Mentions").innerText()).not.toContain("1");

  // His reply took it. It is taken from him, and she assigns it to him: his screen shows it at once.
  await view(ben.page, "Mine").click();
  await expect.poll(() => rows(ben.page).count()).toBe(1);
  const [conversation] = (await shop.api.listConversations()).data;
  await shop.api.unassignAgent({ params: { conversation_id: String(conversation?.id), agent_id: benId } });
  await expect.poll(() => rows(ben.page).count()).toBe(0);
  await ada.page.keyboard.press("Escape");
  await ada.page.locator("body").press("a");
  await ada.page.getByRole("combobox").waitFor();
  await ada.page.keyboard.type("ben");
  await ada.page.keyboard.press("Enter");
  await expect.poll(() => rows(ben.page).count()).toBe(1);
  await openFirst(ben.page);
  await expect.poll(() => ben.page.locator("header").last().innerText()).toContain("Ben");

  // Ada is offline. Ben answers meanwhile; after reconnecting she has missed nothing, and her message is held again.
  await ada.page.locator("body").press("r");
  await field(ada.page).fill("Shall I");
  await line.cut();
  const banner = ada.page.getByRole("status").filter({ hasText: "No connection" });
  await expect.poll(() => banner.innerText()).toMatch(/\d s/);
  await field(ada.page).fill("Shall I send you the prices?");
  await field(ada.page).press("Enter");
  await ada.page.getByText("Sends once the connection is back").waitFor();
  expect(await violations(ada.page, "without a line")).toEqual([]);
  await field(ben.page).fill("Here are the prices.");
  await field(ben.page).press("Enter");
  await expect.poll(() => bubbles(vera)).toContain("Here are the prices.");
  await line.mend();
  await expect.poll(() => thread(ada.page)).toContainEqual(expect.stringContaining("Here are the prices."));
  await expect.poll(() => banner.count()).toBe(0);
  const late = ada.page.getByRole("alert").filter({ hasText: "A teammate replied while you were writing" });
  await late.getByRole("button", { name: "Send mine as well" }).click();
  await expect.poll(() => bubbles(vera)).toContain("Shall I send you the prices?");
  await ada.page.reload();
  await field(ada.page).waitFor();
  await expect.poll(() => thread(ada.page)).toContainEqual(expect.stringContaining("Shall I send you the prices?"));
  expect((await bubbles(vera)).filter((text) => text === "Shall I send you the prices?")).toHaveLength(1);

  expect(await vera.locator("body").innerText()).not.toMatch(/good customer|take over/);
  const ofTheLine = /ERR_INTERNET_DISCONNECTED|409/;
  expect([...ada.complaints, ...ben.complaints].filter((text) => !ofTheLine.test(text))).toEqual([]);
  expect([...ada.strangers, ...ben.strangers]).toEqual([]);
});
