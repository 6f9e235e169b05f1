import { signIn } from "@frontdesk/testing/agent-browser";
import { anotherTeam, bubbles, openChat, openShop, type Shop, visit, write } from "@frontdesk/testing/visitor-browser";
import type { Frame, Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";

const server = await openShop("sqlite", {}, afterAll);

/** Vera in a separate browser, who has written. */
async function veraWrites(shop: Shop, text: string): Promise<Frame> {
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await write(frame, text);
  await expect.poll(() => bubbles(frame)).toContain(text);
  return frame;
}

/** Vera has written; her own screen does not matter. */
const veraSends = ({ api, widgetId }: Shop, content: string) =>
  api.sendVisitorMessage({ body: { widget_id: widgetId, name: "Vera", email: "vera@acme.test", content } });

const rows = (page: Page) => page.locator("[role=listitem]");
const field = (page: Page) => page.locator("section textarea");
const said = (page: Page) => page.locator("[data-index]");
const openFirst = async (page: Page) => {
  await rows(page).first().locator("a").click();
  await field(page).waitFor();
};

describe("an agent and a visitor", () => {
  test("talk: what one writes the other sees at once, and neither has to reload", async () => {
    const shop = await anotherTeam(server);
    const { page, complaints, strangers } = await signIn(shop);
    const vera = await veraWrites(shop, "Do you ship to Portugal?");

    await expect.poll(() => rows(page).count()).toBe(1);
    await expect.poll(() => page.title()).toMatch(/^\(1\)/);
    await openFirst(page);
    await expect
      .poll(() => said(page).allTextContents())
      .toContainEqual(expect.stringContaining("Do you ship to Portugal?"));

    await field(page).fill("We do, in three days.");
    await page.keyboard.press("Enter");
    await expect.poll(() => bubbles(vera)).toContain("We do, in three days.");
    await expect.poll(() => page.title()).not.toMatch(/^\(/);

    await write(vera, "Lovely");
    await expect.poll(() => said(page).allTextContents()).toContainEqual(expect.stringContaining("Lovely"));
    expect(await field(page).inputValue()).toBe("");
    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
  });

  test("a note never reaches the visitor", async () => {
    const shop = await anotherTeam(server);
    const { page } = await signIn(shop);
    const vera = await veraWrites(shop, "Hello");
    await openFirst(page);
    await page.keyboard.press("n");
    await page.keyboard.type("She is a good customer");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.locator("article").allTextContents())
      .toContainEqual(expect.stringContaining("She is a good customer"));
    await page.keyboard.press("Escape");
    await page.keyboard.press("r");
    await page.keyboard.type("Hi Vera");
    await page.keyboard.press("Enter");
    await expect.poll(() => bubbles(vera)).toContain("Hi Vera");
    expect(await bubbles(vera)).not.toContainEqual(expect.stringContaining("customer"));
  });

  test("see each other typing", async () => {
    const shop = await anotherTeam(server);
    const { page } = await signIn(shop);
    const vera = await veraWrites(shop, "Hello");
    await openFirst(page);
    // She is connected, so the team sees her typing.
    await page.locator("section header").getByText("Online now").waitFor();
    await vera.locator("textarea").pressSequentially("One more");
    await expect
      .poll(() => page.locator("[aria-live=polite]").allTextContents())
      .toContainEqual(expect.stringMatching(/is typing/));
    await field(page).pressSequentially("Sure");
    await expect.poll(() => vera.locator("body").innerText()).toMatch(/Ada is typing/);
  });
});

describe("what is done with a conversation", () => {
  test("resolving takes it out of the list at once, and is taken back by one click", async () => {
    const shop = await anotherTeam(server);
    const { page } = await signIn(shop);
    await veraSends(shop, "Hello");
    await openFirst(page);
    await page.keyboard.press("Escape");
    await openFirst(page);
    await page.locator("body").press("e");
    await expect.poll(() => rows(page).count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => rows(page).count()).toBe(1);
    const [conversation] = (await shop.api.listConversations()).data;
    await expect
      .poll(async () => (await shop.api.listConversations()).data[0]?.attributes.is_resolved, {
        message: conversation?.id ?? "",
      })
      .toBe(false);
  });

  test("tags are created and added by their names, and an agent is assigned, by keys alone", async () => {
    const shop = await anotherTeam(server);
    const { page } = await signIn(shop);
    await veraSends(shop, "Hello");
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.keyboard.press("j");
    await field(page).waitFor();
    await page.keyboard.press("t");
    await page.getByRole("combobox").waitFor();
    // The list of tags stays open for the next one.
    for (const tag of ["vip", "refund"]) {
      await page.keyboard.type(tag);
      await page.keyboard.press("Enter");
      await expect.poll(() => rows(page).first().innerText()).toContain(tag);
    }
    await page.keyboard.press("Escape");
    await page.getByRole("combobox").waitFor({ state: "detached" });
    await page.keyboard.press("i");
    await expect.poll(async () => (await page.locator("header").last().innerText()).includes("Ada")).toBe(true);
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByRole("link", { name: /Mine/ }).click();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(page.url()).toContain("view=mine");
  });

  test("a snoozed one is out of sight until the visitor writes again", async () => {
    const shop = await anotherTeam(server);
    const { page } = await signIn(shop);
    const vera = await veraWrites(shop, "Hello");
    await openFirst(page);
    await page.locator("body").press("z");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("visitor");
    await page.keyboard.press("Enter");
    await expect.poll(() => rows(page).count()).toBe(0);
    await write(vera, "Me again");
    await expect.poll(() => rows(page).count()).toBe(1);
  });
});

describe("what is begun", () => {
  test("stays when one goes elsewhere, and after a reload", async () => {
    const shop = await anotherTeam(server);
    const { page } = await signIn(shop);
    await veraSends(shop, "Hello");
    await openFirst(page);
    await field(page).fill("Half a sent");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Contacts" }).click();
    await page.getByRole("link", { name: /^Open/ }).first().click();
    await openFirst(page);
    await expect.poll(() => field(page).inputValue()).toBe("Half a sent");
    await page.reload();
    await field(page).waitFor();
    await expect.poll(() => field(page).inputValue()).toBe("Half a sent");
  });

  test("is text from the first key on, also while the messages are on their way", async () => {
    const shop = await anotherTeam(server);
    const { page } = await signIn(shop);
    await veraSends(shop, "Hello");
    await rows(page).first().waitFor();
    let letThrough = () => {};
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    const messages = "**/app/api/inbox/conversations/*/messages*";
    await page.route(messages, (route) => held.then(() => route.continue()));
    // Not `waitForFunction`, which evaluates a string in the page, against its content security policy.
    const loaded = "performance.getEntriesByType('resource').some(({ name }) => name.includes('conversation-page'))";
    await expect.poll(() => page.evaluate(loaded)).toBe(true);
    await page.keyboard.press("j");
    await field(page).waitFor();
    await page.keyboard.press("r");
    // As commands these keys would resolve, snooze and tag.
    await page.keyboard.type("eztr");
    await expect.poll(() => field(page).inputValue()).toBe("eztr");
    expect(await said(page).count()).toBe(0);
    letThrough();
    await said(page).filter({ hasText: "Hello" }).waitFor();
    expect(await field(page).inputValue()).toBe("eztr");
    await page.keyboard.press("Enter");
    await said(page).filter({ hasText: "eztr" }).waitFor();
    expect((await shop.api.listConversations()).data[0]?.attributes).toMatchObject({ is_resolved: false });
  });

  test("is sent once when the network is back, however often the page was opened meanwhile", async () => {
    const shop = await anotherTeam(server);
    const { page } = await signIn(shop);
    const vera = await veraWrites(shop, "Hello");
    await openFirst(page);
    await page.context().setOffline(true);
    await field(page).fill("Sent in a tunnel");
    await page.keyboard.press("Enter");
    await expect.poll(() => said(page).allTextContents()).toContainEqual(expect.stringContaining("Sent in a tunnel"));
    await page.context().setOffline(false);
    await expect.poll(() => bubbles(vera)).toContain("Sent in a tunnel");
    await page.reload();
    await field(page).waitFor();
    await expect.poll(() => said(page).allTextContents()).toContainEqual(expect.stringContaining("Sent in a tunnel"));
    expect((await bubbles(vera)).filter((text) => text === "Sent in a tunnel")).toHaveLength(1);
  });
});
