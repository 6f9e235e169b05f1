/** Measurements inside a page: frames, long tasks, and when a result is painted. */
import { setTimeout as delay } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";

/** Runs in every document before its own scripts. */
export const WATCH = `
  const seen = window.seen = { frames: [], tasks: [], shift: 0, nodes: 0, keys: [], interactions: new Map(), lcp: 0, keying: false, watching: "" };
  const watched = (type, take, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  watched("longtask", ({ duration }) => seen.tasks.push(duration));
  watched("layout-shift", ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.shift += value; });
  watched("largest-contentful-paint", ({ startTime }) => { seen.lcp = startTime; });
  watched("event", ({ interactionId, duration }) => {
    if (interactionId) seen.interactions.set(interactionId, Math.max(duration, seen.interactions.get(interactionId) ?? 0));
  }, { durationThreshold: 16 });

  // A message posted during a frame is handled after its painting.
  window.afterPaint = (act) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = act;
    port2.postMessage(0);
  });
  window.paintedAfter = (from, test) => new Promise((done) => {
    const look = () => afterPaint(() => (test() ? done(performance.now() - from) : look()));
    look();
  });
  // A frame is the time between two paintings.
  let last = 0;
  const frame = (at) => {
    if (seen.watching) {
      if (last) seen.frames.push(at - last);
      seen.nodes = Math.max(seen.nodes, document.querySelectorAll(seen.watching).length);
    }
    last = seen.watching ? at : 0;
    // Only while counting: otherwise unneeded frames would be painted as well.
    if (seen.watching) requestAnimationFrame(frame);
  };
  window.watchFrames = (selector) => {
    Object.assign(seen, { frames: [], tasks: [], shift: 0, nodes: 0, watching: selector });
    requestAnimationFrame(frame);
  };
  addEventListener("keydown", ({ timeStamp }) => {
    if (seen.keying) afterPaint(() => seen.keys.push(performance.now() - timeStamp));
  }, true);
`;

/** The part of a page's metrics that the measurements use. */
export interface Seen {
  frames: number[];
  tasks: number[];
  shift: number;
  /** The most watched elements in the page at once. */
  nodes: number;
  keys: number[];
  lcp: number;
}

/** The conversations, their scroller, one of them, and the messages of the open one. */
export const LIST = "[role=list]";
export const SCROLLER = "main div:has(> [role=list])";
export const ROW = "[role=listitem]";
export const THREAD = "section:has(> div > [data-index])";

const FRAME_MS = 16;
/** Older messages are fetched within 800 px of the first ones: start below that, and scroll up. */
const BEFORE_OLDER = 1_000;
const TO_OLDER = 600;

/** The frames during an action, with the number of `nodes` (a selector). */
export async function watch(page: Page, nodes: string, act: () => Promise<void>): Promise<Seen> {
  await page.evaluate(`watchFrames(${JSON.stringify(nodes)})`);
  await act();
  await delay(100);
  return (await page.evaluate("seen.watching = '', { ...seen, interactions: undefined }")) as Seen;
}

/** By how many pixels the top of the thread moves while older messages load above it; Infinity when none came. */
export async function movedByOlder(page: Page): Promise<number> {
  // First to where nothing is fetched yet, so that the visible rows are rendered and measured.
  await page.evaluate(`void (document.querySelector("${THREAD}").scrollTop = ${BEFORE_OLDER})`);
  await delay(200);
  const moved = await page.evaluate(`new Promise((done) => {
    const thread = document.querySelector("${THREAD}");
    const edge = thread.getBoundingClientRect().top;
    const height = thread.scrollHeight;
    thread.scrollTop -= ${TO_OLDER};
    const rows = () => [...thread.querySelectorAll("[data-index]")].map((row) => ({ text: row.textContent, top: row.getBoundingClientRect().top }));
    const anchor = rows().find(({ top }) => top >= edge);
    let most = 0, looks = 0, after = 0;
    const look = () => afterPaint(() => {
      const same = rows().find(({ text }) => text === anchor.text);
      most = Math.max(most, same ? Math.abs(same.top - anchor.top) : Infinity);
      looks += 1;
      if (thread.scrollHeight > height + 500) after += 1;
      if (after > 15) done(most);
      else if (looks > 300) done(null);
      else look();
    });
    look();
  })`);
  return (moved as number | null) ?? Number.POSITIVE_INFINITY;
}

/** Scrolls by wheel for a while, `step` pixels per frame; at the end it reverses. */
export async function wheel(
  page: Page,
  [x, y]: readonly [number, number],
  { seconds, step, scroller }: { seconds: number; step: number; scroller: string },
): Promise<void> {
  await page.mouse.move(x, y);
  const end = performance.now() + seconds * 1_000;
  let direction = 1;
  for (let steps = 1; performance.now() < end; steps += 1) {
    const due = performance.now() + FRAME_MS;
    await page.mouse.wheel(0, direction * step);
    if (steps % 60 === 0) direction = (await directionOf(page, scroller)) ?? direction;
    await delay(Math.max(0, due - performance.now()));
  }
}

/** -1 at the end, 1 at the start, null between them. */
async function directionOf(page: Page, scroller: string): Promise<1 | -1 | null> {
  return (await page.evaluate(`(() => {
    const { scrollTop, scrollHeight, clientHeight } = document.querySelector(${JSON.stringify(scroller)});
    return scrollTop + clientHeight >= scrollHeight - 2 ? -1 : scrollTop <= 2 ? 1 : null;
  })()`)) as 1 | -1 | null;
}

/**
 * The time from a key or click to the frame in which `test` (an expression) is true, in ms.
 *
 * @param event the start: the next event of its kind
 */
export async function timed(
  page: Page,
  test: string,
  act: () => Promise<unknown>,
  event: "keydown" | "pointerdown" = "keydown",
): Promise<number> {
  await page.evaluate(`void (window.painted = new Promise((done) =>
    addEventListener("${event}", ({ timeStamp }) => paintedAfter(timeStamp, () => ${test}).then(done), { once: true, capture: true })))`);
  await act();
  return (await page.evaluate("painted")) as number;
}

/** Types into the focused element; resolves to the ms from each key to its painting, and the page's own work for each. */
export async function typed(
  page: Page,
  session: CDPSession,
  text: string,
): Promise<{ painted: number[]; workMs: number }> {
  const work = await workOf(session);
  await page.evaluate("Object.assign(seen, { keys: [], keying: true })");
  await page.keyboard.type(text, { delay: 40 });
  await delay(100);
  const painted = (await page.evaluate("seen.keying = false, seen.keys")) as number[];
  return { painted, workMs: ((await workOf(session)) - work) / text.length };
}

/** The page's thread time since its start, in ms; without other programs. */
export async function workOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}

/** The script heap, in bytes, after garbage collection. */
export async function heapOf(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize;
}

/** The time of each interaction until the next painting, in ms; below 16 it counts as 0. */
export async function interactionsOf(page: Page): Promise<number[]> {
  const [slow, count] = (await page.evaluate("[[...seen.interactions.values()], performance.interactionCount]")) as [
    number[],
    number,
  ];
  return [...slow, ...Array.from({ length: Math.max(0, count - slow.length) }, () => 0)];
}

/** A page that scrolls as far and has a field, and does nothing: the machine's own cost. */
export const FLOOR_PAGE = `data:text/html,${encodeURIComponent(`<!doctype html><title>Floor</title>
  <textarea rows="3" cols="60"></textarea>
  <div id="scroller" style="height: 600px; overflow-y: auto">
    <div style="height: 720000px; background: repeating-linear-gradient(white 0 71px, gray 71px 72px)"></div>
  </div>`)}`;
