/** The copilot in the composer: drafts that never cross, overwrite or go stale unseen (docs/decisions/0080-copilot.md). */
import { inDarkScheme, violations } from "@frontdesk/testing/accessibility";
import { signIn } from "@frontdesk/testing/agent-browser";
import { inDepth } from "@frontdesk/testing/depth";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { anotherTeam, openShop, type Shop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const model = await startScriptedModel();
afterAll(model.stop);
const first = await openShop("sqlite", { AI_BASE_URL: model.url, AI_MODEL: "scripted" }, afterAll);

const SWITCHES = inDepth(4, 50);
const field = (page: Page) => page.locator("section textarea");
const text = (page: Page) => field(page).inputValue();
const row = (page: Page, name: string) => page.locator("[role=listitem]").filter({ hasText: name });
const bar = (page: Page) => page.getByRole("status").filter({ hasText: "AI" });

async function asks(shop: Shop, name: string, content = "Do you ship to Portugal?"): Promise<string> {
  const contact = { name, email: `${name.toLowerCase()}@example.com` };
  const { data } = await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, ...contact, content } });
  return data.attributes.conversation_id;
}

async function opened(shop: Shop, name = "Vera") {
  await shop.api.createArticle({
    body: { question: "Where do you ship to?", answer: "We ship to Portugal within 3 days.", is_published: true },
  });
  const id = await asks(shop, name);
  const signedIn = await signIn(shop);
  await row(signedIn.page, name).locator("a").click();
  await field(signedIn.page).waitFor();
  return { id, ...signedIn };
}

test("one key drafts a reply with its sources, one undo gives back what was there, and only the agent sends", async () => {
  const shop = await anotherTeam(first);
  const { id, page, complaints } = await opened(shop);
  await field(page).click();
  await page.keyboard.press("ControlOrMeta+J");
  await expect.poll(() => text(page)).toBe("We ship to Portugal within 3 days.");
  await bar(page).getByText("Written by AI").waitFor();
  await page.getByRole("link", { name: "Where do you ship to?" }).waitFor();
  expect(await violations(page, "a draft of the copilot", inDarkScheme)).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await text(page)).toBe("");

  // Rewritten, and back by the keyboard.
  await field(page).fill("we dont know that. Maybe later.");
  await page.getByRole("button", { name: "AI assistance" }).click();
  await page.getByRole("menuitem", { name: "Make shorter" }).click();
  await expect.poll(() => text(page)).toBe("we dont know that.");
  await field(page).press("ControlOrMeta+Z");
  await expect.poll(() => text(page)).toBe("we dont know that. Maybe later.");

  // Without words it is the draft of before; and by the agent's own words.
  await field(page).fill("/ai");
  await field(page).press("Enter");
  await expect.poll(() => text(page)).toContain("Portugal");
  await field(page).fill("/ai offer express delivery");
  await field(page).press("Enter");
  await expect.poll(() => text(page)).toContain("Portugal");
  // The visitor writes on: that is said beside the draft.
  await asks(shop, "Vera", "And to Spain?");
  await page.getByText("The visitor has written since this was drafted.").waitFor();
  expect((await shop.api.listMessages({ params: { conversation_id: id } })).data).toHaveLength(2);
  await field(page).press("Enter");
  await expect.poll(async () => (await shop.api.listMessages({ params: { conversation_id: id } })).data.length).toBe(3);
  await expect.poll(() => text(page)).toBe("");
  expect(await bar(page).count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a draft never lands in another conversation, and what was in the field is there again", async () => {
  const shop = await anotherTeam(first);
  const { page } = await opened(shop);
  await asks(shop, "Milo", "Where is my parcel?");
  await row(page, "Milo").waitFor();
  model.setPersona("drip");
  for (let time = 1; time <= SWITCHES; time += 1) {
    await field(page).fill(`mine ${time}`);
    const asked = model.requests.length;
    await page.keyboard.press("ControlOrMeta+J");
    await expect.poll(() => model.requests.length).toBeGreaterThan(asked);
    await row(page, "Milo").locator("a").click();
    await page.getByRole("region", { name: "Messages with Milo" }).waitFor();
    expect(await text(page)).toBe("");
    await row(page, "Vera").locator("a").click();
    await page.getByRole("region", { name: "Messages with Vera" }).waitFor();
    await expect.poll(() => text(page)).toBe(`mine ${time}`);
    expect(await bar(page).count()).toBe(0);
  }
  model.setPersona("honest");
});

test("what the agent types while it writes stays, and Escape stops it", async () => {
  const shop = await anotherTeam(first);
  const { page } = await opened(shop);
  model.setPersona("drip");
  await field(page).click();
  await page.keyboard.press("ControlOrMeta+J");
  await bar(page).getByText("AI is writing").waitFor();
  await field(page).fill("I type this.");
  await expect.poll(() => page.getByText("AI is writing").count()).toBe(0);
  expect(await text(page)).toBe("I type this.");
  await page.keyboard.press("ControlOrMeta+J");
  await bar(page).getByText("AI is writing").waitFor();
  await field(page).press("Escape");
  await expect.poll(() => page.getByText("AI is writing").count()).toBe(0);
  model.setPersona("honest");
});

test("a note gets a summary, and a failing model leaves the field as it was", async () => {
  const shop = await anotherTeam(first);
  const { page, id } = await opened(shop);
  await page.getByRole("tab", { name: "Note" }).click();
  await page.getByRole("button", { name: "AI assistance" }).click();
  await page.getByRole("menuitem", { name: "Summarize the conversation" }).click();
  await expect.poll(() => text(page)).toMatch(/^Summary: /);
  await page.getByRole("tab", { name: "Reply" }).click();
  await field(page).fill("mine");
  model.failNext(401);
  await page.keyboard.press("ControlOrMeta+J");
  await page.getByText("The model server refuses requests.").waitFor();
  expect(await text(page)).toBe("mine");

  // Why it failed is said in the agent's language.
  const { page: german } = await signIn(shop, `/inbox/${id}`, { locale: "de-DE" });
  await field(german).focus();
  model.failNext(401);
  await german.keyboard.press("ControlOrMeta+J");
  await german.getByText("Der Modellserver lehnt Anfragen ab.").waitFor();
});

test("a message is translated below itself, and the translation is hidden again", async () => {
  const shop = await anotherTeam(first);
  const { page } = await opened(shop);
  const thread = page.getByRole("region", { name: "Messages with Vera" });
  await thread.getByText("Do you ship to Portugal?").hover();
  await thread.getByRole("button", { name: "Message actions" }).click();
  await page.getByRole("menuitem", { name: "Translate" }).click();
  const translation = thread.getByRole("region", { name: "Translated by AI" });
  await translation.getByText("Do you ship to Portugal?").waitFor();
  expect(await violations(page, "a translated message", inDarkScheme)).toEqual([]);
  await translation.getByRole("button", { name: "Hide translation" }).click();
  await expect.poll(() => translation.count()).toBe(0);
});

test("tags are suggested from the team's own, and only the agent adds one", async () => {
  const shop = await anotherTeam(first);
  const { id, page, complaints } = await opened(shop);
  const other = await asks(shop, "Bob");
  for (const name of ["Portugal", "refund"]) {
    await shop.api.addTag({ params: { conversation_id: other }, body: { name } });
  }
  await page.getByRole("button", { name: "Suggest tags" }).click();
  const chip = page.getByRole("button", { name: "Add the tag Portugal" });
  await chip.waitFor();
  expect(await page.getByRole("button", { name: /^Add the tag/ }).count()).toBe(1);
  expect(await violations(page, "suggested tags", inDarkScheme)).toEqual([]);
  await chip.click();
  await page.getByRole("button", { name: "Remove tag Portugal" }).waitFor();
  await expect.poll(() => chip.count()).toBe(0);
  const untagged = shop.api.removeTag({ params: { conversation_id: id, name: "Portugal" } });
  await expect(untagged).resolves.toBeDefined();
  expect(complaints).toEqual([]);
});

test("in an empty field a reply is suggested for each message, Tab takes it, and any key types through", async () => {
  const shop = await anotherTeam(first);
  await shop.api.updateAi({ body: { ghost_text: true } });
  const { id, page, complaints } = await opened(shop);
  const DRAFT = "We ship to Portugal within 3 days.";
  const line = page.getByRole("status").filter({ hasText: "AI suggests a reply." });
  const isThere = () => expect.poll(() => field(page).getAttribute("placeholder")).toBe(DRAFT);
  const isGone = async () => {
    await expect.poll(() => line.count()).toBe(0);
    expect(await field(page).getAttribute("placeholder")).not.toBe(DRAFT);
  };
  model.requests.length = 0;
  const asked = () => model.requests.filter(({ path }) => path.endsWith("/chat/completions")).length;

  await field(page).focus();
  await isThere();
  await line.getByText("Tab").waitFor();
  expect(await text(page)).toBe("");
  expect(await violations(page, "a suggested reply", inDarkScheme)).toEqual([]);
  // Dropped: it does not come back. Without one, Tab moves on.
  await page.keyboard.press("Escape");
  await isGone();
  await page.keyboard.press("Tab");
  await expect.poll(() => page.evaluate("document.activeElement?.tagName")).toBe("BUTTON");
  await field(page).focus();
  expect(asked()).toBe(1);

  // The next message has its own, which the first key ends.
  await asks(shop, "Vera", "To Portugal, please?");
  await isThere();
  await page.keyboard.type("M");
  expect(await text(page)).toBe("M");
  await page.keyboard.press("Backspace");
  await isGone();
  expect(asked()).toBe(2);

  // Kept while the agent is elsewhere, where it never appears.
  await asks(shop, "Vera", "When does it come to Portugal?");
  await isThere();
  await asks(shop, "Milo", "Hello");
  await row(page, "Milo").locator("a").click();
  await page.getByRole("region", { name: "Messages with Milo" }).waitFor();
  expect(await field(page).getAttribute("placeholder")).not.toBe(DRAFT);
  // Left while it is asked for: nothing comes.
  const held = model.holdNext();
  await field(page).focus();
  await held.asked;
  await row(page, "Vera").locator("a").click();
  await page.getByRole("region", { name: "Messages with Vera" }).waitFor();
  await field(page).focus();
  await isThere();
  held.go();
  expect(asked()).toBe(4);
  await page.keyboard.press("Tab");
  await expect.poll(() => text(page)).toBe(DRAFT);
  expect(await page.evaluate("document.activeElement?.tagName")).toBe("TEXTAREA");
  await bar(page).getByText("Written by AI").waitFor();
  await page.getByRole("link", { name: "Where do you ship to?" }).waitFor();
  await page.keyboard.press("ControlOrMeta+Z");
  await expect.poll(() => text(page)).toBe("");
  await isGone();

  // Sent, the message remembers it.
  await asks(shop, "Vera", "So to Portugal?");
  await isThere();
  await line.getByRole("button", { name: "Insert" }).click();
  await expect.poll(() => text(page)).toBe(DRAFT);
  const sent = page.waitForRequest((request) => request.postData()?.includes("drafted_with_ai") === true);
  await page.keyboard.press("Enter");
  expect((await sent).postDataJSON()).toMatchObject({ content: DRAFT, drafted_with_ai: true });
  await expect.poll(async () => (await shop.api.listMessages({ params: { conversation_id: id } })).data.length).toBe(5);
  await isGone();
  expect(asked()).toBe(5);
  expect(complaints).toEqual([]);
});
