import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { findChromium, findHeadlessShell } from "../../../scripts/system-programs.mjs";
import { deep } from "./depth.ts";

/**
 * The browsers by their programs, each one for all tests of a process, also across files: starting one takes longer than most tests.
 * They end with the process, also when that is killed, because their pipes close.
 */
const shared = globalThis as typeof globalThis & { frontdeskStoryBrowsers?: Map<string, Promise<Browser>> };
shared.frontdeskStoryBrowsers ??= new Map();
const browsers = shared.frontdeskStoryBrowsers;

const PATIENCE_MS = 60_000;

/** A fresh browser context, which shares nothing with others. Closed after the test. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await browserFor(options)).newContext(options);
  // As long as a condition of a story: a timeout fails the test with what was waited for.
  context.setDefaultTimeout(PATIENCE_MS);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") for (const page of context.pages()) await describe(page);
    await context.close();
  });
  return context;
}

/** Longest description of a page. */
const DESCRIPTION_MAX = 6_000;

/** Prints what a page shows, and where the focus is: why a story failed on a busy machine is seldom seen again. */
async function describe(page: Page): Promise<void> {
  const shown = await page.locator("body").ariaSnapshot().catch(String);
  const focused = await page.evaluate("document.activeElement?.outerHTML.slice(0, 300)").catch(String);
  console.error(`${page.url()}\n${shown.slice(0, DESCRIPTION_MAX)}\nThe focus is on ${focused}`);
}

const WHOLE = findChromium();
/**
 * `npm test` prefers Chromium's headless shell, which is the same engine without a browser's own pages: stories take 40 % less
 * processor time (16 instead of 27 s for nine of the inbox). `npm run test:deep` runs in the whole browser.
 */
const USUAL = deep ? WHOLE : (findHeadlessShell() ?? WHOLE);

function browserFor({ permissions = [] }: BrowserContextOptions): Promise<Browser> {
  // The headless shell shows no notifications.
  const executablePath = permissions.includes("notifications") ? WHOLE : USUAL;
  if (!executablePath) throw new Error("Chromium is not installed. `npm test` says how to get it.");
  const browser = browsers.get(executablePath) ?? launch(executablePath);
  browsers.set(executablePath, browser);
  return browser;
}

/** A real Chromium without background requests: no updates, no sync. */
async function launch(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      ...["--disable-background-networking", "--disable-component-update"],
      // 0.28 instead of 0.39 s of processor time per page, measured with an empty one on two cores.
      "--in-process-gpu",
    ],
  });
  // After a crash the next test starts another one.
  browser.on("disconnected", () => {
    browsers.delete(executablePath);
  });
  return browser;
}
