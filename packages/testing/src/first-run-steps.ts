/**
 * From an empty installation to an answered message, through the pages an owner and a first visitor use. For the story and the
 * benchmark.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Frame, Locator, Page } from "playwright-core";

/** Time to read before each step, and per typed letter, in ms. */
const paces = {
  human: { think: 2_500, letter: 200 },
  machine: { think: 0, letter: 0 },
} as const;

export interface FirstRun {
  origin: string;
  /** The server's output at start. */
  setupUrl: string;
  owner: Page;
  /** In a separate browser context. */
  visitor: Page;
}

/** Each step waits for its visible result, so that it fails where a user would be stuck. */
export async function goThroughFirstRun(
  { origin, setupUrl, owner, visitor }: FirstRun,
  pace: keyof typeof paces,
): Promise<{ clicks: number; ms: number }> {
  const { think, letter } = paces[pace];
  const began = performance.now();
  let clicks = 0;
  const click = async (what: Locator) => {
    await delay(think);
    clicks += 1;
    await what.click();
  };
  const press = (name: RegExp) =>
    click(owner.getByRole("button", { name }).or(owner.getByRole("link", { name })).first());
  const type = async (field: Locator, text: string) => {
    await delay(think / 2);
    // The Tab key moves from field to field.
    await field.fill("");
    await field.pressSequentially(text, { delay: letter });
  };

  await owner.goto(setupUrl);
  await type(owner.locator("input[name=team_name]"), "Acme");
  await type(owner.locator("input[name=name]"), "Ada");
  await type(owner.locator("input[name=email]"), "ada@acme.test");
  await type(owner.locator("input[name=password]"), "correct horse");
  await press(/Create team/);

  await owner.waitForSelector("h1:has-text('Welcome to Acme')");
  await type(owner.getByLabel("Widget name"), "Shop");
  await click(owner.getByRole("button", { name: "#0f766e" }));
  // The preview shows settings before they are stored.
  const preview = owner.getByRole("img", { name: /preview/ }).locator("[style*='rgb(15, 118, 110)']");
  await preview.first().waitFor({ state: "attached" });
  await press(/^Next$/);
  const snippet = await owner.locator("pre", { hasText: "data-widget" }).innerText();
  const widgetId = /widget\.js.*data-widget="([^"]+)"/s.exec(snippet)?.[1];
  await press(/^Next$/);
  await owner.locator("main [role=status]", { hasText: "Waiting" }).first().waitFor();

  await visitor.goto(`${origin}/demo/${widgetId}`);
  const chat = await openWidget(visitor);
  await type(chat.locator("textarea"), "Is anybody there?");
  await chat.press("textarea", "Enter");
  await owner.locator("main [role=status]", { hasText: "Is anybody there?" }).waitFor();
  await press(/Reply to it/);
  await type(owner.locator("section textarea"), "Yes!");
  await owner.keyboard.press("Enter");
  await chat.locator(".bubble", { hasText: "Yes!" }).waitFor();
  await press(/^Resolve$/);
  await owner.locator("[role=listitem]").waitFor({ state: "detached" });
  return { clicks, ms: performance.now() - began };
}

/** By the button in the corner, which selectors cannot reach. */
async function openWidget(page: Page): Promise<Frame> {
  await page.waitForSelector("frontdesk-chat", { state: "attached" });
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.mouse.click(width - 48, height - 48);
  const frame = await frameOf(page);
  await frame.waitForSelector("textarea", { state: "attached" });
  return frame;
}

async function frameOf(page: Page): Promise<Frame> {
  for (;;) {
    const found = page.frames().find((each) => each.url().includes("/frame/"));
    if (found) return found;
    await delay(20);
  }
}
