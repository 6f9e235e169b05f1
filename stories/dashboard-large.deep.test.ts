/** Long lists and long threads: what can be counted. Times are measured by `npm run bench:dashboard`. */
import { join } from "node:path";
import { signIn } from "@frontdesk/testing/agent-browser";
import { newInstallation } from "@frontdesk/testing/installation";
import { fillLargeInbox, lineOf, visitorOf } from "@frontdesk/testing/large-inbox";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { LIST, movedByOlder, ROW, SCROLLER, THREAD, WATCH, watch } from "../bench/dashboard-page.ts";

const CONVERSATIONS = 400;
const MESSAGES = 600;
const MOST_ROWS = 60;
const ROW_HEIGHT = 72;

test("a long list draws what is in sight, an older page moves nothing, and what was open is there at once", async () => {
  const frontdesk = await newInstallation("sqlite");
  const owner = ["--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"];
  const made = await frontdesk.command("setup", "--team", "Acme", ...owner, "--widget", "Website");
  const longest = fillLargeInbox({
    teamId: String(made.team_id),
    agentId: String(made.agent_id),
    widgetId: String(made.widget_id),
    file: join(String(frontdesk.env.DATA_DIR), "frontdesk.db"),
    conversations: CONVERSATIONS,
    messages: MESSAGES,
  });
  await frontdesk.start();
  const { page, complaints } = await signIn({ frontdesk });
  await page.addInitScript(WATCH);
  await page.reload();
  await page.waitForSelector(ROW);

  // Scroll to the end of the list: all of it is fetched, a part of it is rendered.
  const { nodes, shift } = await watch(page, ROW, () => wheelToEnd(page));
  expect(nodes).toBeLessThanOrEqual(MOST_ROWS);
  expect(shift).toBe(0);
  expect(await page.evaluate(`document.querySelector("${LIST}").clientHeight`)).toBe(CONVERSATIONS * ROW_HEIGHT);

  // A thread is shown at its end; older messages loading above do not move the text.
  await page.goto(`${frontdesk.origin}/app/inbox/${longest}`);
  await expect.poll(() => said(page)).toContain(lineOf(MESSAGES).trim());
  for (let pages = 0; pages < 5; pages += 1) expect(await movedByOlder(page)).toBeLessThanOrEqual(1);
  expect(await page.locator("[data-index]").count()).toBeLessThanOrEqual(MOST_ROWS);

  // Other conversations by J; back by K is immediate, and nothing jumps.
  await page.goto(`${frontdesk.origin}/app/inbox/${longest}`);
  await page.waitForSelector(THREAD);
  for (const place of [2, 3, 4]) {
    await page.keyboard.press("j");
    await page.waitForSelector(`section[aria-label*="${visitorOf(place)}"] [data-index]`);
  }
  await page.evaluate(`new MutationObserver(() => { if (document.querySelector("main .animate-pulse")) window.waited = true; })
    .observe(document.body, { childList: true, subtree: true })`);
  for (const place of [3, 2, 1]) {
    await page.keyboard.press("k");
    await page.waitForSelector(`section[aria-label*="${visitorOf(place)}"] [data-index]`);
  }
  expect(await page.evaluate("window.waited ?? false")).toBe(false);

  await page.goto(`${frontdesk.origin}/app/inbox/01900000-0000-7000-8000-000000000000`);
  await page.getByText("Page not found").waitFor();
  expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
});

/** Until the whole list is loaded, and its last row is visible. */
async function wheelToEnd(page: Page): Promise<void> {
  const isAtEnd = `(({ scrollTop, clientHeight, scrollHeight }) =>
    scrollHeight >= ${CONVERSATIONS * ROW_HEIGHT} && scrollTop + clientHeight >= scrollHeight - 1)(document.querySelector("${SCROLLER}"))`;
  await page.mouse.move(400, 500);
  while (!(await page.evaluate(isAtEnd))) await page.mouse.wheel(0, 1_000);
}

/** The texts of the rendered rows. */
async function said(page: Page): Promise<string> {
  return (await page.locator("[data-index]").allInnerTexts()).join("\n");
}
