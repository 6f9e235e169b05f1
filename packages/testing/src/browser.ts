import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { onTestFinished } from "vitest";
import { findChromium } from "../../../scripts/system-programs.mjs";

/**
 * One Chromium for all that a process of the run tests, also where files share that process: to start it takes longer than most
 * of what is done in it. It ends with the process, also with one that is killed, because its pipe closes.
 */
const shared = globalThis as typeof globalThis & { frontdeskStoryBrowser?: Promise<Browser> };

const PATIENCE_MS = 60_000;

/** A browser as a person has it who was never here: nothing is shared with another. Gone when the test is finished. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  shared.frontdeskStoryBrowser ??= launch();
  const context = await (await shared.frontdeskStoryBrowser).newContext(options);
  // As long as a condition of a story: what does not come fails the test with what was waited for.
  context.setDefaultTimeout(PATIENCE_MS);
  onTestFinished(() => context.close());
  return context;
}

/** A real Chromium. It looks for nothing outside: no updates, no sync. */
async function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("Chromium is not installed. `npm test` says how to get it.");
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      ...["--disable-background-networking", "--disable-component-update"],
      // 0.28 instead of 0.39 s of processor time for each page, measured with an empty one on two cores.
      "--in-process-gpu",
    ],
  });
  // After a crash the next test starts another one.
  browser.on("disconnected", () => {
    delete shared.frontdeskStoryBrowser;
  });
  return browser;
}
