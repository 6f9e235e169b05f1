import { expect, test } from "vitest";
import { openDashboard } from "./agent-browser.ts";
import { newInstallation } from "./installation.ts";
import { bubbles, openChat, visit, write } from "./visitor-browser.ts";

/** At a person's pace; the machine's own time is none of it. */
const MOST_CLICKS = 7;

test("from an empty installation to an answered message: no step needs a manual", { timeout: 120_000 }, async () => {
  const frontdesk = await newInstallation("sqlite");
  const { setup_url } = await frontdesk.start();
  const shop = { frontdesk } as Parameters<typeof openDashboard>[0];
  const { page, complaints } = await openDashboard(shop, "/sign-in");
  let clicks = 0;
  const click = async (name: RegExp) => {
    clicks += 1;
    await page.getByRole("button", { name }).or(page.getByRole("link", { name })).first().click();
  };

  await page.goto(String(setup_url));
  await page.fill("input[name=team_name]", "Acme");
  await page.fill("input[name=name]", "Ada");
  await page.fill("input[name=email]", "ada@acme.test");
  await page.fill("input[name=password]", "correct horse");
  await click(/Create the team/);
  await page.goto(`${frontdesk.origin}/app`);
  await page.waitForSelector("h1:has-text('Welcome to Acme')");

  // The preview follows what is being set, before anything is stored.
  await page.getByLabel("Name of the widget").fill("Shop");
  clicks += 1;
  await page.getByRole("button", { name: "#0f766e" }).click();
  await expect
    .poll(() =>
      page
        .getByRole("img", { name: /Preview/ })
        .locator("[style*='rgb(15, 118, 110)']")
        .count(),
    )
    .toBeGreaterThan(0);
  await click(/^Next$/);
  await expect.poll(() => page.locator("pre").innerText()).toMatch(/widget\.js.*data-widget=.*#0f766e/);
  const widgetId = /data-widget="([^"]+)"/.exec(await page.locator("pre").innerText())?.[1];
  await click(/^Next$/);
  await expect.poll(() => page.locator("main [role=status]").innerText()).toContain("Waiting");

  const vera = await visit(`${frontdesk.origin}/demo/${widgetId}`);
  const chat = await openChat(vera.page);
  await write(chat, "Is anybody there?");
  await expect.poll(() => page.locator("main [role=status]").innerText()).toContain("Is anybody there?");
  await click(/Answer it/);
  await page.locator("section textarea").fill("Yes!");
  await page.keyboard.press("Enter");
  await expect.poll(() => bubbles(chat)).toContain("Yes!");
  await click(/^Resolve$/);
  await expect.poll(() => page.locator("[role=listitem]").count()).toBe(0);
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
  expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
});
