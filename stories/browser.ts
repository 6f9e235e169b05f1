import { type Browser, chromium } from "playwright-core";
import { onTestFinished } from "vitest";
import { findChromium } from "../scripts/system-programs.mjs";

/** A real Chromium, closed when the test is finished. It looks for nothing outside: no updates, no sync. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("Chromium is not installed. `npm test` says how to get it.");
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      ...["--disable-background-networking", "--disable-component-update"],
    ],
  });
  onTestFinished(() => browser.close());
  return browser;
}
