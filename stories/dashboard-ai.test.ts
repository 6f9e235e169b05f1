import { inDarkScheme, violations } from "@frontdesk/testing/accessibility";
import { dialogOf, signIn } from "@frontdesk/testing/agent-browser";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const KEY = "sk-live-0123456789abcdefx4Qd";
const model = await startScriptedModel({ apiKey: KEY });
afterAll(model.stop);
const shop = await openShop("sqlite", { AI_ALLOWED_NETWORKS: "127.0.0.1" }, afterAll);

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const save = (page: Page) => page.getByRole("button", { name: "Save changes" }).click();
const settings = async () => (await shop.api.getAi({})).data.attributes;

async function opened(options = {}) {
  const signedIn = await signIn(shop, "/settings/ai", options);
  await field(signedIn.page, "Base URL").waitFor();
  return signedIn;
}

test("an owner sets the AI up: tests the model as it is typed, switches it on, and is asked before changes are lost", async () => {
  const { page, complaints } = await opened();
  await page.getByRole("switch", { name: "Answer visitors" }).click();
  await save(page);
  // Each error at its field.
  await expect.poll(() => page.getByText("This field is required.").count()).toBe(2);
  await field(page, "Base URL").fill("https://10.1.2.3/v1");
  await field(page, "Model name").fill("scripted");
  await save(page);
  await page.getByText("This address is in a private network.").waitFor();

  await field(page, "Base URL").fill(model.url);
  await field(page, "API key").fill("sk-wrong");
  await page.getByRole("button", { name: "Test", exact: true }).click();
  const results = page.getByRole("list", { name: "Test results" });
  await results.getByText("Doesn’t work:").first().waitFor();
  expect((await settings()).base_url).toBeNull();
  await field(page, "API key").fill(KEY);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await results.getByText("Long requests").waitFor();
  expect(await results.getByText("Doesn’t work:").count()).toBe(0);

  await field(page, "Name").fill("Robin");
  await field(page, "Tokens per day").fill("500000");
  await page.getByRole("switch", { name: "Replace personal details" }).click();
  await page.locator("nav a[href$='/contacts']").first().click();
  await dialogOf(page).getByRole("button", { name: "Keep editing" }).click();
  await save(page);
  await page.getByText("Answering", { exact: true }).waitFor();
  expect(await settings()).toMatchObject({
    ...{ is_active: true, base_url: model.url, model: "scripted", name: "Robin", tokens_a_day: 500_000 },
    ...{ redacts: true, api_key_set: true, widgets: "all" },
  });
  await page.getByText("A key ending in x4Qd is stored.").waitFor();
  expect(await page.content()).not.toContain(KEY);
  await expect.poll(() => page.getByText("Unsaved changes", { exact: true }).count()).toBe(0);

  await page.reload();
  await expect.poll(() => field(page, "Name").inputValue()).toBe("Robin");
  await field(page, "Widgets").selectOption("some");
  await page.getByRole("checkbox", { name: "Website" }).click();
  await field(page, "Tokens per day").fill("");
  await save(page);
  await expect.poll(settings).toMatchObject({ widgets: [shop.widgetId], tokens_a_day: null, api_key_set: true });
  // It is no person of the team.
  await page.goto(`${shop.frontdesk.origin}/app/settings/team`);
  await page.getByText("ada@acme.test").first().waitFor();
  expect(await page.getByText("Robin").count()).toBe(0);
  expect(complaints.filter((line) => !line.includes("422"))).toEqual([]);
});

test("its page keeps no one out, in light and dark, on a phone too", async () => {
  const found: string[] = [];
  const { page } = await opened();
  found.push(...(await violations(page, "the AI agent", inDarkScheme)));
  const phone = await opened({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  found.push(...(await violations(phone.page, "the AI agent on a phone", inDarkScheme)));
  expect(await phone.page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  if (process.env.PICTURES) {
    await page.setViewportSize({ width: 1200, height: 2000 });
    await page.screenshot({ path: `${process.env.PICTURES}/ai.png` });
    await phone.page.setViewportSize({ width: 360, height: 3200 });
    await phone.page.emulateMedia({ colorScheme: "dark" });
    await phone.page.screenshot({ path: `${process.env.PICTURES}/ai-phone.png` });
  }
  expect(found).toEqual([]);
});
