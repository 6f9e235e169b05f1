import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { onTestFinished } from "vitest";
import { findChromium } from "../../../scripts/system-programs.mjs";

/**
 * One Chromium for all tests of a process, also across files: starting it takes longer than most tests. It ends with the
 * process, also when that is killed, because its pipe closes.
 */
const shared = globalThis as typeof globalThis & { frontdeskStoryBrowser?: Promise<Browser> };

const PATIENCE_MS = 60_000;

/** A fresh browser context, which shares nothing with others. Closed after the test. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  shared.frontdeskStoryBrowser ??= launch();
  const context = await (await shared.frontdeskStoryBrowser).newContext(options);
  // As long as a condition of a story: a timeout fails the test with what was waited for.
  context.setDefaultTimeout(PATIENCE_MS);
  onTestFinished(() => context.close());
  return context;
}

/** A real Chromium without background requests: no updates, no sync. */
async function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("Chromium is not installed. `npm test` says how to get it.");
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
    delete shared.frontdeskStoryBrowser;
  });
  return browser;
}
