/** From an empty installation to an answered message, as an owner and a first visitor do it. For the story and the benchmark. */
import { setTimeout as delay } from "node:timers/promises";
import type { Frame, Locator, Page } from "playwright-core";

/** What somebody takes to read before each step, and for each letter, in ms. */
const paces = {
  human: { think: 2_500, letter: 200 },
  machine: { think: 0, letter: 0 },
} as const;

export interface FirstRun {
  origin: string;
  /** What the server has printed when it started. */
  setupUrl: string;
  owner: Page;
  /** In a browser of their own. */
  visitor: Page;
}

/** Every step waits for what it has to see, so that it fails where one would be lost. */
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
    // From field to field one goes by Tab.
    await field.fill("");
    await field.pressSequentially(text, { delay: letter });
  };

  await owner.goto(setupUrl);
  await type(owner.locator("input[name=team_name]"), "Acme");
  await type(owner.locator("input[name=name]"), "Ada");
  await type(owner.locator("input[name=email]"), "ada@acme.test");
  await type(owner.locator("input[name=password]"), "correct horse");
  await press(/Create the team/);
  await press(/Open your inbox/);

  await owner.waitForSelector("h1:has-text('Welcome to Acme')");
  await type(owner.getByLabel("Name of the widget"), "Shop");
  await click(owner.getByRole("button", { name: "#0f766e" }));
  // The preview follows what is being set, before anything is stored.
  const preview = owner.getByRole("img", { name: /Preview/ }).locator("[style*='rgb(15, 118, 110)']");
  await preview.first().waitFor({ state: "attached" });
  await press(/^Next$/);
  const snippet = await owner.locator("pre", { hasText: "#0f766e" }).innerText();
  const widgetId = /widget\.js.*data-widget="([^"]+)"/s.exec(snippet)?.[1];
  await press(/^Next$/);
  await owner.locator("main [role=status]", { hasText: "Waiting" }).first().waitFor();

  await visitor.goto(`${origin}/demo/${widgetId}`);
  const chat = await openWidget(visitor);
  await type(chat.locator("textarea"), "Is anybody there?");
  await chat.press("textarea", "Enter");
  await owner.locator("main [role=status]", { hasText: "Is anybody there?" }).waitFor();
  await press(/Answer it/);
  await type(owner.locator("section textarea"), "Yes!");
  await owner.keyboard.press("Enter");
  await chat.locator(".bubble", { hasText: "Yes!" }).waitFor();
  await press(/^Resolve$/);
  await owner.locator("[role=listitem]").waitFor({ state: "detached" });
  return { clicks, ms: performance.now() - began };
}

/** By the button in the corner, which no selector reaches. */
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
