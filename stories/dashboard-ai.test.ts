/** What agents see of the built-in AI: what it holds, what it says and why, and that they take over (reference: built-in AI). */
import { violations } from "@frontdesk/testing/accessibility";
import { signIn } from "@frontdesk/testing/agent-browser";
import { aiOf } from "@frontdesk/testing/held-by-ai";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { anotherTeam, openShop, type Shop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const model = await startScriptedModel();
afterAll(model.stop);
const first = await openShop("sqlite", { AI_ALLOWED_NETWORKS: "127.0.0.1" }, afterAll);

const PAYLOAD = '<img src="https://evil.test/x.png" onerror="alert(1)"> ![](https://evil.test/y.png)';

const row = (page: Page, name: string) => page.locator("[role=listitem]").filter({ hasText: name });
const view = (page: Page, name: string) =>
  page.getByRole("navigation").getByRole("link", { name: new RegExp(`^${name}`) });
const field = (page: Page) => page.locator("section textarea");
const banner = (page: Page) => page.getByRole("status").filter({ hasText: "Robin" });

async function asks(shop: Shop, name: string): Promise<string> {
  const contact = { name, email: `${name.toLowerCase()}@example.com` };
  const content = "Do you ship to Portugal?";
  const { data } = await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, ...contact, content } });
  return data.attributes.conversation_id;
}

async function shopWithAi() {
  const shop = await anotherTeam(first);
  const article = await shop.api.createArticle({
    body: { question: "Shipping abroad", answer: "We ship to Portugal.", is_published: true },
  });
  const ai = await aiOf(shop.frontdesk.running().app, shop);
  return { shop, ai, articleId: article.data.id };
}

const sourceOf = (articleId: string) => ({
  ...{ article_id: articleId, title: "Shipping abroad", url: "https://acme.test/shipping" },
});

const CALLS = [
  {
    model: "m",
    request: JSON.stringify({ model: "m", messages: [{ role: "user", content: PAYLOAD }] }),
    ...{ response: PAYLOAD, status: 200, milliseconds: 1_500, check: null },
  },
];

test("what the AI holds is in a view of its own, and an agent takes over with one button", async () => {
  const { shop, ai, articleId } = await shopWithAi();
  const id = await asks(shop, "Vera");
  await ai.holds(id);
  const source = sourceOf(articleId);
  const searches = [{ query: `shipping ${PAYLOAD}`, found: 2 }];
  const run = { outcome: "answered", reason: "grounded", sources: [source], calls: CALLS, searches } as const;
  const runId = await ai.ran(id, run);
  await ai.says(id, { content: `We do. [1] ${PAYLOAD}`, sources: [source], runId });
  const { page, complaints } = await signIn(shop);
  const outside: string[] = [];
  page.on("request", (request) => request.url().includes("evil.test") && outside.push(request.url()));

  await view(page, "With AI").waitFor();
  expect(await row(page, "Vera").count()).toBe(0);
  expect(await page.title()).not.toMatch(/^\(/);
  await view(page, "With AI").click();
  await row(page, "Vera").getByRole("img", { name: "Robin (AI) answers" }).waitFor();
  await row(page, "Vera").locator("a").click();
  await banner(page).getByText("Robin (AI) is answering").waitFor();
  // Its text is text, with its sources below.
  await page.getByRole("region", { name: "Messages with Vera" }).getByText(PAYLOAD).waitFor();
  const sources = page.getByRole("list", { name: "Sources" });
  expect(await sources.getByRole("link", { name: "Shipping abroad", exact: true }).getAttribute("href")).toContain(
    `/app/knowledge/${articleId}`,
  );
  expect(await sources.getByRole("link", { name: "Open the page" }).getAttribute("href")).toBe(source.url);
  await page.getByText("When you send a reply, you take over from Robin (AI).").waitFor();
  expect(await violations(page, "a conversation of the AI")).toEqual([]);

  await page.getByRole("button", { name: "Why?" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Robin answered.").waitFor();
  await dialog.getByText("Every sentence comes from the sources below.").waitFor();
  await dialog.getByText("1,240 tokens read, 31 written").waitFor();
  await dialog.getByRole("heading", { name: "Also searched for" }).waitFor();
  await dialog.getByText("Found: 2").waitFor();
  expect(await dialog.locator("summary").textContent()).toContain("Request 1 · m · HTTP 200");
  await dialog.getByText("Request 1").click();
  await dialog.getByText(PAYLOAD, { exact: true }).waitFor();
  expect(await violations(page, "a run of the AI")).toEqual([]);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Why?");

  await banner(page).getByRole("button", { name: "Take over" }).click();
  await page.getByText("Ada took over from the AI").waitFor();
  await expect.poll(() => banner(page).count()).toBe(0);
  await view(page, "Open").click();
  await row(page, "Vera").waitFor();
  expect(outside).toEqual([]);
  expect(complaints).toEqual([]);
});

test("an admin names a second model beside the first", async () => {
  const shop = await anotherTeam(first);
  const { page, complaints } = await signIn(shop, "/settings/ai");
  await page.getByLabel("Second model (optional)").fill("a-spare-model");
  await page.getByRole("button", { name: "Save" }).click();
  const saved = async () => (await shop.api.getAi({})).data.attributes.second_model;
  await expect.poll(saved).toBe("a-spare-model");
  expect(await violations(page, "the settings of the AI")).toEqual([]);
  expect(complaints).toEqual([]);
});

test("what is wrong with the settings is said until it is changed, and of what was tested", async () => {
  const shop = await anotherTeam(first);
  const { page } = await signIn(shop, "/settings/ai");
  const problems = page.locator("p.text-danger, div.text-danger");
  const test = () => page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("switch", { name: "Answer visitors" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => problems.allTextContents()).toEqual(["This field is required.", "This field is required."]);
  await page.getByLabel("Base URL").fill("model.acme.test");
  await expect.poll(() => problems.allTextContents()).toEqual(["This field is required."]);
  await page.getByLabel("Model name").fill("scripted");
  await test();
  await expect.poll(() => problems.allTextContents()).toEqual([expect.stringContaining("Enter the address of the")]);

  await page.getByLabel("Base URL").fill(model.url);
  await test();
  await page.getByText("The model scripted answers.").waitFor();
  expect(await problems.count()).toBe(0);
  const outdated = page.getByText("You’ve changed something since this test.");
  expect(await outdated.count()).toBe(0);
  await page.getByLabel("Model name").fill("another");
  await outdated.waitFor();
  await page.getByLabel("Widgets").selectOption("some");
  await page.getByText("Choose at least one. Otherwise the AI answers no one.").waitFor();
  await page.getByRole("checkbox", { name: "Website" }).check();
  await expect.poll(() => page.getByText("Choose at least one.").count()).toBe(0);
});

test("a handoff says why, calls the team, and is over with an agent's reply", async () => {
  const { shop, ai } = await shopWithAi();
  const id = await asks(shop, "Kim");
  await ai.holds(id);
  const { page, complaints } = await signIn(shop, "/inbox");
  await view(page, "With AI").waitFor();
  expect(await row(page, "Kim").count()).toBe(0);

  await ai.says(id, { content: "A person will be with you.", kind: "handoff" });
  await ai.handsOver(id, "asked-for-human");
  await ai.ran(id, { outcome: "handed-over", reason: "asked-for-human", calls: [] });
  // It is in Open at once, with all that the visitor wrote unread.
  await row(page, "Kim").getByText("1 unread").waitFor({ state: "attached" });
  await row(page, "Kim").locator("a").click();
  await banner(page).getByText("Robin handed over: the visitor asked for a human").waitFor();
  await banner(page).getByRole("button", { name: "Return to assistant" }).waitFor();
  expect(await violations(page, "a handoff of the AI")).toEqual([]);
  await page.getByRole("region", { name: /Kim/ }).getByRole("button", { name: "Why?" }).click();
  await page.getByRole("dialog").getByText("Robin handed over.").waitFor();
  await page.getByRole("dialog").getByText("The visitor asked for a human.").waitFor();
  await page.keyboard.press("Escape");

  await field(page).fill("Hello Kim, how can I help?");
  await field(page).press("Enter");
  await expect.poll(() => banner(page).count()).toBe(0);
  await page.getByText("Ada took over from the AI").waitFor();
  expect(complaints).toEqual([]);
});

test.each([
  ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ["the dark", { colorScheme: "dark" as const }],
  ["Arabic", { locale: "ar" }],
])("it is the same on %s", async (where, options) => {
  const { shop, ai, articleId } = await shopWithAi();
  const id = await asks(shop, "Vera");
  await ai.holds(id);
  const sources = [sourceOf(articleId)];
  const runId = await ai.ran(id, { outcome: "answered", reason: "grounded", sources, calls: CALLS });
  await ai.says(id, { content: "We do, within three days. [1]", sources, runId });
  const { page, complaints } = await signIn(shop, `/inbox/${id}`, options);
  await banner(page).waitFor();
  await page.getByText("We do, within three days. [1]").last().waitFor();
  expect(await violations(page, `a conversation of the AI, ${where}`)).toEqual([]);
  await page.locator("section button[aria-haspopup=dialog]").last().click();
  await page.getByRole("dialog").locator("summary").click();
  expect(await violations(page, `a run of the AI, ${where}`)).toEqual([]);
  expect(complaints).toEqual([]);
});
