/**
 * `npm run bench:dashboard`: the dashboard with 10,000 conversations and a thread of 5,000 messages, in a real Chromium beside
 * a server on SQLite: frames, keys, memory, and how soon actions and messages are painted. Beside it the cost of a page that
 * does nothing on this machine ("floor"): without a graphics card the processor paints every frame.
 *
 * Aims: section "Dashboard" of docs/benchmarks.md.
 *
 * --quick  the list for 10 s and a session of 20 s, instead of 60 s and 180 s
 * --only   a part of a measurement's name: load, list, thread, opening, session, live, first
 * --json   one JSON document instead of lines
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { goThroughFirstRun } from "@frontdesk/testing/first-run-steps";
import { fillLargeInbox, visitorOf } from "@frontdesk/testing/large-inbox";
import { type Browser, type BrowserContextOptions, type CDPSession, chromium, type Page } from "playwright-core";
import { findChromium } from "../scripts/system-programs.mjs";
import { callMany } from "./call-api.ts";
import {
  FLOOR_PAGE,
  heapOf,
  interactionsOf,
  LIST,
  movedByOlder,
  ROW,
  SCROLLER,
  THREAD,
  timed,
  typed,
  WATCH,
  watch,
  wheel,
  workOf,
} from "./dashboard-page.ts";
import type { ListenersCommands } from "./live-listeners.ts";
import { readOptions } from "./options.ts";
import { type Env, onEachEngine, setUpTeam, startBeside, startEmpty, startOurs } from "./processes.ts";
import { quantile } from "./quantile.ts";
import { newVisitor, visitorWrites } from "./visitor.ts";
import { wallClock } from "./wall-clock.ts";

const options = readOptions(["quick", "json", "only"]);
const CONVERSATIONS = 10_000;
const MESSAGES = 5_000;
const WHEEL_SECONDS = options.quick ? 10 : 60;
const SESSION_SECONDS = options.quick ? 20 : 180;
/** Pixels per frame: all of 10,000 rows in a minute. */
const WHEEL_STEP = 200;
const PAGES = options.quick ? 10 : 40;
const VISITORS = 100;
const STREAMS_OF_VISITOR = 10;
const LIVE_MESSAGES = options.quick ? 50 : 200;
const LOADS = options.quick ? 3 : 7;
const SLOWER = 4;
const VIEWPORT = { width: 1280, height: 860 };
const SENTENCE = "The fern grows to forty centimetres, and likes it damp. ";

/** Where in the list the wheel is turned. */
const OVER_LIST = [400, 500] as const;

interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The bound. */
  aim?: number;
  /** The same for a page that does nothing. */
  floor?: number;
}

interface Desk {
  origin: string;
  port: number;
  widgetId: string;
  longest: string;
  newPage(options?: BrowserContextOptions): Promise<{ page: Page; session: CDPSession; close(): Promise<void> }>;
}

const figures: Figure[] = [];

const measurements: Record<string, (desk: Desk) => Promise<void>> = {
  // Before anything else has filled the browser and the service.
  load: measureLoad,
  list: measureList,
  thread: measureThread,
  opening: measureOpening,
  session: measureSession,
  live: measureLive,
};

await onEachEngine("sqlite", async ({ newEnv }) => {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("Chromium is not installed. `npm test` says how to get it.");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const desk = await openDesk(browser, { ...(await newEnv()), TRUST_PROXY: "127.0.0.1" });
  for (const [name, measure] of Object.entries(measurements)) if (name.includes(options.only)) await measure(desk);
  if ("first".includes(options.only)) await measureFirstRun(browser, await newEnv());
  await browser.close();
});
if (options.json) console.log(JSON.stringify(figures));

/** A team with all the data, and a browser in which Ada is signed in. */
async function openDesk(browser: Browser, env: Env): Promise<Desk> {
  const { teamId, agentId, widgetId } = await setUpTeam(env);
  const file = join(String(env.DATA_DIR), "frontdesk.db");
  const longest = fillLargeInbox({ teamId, agentId, widgetId, file, conversations: CONVERSATIONS, messages: MESSAGES });
  const port = await startOurs(env);
  const origin = `http://127.0.0.1:${port}`;
  const signingIn = await browser.newContext();
  const page = await signingIn.newPage();
  await page.goto(`${origin}/app/sign-in`);
  await page.fill("input[name=email]", "ada@acme.test");
  await page.fill("input[name=password]", "correct horse");
  await page.keyboard.press("Enter");
  await page.waitForSelector(ROW);
  const storageState = await signingIn.storageState();
  await signingIn.close();
  return {
    origin,
    port,
    widgetId,
    longest,
    async newPage(more) {
      const context = await browser.newContext({ viewport: VIEWPORT, storageState, ...more });
      await context.addInitScript(WATCH);
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send("Performance.enable", { timeDomain: "threadTicks" });
      return { page, session, close: () => context.close() };
    },
  };
}

/** Rows while scrolling: first while they are fetched, then through all of them. */
async function measureList({ origin, newPage }: Desk): Promise<void> {
  const floor = await floorOf(newPage, (page) =>
    watch(page, "textarea", () =>
      wheel(page, OVER_LIST, { seconds: Math.min(10, WHEEL_SECONDS), step: WHEEL_STEP, scroller: "#scroller" }),
    ),
  );
  const { page, session, close } = await newPage();
  await page.goto(`${origin}/app/inbox`);
  await page.waitForSelector(ROW);
  const work = await workOf(session);
  const turning = { seconds: WHEEL_SECONDS, step: WHEEL_STEP, scroller: SCROLLER };
  const fetching = await watch(page, ROW, () => wheel(page, OVER_LIST, turning));
  const before = await heapOf(session);
  const begun = await workOf(session);
  const there = await watch(page, ROW, () => wheel(page, OVER_LIST, turning));
  const ended = await workOf(session);
  const after = await heapOf(session);
  const height = (await page.evaluate(`document.querySelector('${LIST}').offsetHeight`)) as number;
  await close();
  const floorMs = quantile(floor.frames, 0.95);
  tell("list, rows that were fetched meanwhile", Math.round(height / 72), "");
  tell("list, frames while rows are fetched, p95", quantile(fetching.frames, 0.95), "ms", {
    aim: 17,
    floor: floorMs,
  });
  tell("list, frames, p95", quantile(there.frames, 0.95), "ms", { aim: 17, floor: floorMs });
  tell("list, the page's own work for a frame while rows are fetched", (begun - work) / fetching.frames.length, "ms");
  tell("list, the page's own work for a frame", (ended - begun) / there.frames.length, "ms");
  tell("list, tasks over 50 ms while rows are fetched", fetching.tasks.length, "", {
    aim: 0,
    floor: floor.tasks.length,
  });
  tell("list, the longest of them", Math.max(0, ...fetching.tasks), "ms");
  tell("list, tasks over 50 ms", there.tasks.length, "", { aim: 0, floor: floor.tasks.length });
  tell("list, most rows in the page", Math.max(fetching.nodes, there.nodes), "", { aim: 60 });
  tell("list, heap after as much again", (after / before - 1) * 100, "%", { aim: 10 });
  tell("list, heap", after / 1_000_000, "MB");
}

/** 5,000 messages: older ones load above while scrolling, and the agent types below them. */
async function measureThread({ origin, longest, newPage }: Desk): Promise<void> {
  const floor = await floorOf(newPage, async (page, session) => {
    await page.click("textarea");
    return typed(page, session, SENTENCE.repeat(2));
  });
  const { page, session, close } = await newPage();
  await page.goto(`${origin}/app/inbox/${longest}`);
  await page.waitForSelector(THREAD);
  await delay(1_000);
  const moved: number[] = [];
  for (let pages = 0; pages < PAGES; pages += 1) moved.push(await movedByOlder(page));
  tell("thread, an anchored row moves at most", Math.max(...moved), "px", { aim: 1 });
  // All of it has to be loaded before typing.
  await page.evaluate(`(async () => {
    const thread = document.querySelector("${THREAD}");
    for (let at = 0; at < 400; at += 1) {
      thread.scrollTop = 0;
      await new Promise((done) => setTimeout(done, 30));
    }
  })()`);
  await page.click("section textarea");
  await delay(500);
  const { painted, workMs } = await typed(page, session, SENTENCE.repeat(4));
  tell("thread, from a key to its painting, p95", quantile(painted, 0.95), "ms", {
    aim: 16,
    floor: quantile(floor.painted, 0.95),
  });
  tell("thread, the page's own work for a key", workMs, "ms", { floor: floor.workMs });
  const sent: number[] = [];
  for (let number = 1; number <= 50; number += 1) {
    await page.fill("section textarea", `Answer ${number}.`);
    await delay(100);
    sent.push(
      await timed(
        page,
        `[...document.querySelectorAll("[data-index]")].some((each) => each.textContent.includes("Answer ${number}."))`,
        () => page.keyboard.press("Enter"),
      ),
    );
  }
  tell("thread, from Enter to the bubble, p50", quantile(sent, 0.5), "ms");
  tell("thread, from Enter to the bubble, p99", quantile(sent, 0.99), "ms", { aim: 50 });
  await close();
}

/** One conversation after the other by J, and back by K. */
async function measureOpening({ origin, longest, newPage }: Desk): Promise<void> {
  const { page, close } = await newPage();
  await page.goto(`${origin}/app/inbox/${longest}`);
  await page.waitForSelector(THREAD);
  await delay(1_000);
  const open = (key: string, place: number) =>
    timed(page, `document.querySelector('section[aria-label*="${visitorOf(place)}"] [data-index]') !== null`, () =>
      page.keyboard.press(key),
    );
  const uncached: number[] = [];
  const cached: number[] = [];
  for (let place = 2; place <= 60; place += 1) {
    uncached.push(await open("j", place));
    await delay(150);
    if (place % 20 > 0) continue;
    for (let back = place - 1; back > place - 16; back -= 1) {
      cached.push(await open("k", back));
      await delay(100);
    }
    for (let again = place - 14; again <= place; again += 1) {
      cached.push(await open("j", again));
      await delay(100);
    }
  }
  await close();
  tell("opening one that was open before, p50", quantile(cached, 0.5), "ms");
  tell("opening one that was open before, p95", quantile(cached, 0.95), "ms", { aim: 50 });
  tell("opening another one, p50", quantile(uncached, 0.5), "ms");
  tell("opening another one, p95", quantile(uncached, 0.95), "ms", { aim: 200 });
}

/** An agent's typical actions, one after the other. */
async function measureSession({ origin, newPage }: Desk): Promise<void> {
  const { page, close } = await newPage();
  await page.goto(`${origin}/app/inbox`);
  await page.waitForSelector(ROW);
  const end = performance.now() + SESSION_SECONDS * 1_000;
  while (performance.now() < end) {
    await page.keyboard.press("j");
    await page.waitForSelector(THREAD);
    await page.keyboard.press("r");
    await page.keyboard.type(SENTENCE, { delay: 25 });
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await page.keyboard.type("@Ad", { delay: 40 });
    await page.keyboard.press("Tab");
    await page.keyboard.type("look at this", { delay: 25 });
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await layer(page, "t", "topic 1");
    await layer(page, "a", "ada");
    await layer(page, "/", "visitor 99");
    await layer(page, "Control+k", "contacts");
    await page.keyboard.press("x");
    await page.keyboard.press("x");
    await page.mouse.move(...OVER_LIST);
    await page.mouse.wheel(0, 400);
    await delay(200);
    await page.keyboard.press("Shift+E");
    await delay(300);
  }
  const interactions = await interactionsOf(page);
  await close();
  tell("session, interactions", interactions.length, "");
  tell("session, until the next painting (INP), p98", quantile(interactions, 0.98), "ms", { aim: 100 });
  tell("session, the slowest", Math.max(...interactions), "ms");
}

async function layer(page: Page, key: string, text: string): Promise<void> {
  await page.keyboard.press(key);
  await page.waitForSelector("[role=dialog] input");
  await page.keyboard.type(text, { delay: 40 });
  await delay(100);
  await page.keyboard.press("Escape");
  await page.waitForSelector("[role=dialog]", { state: "detached" });
}

/** From a visitor's request to the row on the agent's screen, beside 1,000 idle visitors' streams. */
async function measureLive({ origin, port, widgetId, newPage }: Desk): Promise<void> {
  const tokens = await callMany(VISITORS, (n) => newVisitor(port, widgetId, n));
  const idle = startBeside<ListenersCommands>("live-listeners.ts");
  const hellos = tokens.flatMap((token) =>
    Array.from({ length: STREAMS_OF_VISITOR }, () => ({ token, widget_id: widgetId })),
  );
  await idle.ask("connect", { url: `ws://127.0.0.1:${port}/live`, hellos });
  const { page, close } = await newPage();
  await page.goto(`${origin}/app/inbox`);
  await page.waitForSelector(ROW);
  await delay(2_000);
  const took: number[] = [];
  for (let number = 0; number < LIVE_MESSAGES; number += 1) {
    const content = `Message ${number}.`;
    await page.evaluate(`void (window.painted = paintedAfter(0, () =>
      document.querySelector("${LIST}").textContent.includes("${content}")).then(() => performance.timeOrigin + performance.now()))`);
    const from = wallClock();
    const n = number % VISITORS;
    void visitorWrites(port, widgetId, { token: tokens[n] as string, content, n });
    took.push(((await page.evaluate("painted")) as number) - from);
    await delay(50);
  }
  await idle.ask("close");
  await close();
  tell("from a visitor to the agent's screen, p50", quantile(took, 0.5), "ms", { aim: 40 });
  tell("from a visitor to the agent's screen, p99", quantile(took, 0.99), "ms", { aim: 150 });
}

/** With an empty browser cache, on a processor slowed down four times. */
async function measureLoad({ origin, newPage }: Desk): Promise<void> {
  const lcp: number[] = [];
  let bytes = 0;
  for (let load = 0; load < LOADS; load += 1) {
    const { page, session, close } = await newPage();
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await page.goto(`${origin}/app/inbox`);
    await page.waitForSelector(ROW);
    bytes = (await page.evaluate(`performance.getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js")).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)) as number;
    await delay(2_000);
    lcp.push((await page.evaluate("seen.lcp")) as number);
    await close();
  }
  tell("first load on a slow processor (LCP), median", quantile(lcp, 0.5), "ms", { aim: 1_500 });
  tell("first load, the slowest", Math.max(...lcp), "ms");
  tell("scripts until the rows stand", bytes / 1_000, "kB", { aim: 230 });
}

/** From an empty installation to an answered message, at a person's pace. */
async function measureFirstRun(browser: Browser, env: Env): Promise<void> {
  const { origin, setupUrl } = await startEmpty(env);
  const pages = async () => (await browser.newContext({ viewport: VIEWPORT })).newPage();
  const { clicks, ms } = await goThroughFirstRun(
    { origin, setupUrl, owner: await pages(), visitor: await pages() },
    "human",
  );
  tell("first run, at a person's pace", ms / 1_000, "s", { aim: 120 });
  tell("first run, clicks", clicks, "", { aim: 7 });
}

async function floorOf<Measured>(
  newPage: Desk["newPage"],
  measure: (page: Page, session: CDPSession) => Promise<Measured>,
): Promise<Measured> {
  const { page, session, close } = await newPage();
  await page.goto(FLOOR_PAGE);
  const measured = await measure(page, session);
  await close();
  return measured;
}

function tell(name: string, value: number, unit: string, beside: { aim?: number; floor?: number } = {}): void {
  figures.push({ name, value, unit, ...beside });
  if (options.json) return;
  const { aim, floor } = beside;
  const inWords = (number: number) => `${Math.round(number * 10) / 10} ${unit}`.trim();
  const parts = [
    name.padEnd(62),
    inWords(value).padStart(10),
    aim === undefined ? "" : `aim ${inWords(aim)}${value > aim ? "  MISSED" : ""}`,
    floor === undefined ? "" : `floor ${inWords(floor)}`,
  ];
  console.log(parts.join("  ").trimEnd());
}
