/** Accessibility violations of a page, as axe finds them, in every color scheme that a visitor or an agent may use. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { BrowserContextOptions, Frame, Page } from "playwright-core";
import { deep } from "./depth.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The rules that depend on colors; all others are independent of them. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** A visit's own media settings, and the other colors in which each of its states is checked. */
export interface Look {
  name: string;
  options: BrowserContextOptions;
  /** Color settings that the same page is switched to. */
  also: { name: string; media: Parameters<Page["emulateMedia"]>[0] }[];
}

/**
 * In `npm test` one visit covers light and dark, by switching on the page; `npm run test:deep` makes a separate visit for each
 * color setting, with every rule, and one on a phone.
 */
export function looksOf(viewport: { width: number; height: number }): Look[] {
  if (!deep) return [{ name: "light and dark", options: { colorScheme: "light" }, also: inDarkScheme }];
  const arabic = { colorScheme: "dark", locale: "ar" } as const;
  const phone = { viewport, isMobile: true, hasTouch: true };
  return [
    { name: "light", options: { colorScheme: "light" }, also: [] },
    { name: "dark", options: { colorScheme: "dark" }, also: [] },
    { name: "Arabic, dark", options: arabic, also: [] },
    { name: "a phone", options: { colorScheme: "light", ...phone }, also: [] },
    { name: "Arabic, dark, on a phone", options: { ...arabic, ...phone }, also: [] },
    { name: "a system's own colors", options: { forcedColors: "active" }, also: [] },
  ];
}

/** The same page in the dark scheme. */
export const inDarkScheme: Look["also"] = [{ name: "dark", media: { colorScheme: "dark" } }];

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** The violations of the page or frame in its current state, in its own colors and in those of `also`. */
export async function violations(place: Page | Frame, of: string, also: Look["also"] = []): Promise<string[]> {
  // The page's content security policy forbids other scripts, which is right; axe is injected by the debugger.
  if (!(await place.evaluate("'axe' in window"))) await place.evaluate(AXE);
  const found = await run(place, of, { type: "tag", values: RULES });
  if (also.length === 0) return found;
  const page = "page" in place ? place.page() : place;
  for (const { name, media } of also) {
    await page.emulateMedia(media);
    await place.evaluate(COLORS_ARE_STILL);
    found.push(...(await run(place, `${of}, ${name}`, { type: "rule", values: COLOR_RULES })));
  }
  await page.emulateMedia({ colorScheme: "light" });
  await place.evaluate(COLORS_ARE_STILL);
  return found;
}

/** The same in `npm run test:deep`, and nothing in `npm test`: for a state whose parts another story checks. */
export const violationsInDepth = async (...looked: Parameters<typeof violations>): Promise<string[]> =>
  deep ? violations(...looked) : [];

/**
 * Resolves when the dashboard has applied the scheme and no color changes any more, or axe would read one in between. Transitions
 * are finished; the end of one may start another in the next frame.
 */
const COLORS_ARE_STILL = `new Promise((still) => {
  let frames = 0;
  const scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const others = { dark: "light", light: "dark" }[scheme];
  const look = () => {
    for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
    const changes = document.documentElement.dataset.theme === others || document.getAnimations().length > 0;
    frames = changes ? 0 : frames + 1;
    if (frames < 3) requestAnimationFrame(look);
    else still();
  };
  look();
})`;

async function run(place: Page | Frame, of: string, runOnly: object): Promise<string[]> {
  // One example per passed rule is enough: describing all takes most of the time.
  const options = JSON.stringify({ runOnly, resultTypes: ["violations"] });
  const found = (await place.evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  )) as Violation[];
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${of}: ${id}: ${html.slice(0, 300)} ${failureSummary}`),
  );
}
