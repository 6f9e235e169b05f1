/** What became of the conversations that the AI held, in the settings (docs/decisions/0083-ai-outcomes.md). */
import { violations } from "@frontdesk/testing/accessibility";
import { signIn } from "@frontdesk/testing/agent-browser";
import { aiOf } from "@frontdesk/testing/held-by-ai";
import { query } from "@frontdesk/testing/second-app";
import { anotherTeam, openShop, type Shop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const first = await openShop("sqlite", {}, afterAll);

const DAY_MS = 86_400_000;

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

interface Ended {
  daysAgo: number;
  outcome: string;
  reason?: string;
}

/** Episodes as the AI would have left them behind. */
async function ended(shop: Shop, episodes: readonly Ended[]): Promise<void> {
  const { runtime, storage } = shop.frontdesk.running();
  const rows = episodes.map(({ daysAgo, outcome, reason }, index) => {
    const at = runtime.now() - daysAgo * DAY_MS;
    const why = reason ? `'${reason}'` : "NULL";
    return `('${shop.teamId}', '${runtime.newId()}', 1, '${dayOf(at)}', ${at}, '${outcome}', ${why}, ${at}, 'visitor', ${at}, 2, ${2_000 + (index % 10) * 600}, 1200, 40)`;
  });
  await query(storage, `INSERT INTO ai_episodes VALUES ${rows.join(", ")}`);
}

const times = (count: number, outcome: string, reason?: string): Ended[] =>
  Array.from({ length: count }, (_, index) => ({ daysAgo: (index * 7) % 29, outcome, ...(reason && { reason }) }));

const MONTH: Ended[] = [
  ...times(31, "confirmed"),
  ...times(12, "assumed"),
  ...[...times(9, "handed-over", "asked-for-human"), ...times(5, "handed-over", "pressed-for-human")],
  ...[...times(6, "handed-over", "nothing-found"), ...times(2, "handed-over", "replied")],
  ...times(1, "handed-over", "model-timeout"),
  ...[...times(4, "abandoned"), ...times(3, "reopened", "assumed"), ...times(2, "open")],
  { daysAgo: 60, outcome: "confirmed" },
];

const section = (page: Page) => page.locator("section").filter({ has: page.getByRole("heading", { name: "Results" }) });
const count = (page: Page, outcome: string) =>
  section(page)
    .locator("dl > div")
    .filter({ has: page.getByText(outcome, { exact: true }) })
    .locator("dd")
    .first();

test("before it has answered anyone there are no results, and then they are shown by outcome, by day and by reason", async () => {
  const shop = await anotherTeam(first);
  const ai = await aiOf(shop.frontdesk.running().app, shop);
  const { page, complaints } = await signIn(shop, "/settings/ai");
  await section(page).getByText("No results yet").waitFor();

  const body = { widget_id: shop.widgetId, name: "Vera", email: "vera@example.com", content: "Do you ship abroad?" };
  const { data } = await shop.api.sendVisitorMessage({ body });
  await ai.holds(data.attributes.conversation_id);
  await ai.says(data.attributes.conversation_id, { content: "We do." });
  await page.reload();
  await expect.poll(() => count(page, "Open").textContent()).toBe("1");
  await ai.handsOver(data.attributes.conversation_id, "upset");
  await page.reload();
  await expect.poll(() => count(page, "Handed over").textContent()).toBe("1");
  await section(page).getByText("The visitor is upset.").waitFor();

  await ended(shop, MONTH);
  await page.reload();
  await expect.poll(() => count(page, "Confirmed").textContent()).toBe("31");
  for (const [outcome, expected] of [
    ...[["Assumed", "12"] as const, ["Handed over", "24"] as const, ["Abandoned", "4"] as const],
    ...[["Reopened", "3"] as const, ["Open", "2"] as const],
  ]) {
    expect(await count(page, outcome).textContent(), outcome).toBe(expected);
  }
  const reasons = section(page)
    .locator("li")
    .filter({ hasText: /human|find|upset|replied|used\./ });
  expect((await reasons.allTextContents()).slice(0, 2)).toEqual([
    "14The visitor asked for a human.",
    "6It didn’t find an answer in your articles.",
  ]);
  await section(page).getByText("Answers: 151").waitFor();
  await section(page).getByText("First answer: half within 4.4 sec, 95% within 7.4 sec").waitFor();
  expect(await section(page).locator("svg g").count()).toBe(30);
  await section(page).getByText("Show as a table").click();
  await section(page).getByRole("columnheader", { name: "Abandoned" }).waitFor();
  expect(await violations(page, "the results of the AI", [{ name: "dark", media: { colorScheme: "dark" } }])).toEqual(
    [],
  );

  await section(page).getByLabel("Period").selectOption("90");
  await expect.poll(() => count(page, "Confirmed").textContent()).toBe("32");
  await section(page).getByLabel("Period").selectOption("7");
  await expect.poll(() => section(page).locator("svg g").count()).toBe(7);
  // Choosing a period is no change of the settings.
  await page.goto(`${shop.frontdesk.origin}/app/inbox`);
  expect(complaints).toEqual([]);
});

test.each([
  ["a phone", { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ["Arabic in the dark", { locale: "ar", colorScheme: "dark" as const }],
])("the results fit on %s", async (where, options) => {
  const shop = await anotherTeam(first);
  await aiOf(shop.frontdesk.running().app, shop);
  await ended(shop, MONTH);
  const { page, complaints } = await signIn(shop, "/settings/ai", options);
  await page.locator("svg g").first().waitFor({ state: "attached" });
  await page.locator("details summary").last().click();
  expect(await violations(page, `the results of the AI, ${where}`)).toEqual([]);
  const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  expect(await page.evaluate(overflow)).toBe(0);
  expect(complaints).toEqual([]);
});
