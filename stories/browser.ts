import { type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { afterAll, onTestFinished } from "vitest";
import { findChromium } from "../scripts/system-programs.mjs";

/** One Chromium for all tests of a file: to start it takes longer than most of what is done in it. */
let launched: ReturnType<typeof chromium.launch> | undefined;
afterAll(async () => (await launched)?.close());

/** A browser as somebody has it who was never here: nothing is shared with another. Gone when the test is finished. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  launched ??= launch();
  const context = await (await launched).newContext(options);
  onTestFinished(() => context.close());
  return context;
}

/** A real Chromium. It looks for nothing outside: no updates, no sync. */
function launch() {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("Chromium is not installed. `npm test` says how to get it.");
  return chromium.launch({
    executablePath,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      ...["--disable-background-networking", "--disable-component-update"],
    ],
  });
}
