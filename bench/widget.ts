/**
 * `npm run bench:widget`: what the widget costs the page that it is on, on a processor slowed down four times, and how soon a
 * visitor can write, over the network that browsers' tools call "fast 4G". In a real Chromium with an empty cache, beside the
 * same page without the widget.
 *
 * Aims: the loader's script at most 10 ms, no task above 50 ms more than without it, no layout shift; the first opening at most
 * 600 ms until the visitor can write, another at most 150 ms.
 *
 * --runs  how often, 15 by default; the figures are medians, with the best and the worst
 * --json  one JSON document instead of lines
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";
import { widgetTag } from "../packages/core/src/domain/widget-tag.ts";
import { findChromium } from "../scripts/system-programs.mjs";
import { readOptions } from "./options.ts";
import { onEachEngine, setUpTeam, startOurs } from "./processes.ts";
import { quantile } from "./quantile.ts";

const options = readOptions(["json"], { runs: { type: "string", default: "15" } });
const RUNS = Number(options.runs);
const SLOWER = 4;
/** Round trip in ms, and bytes a second. */
const FAST_4G = { offline: false, latency: 165, downloadThroughput: 1_012_500, uploadThroughput: 168_750 };
/** Until a page with the widget has finished loading. */
const REST_MS = 2_000;
const VIEWPORT = { width: 1280, height: 860 };
/** The button's position. */
const BUTTON = [VIEWPORT.width - 48, VIEWPORT.height - 48] as const;

/** Runs in every document before its own scripts. */
const WATCH = `
  const at = () => performance.timeOrigin + performance.now();
  window.seen = { shift: 0, tasks: [], pressed: 0, focused: 0 };
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { seen.shift += value; })).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => seen.tasks.push(duration))).observe({ type: "longtask", buffered: true });
  addEventListener("pointerdown", () => { seen.pressed = at(); }, true);
  addEventListener("focusin", ({ target }) => { if (target.tagName === "TEXTAREA") seen.focused = at(); }, true);
`;

interface Seen {
  shift: number;
  tasks: number[];
  pressed: number;
  focused: number;
}

interface Cost {
  /** Of the loader alone, in ms. Thread time, like the next one: without other programs. */
  script: number;
  /** Of the page's thread altogether, in ms. */
  thread: number;
  longest: number;
  shift: number;
}

await onEachEngine("sqlite", async ({ newEnv }) => {
  const env = await newEnv();
  const { widgetId } = await setUpTeam(env);
  const origin = `http://127.0.0.1:${await startOurs(env)}`;
  const tag = widgetTag(origin, widgetId);
  const site = await serve({ "/with": shop(tag), "/without": shop("") });
  const executablePath = findChromium();
  if (!executablePath) throw new Error("Chromium is not installed. `npm test` says how to get it.");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });

  const withIt: Cost[] = [];
  const without: Cost[] = [];
  const first: number[] = [];
  const again: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    without.push(await costOf(browser, `${site.origin}/without`));
    withIt.push(await costOf(browser, `${site.origin}/with`));
    const opened = await openings(browser, `${site.origin}/with`);
    first.push(opened.first);
    again.push(opened.again);
  }
  await browser.close();
  site.close();

  const of = (costs: Cost[], part: keyof Cost) => costs.map((cost) => cost[part]);
  tell({
    "loader's script": spread(of(withIt, "script")),
    "page's thread, with the widget": spread(of(withIt, "thread")),
    "page's thread, without": spread(of(without, "thread")),
    "longest task, with the widget": spread(of(withIt, "longest")),
    "longest task, without": spread(of(without, "longest")),
    "shift of the layout, most": Math.max(...of(withIt, "shift")),
    "first opening until one can write": spread(first),
    "another opening": spread(again),
  });
});

/** The work of the page's thread from the request until it is idle. */
async function costOf(browser: Browser, url: string): Promise<Cost> {
  const { page, session, close } = await newPage(browser);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  await page.goto(url, { waitUntil: "load" });
  await delay(REST_MS);
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const script = trace.traceEvents.find(
    ({ name, args }) => name === "EvaluateScript" && args.data?.url?.includes("/widget.js?"),
  );
  const { metrics } = await session.send("Performance.getMetrics");
  const thread = metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  const { shift, tasks } = (await page.evaluate("seen")) as Seen;
  await close();
  return { script: (script?.tdur ?? 0) / 1_000, thread: thread * 1_000, longest: Math.max(0, ...tasks), shift };
}

interface TraceEvent {
  name: string;
  /** Time that the thread was busy, in microseconds. */
  tdur?: number;
  args: { data?: { url?: string } };
}

/** From the click on the button until the visitor can write, the first time and once more. */
async function openings(browser: Browser, url: string): Promise<{ first: number; again: number }> {
  const { page, session, close } = await newPage(browser);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", FAST_4G);
  await page.goto(url, { waitUntil: "load" });
  await page.waitForSelector("frontdesk-chat", { state: "attached" });
  await delay(REST_MS);
  const first = await opening(page);
  await page.evaluate("Frontdesk('close')");
  await delay(REST_MS);
  const again = await opening(page);
  await close();
  return { first, again };
}

async function opening(page: Page): Promise<number> {
  const before = ((await page.evaluate("seen")) as Seen).pressed;
  // Straight to the button without hovering, which would give the frame a head start.
  await page.mouse.click(...BUTTON);
  for (;;) {
    const { pressed } = (await page.evaluate("seen")) as Seen;
    const frame = page.frames().find((each) => each.url().includes("/frame/"));
    const focused = frame ? ((await frame.evaluate("window.seen?.focused ?? 0")) as number) : 0;
    if (pressed > before && focused > pressed) return focused - pressed;
    await delay(20);
  }
}

async function newPage(browser: Browser): Promise<{ page: Page; session: CDPSession; close(): Promise<void> }> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  await context.addInitScript(WATCH);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  return { page, session, close: () => context.close() };
}

/** A page with content that could shift. */
function shop(tag: string): string {
  const plants = Array.from(
    { length: 40 },
    (_none, index) => `<li><h2>Plant ${index}</h2><p>${"Green. ".repeat(30)}</p></li>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>${tag}</head>
    <body><h1>Plants</h1><ul>${plants.join("")}</ul></body></html>`;
}

async function serve(pages: Record<string, string>): Promise<{ origin: string; close(): void }> {
  const server = createServer(({ url = "" }, response) => {
    const page = pages[url];
    response.writeHead(page ? 200 : 404, { "Content-Type": "text/html; charset=utf-8" }).end(page);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Spread {
  best: number;
  median: number;
  worst: number;
}

function spread(values: number[]): Spread {
  const round = (value: number) => Math.round(value * 10) / 10;
  return {
    best: round(Math.min(...values)),
    median: round(quantile(values, 0.5)),
    worst: round(Math.max(...values)),
  };
}

function tell(figures: Record<string, number | Spread>): void {
  if (options.json) console.log(JSON.stringify(figures));
  else for (const [name, figure] of Object.entries(figures)) console.log(name.padEnd(36), inWords(figure));
}

function inWords(figure: number | Spread): string {
  return typeof figure === "number" ? String(figure) : `${figure.median} ms (${figure.best} to ${figure.worst})`;
}
