/**
 * Vera in a real browser, with the widget on a page of hers, and Ada over the API and the live stream, who write to one another
 * while lines, tabs and servers break. In the end both must have been shown all of it, once, and in the order of the service.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { chromium, type Frame, type Page } from "playwright-core";
import { findChromium } from "../../../../scripts/system-programs.mjs";
import { createClient, eachItem } from "../../../client/src/index.ts";
import { type Line, openLine } from "./broken-line.ts";
import { comesTrue } from "./counting-subscriber.ts";
import { keepListening, sendUntilAnswered } from "./keep-listening.ts";
import type { ServerProcess, SetUpTeam } from "./server-process.ts";

/** A visitor may write 120 times a minute. */
const VERA_PAUSE_MS = 520;
const ADA_PAUSE_MS = 100;
const FAULT_EVERY = 5;
/** Time to arrive after the last fault: the browser may wait half a minute to retry, and a minute more after a 429. */
const PATIENCE_MS = 240_000;
const LOOK_MS = 100;
/** After so long without the chat she reloads the page. */
const FRAME_MS = 5_000;

/** What may break besides the lines and the tab. */
export type Fault = () => Promise<void>;

export interface CutChatOptions {
  /** The server that the visitor reaches, and the one that the agent does; they may be one. */
  visitorAt: ServerProcess;
  agentAt: ServerProcess;
  team: SetUpTeam;
  /** How often something breaks and is mended. */
  rounds: number;
  /** How many messages each of both writes, at least. */
  messages: number;
  /** Every fifth round one of these. */
  faults: readonly Fault[];
  random(): number;
  /** How long a line is cut, and how long nothing breaks between two faults, at most. */
  longestPauseMs?: number;
  /** In the end the browser gets an `online` event. Otherwise it notices the network by itself, within half a minute. */
  isToldInTheEnd?: boolean;
  progress?(round: number): void;
}

export interface CutChatReport {
  problems: string[];
  byVera: number;
  byAda: number;
  agentCuts: number;
  reloads: number;
}

export async function chatWhileCut(options: CutChatOptions): Promise<CutChatReport> {
  const { visitorAt, agentAt, team, random, longestPauseMs = 1_500 } = options;
  const lines = { vera: await openLine(visitorAt.origin), ada: await openLine(agentAt.origin) };
  const site = await siteWithWidget(lines.vera.origin, team.widgetId);
  const browser = await chromium.launch({ executablePath: findChromium() ?? "", args: ["--no-sandbox"] });
  const context = await browser.newContext();
  const page = await context.newPage();
  // She is there, or the widget would ask for an e-mail first.
  const agent = keepListening([lines.ada.origin], { token: team.apiKey, present: true });
  const api = createClient({ baseUrl: `${agentAt.origin}/api/v1`, apiKey: team.apiKey });
  const written = { vera: [] as string[], ada: [] as string[] };
  let reloads = 0;
  let atTheTab: Promise<unknown> = Promise.resolve();

  try {
    await comesTrue(PATIENCE_MS, () => agent.isReady());
    await page.goto(site.origin);
    await veraWrites("Vera 0");
    const conversationId = await theConversation(api);
    let over = false;
    const enough = () => over && written.vera.length > options.messages && written.ada.length >= options.messages;
    const writing = Promise.all([
      (async () => {
        while (!enough()) {
          await veraWrites(`Vera ${written.vera.length}`);
          await delay(VERA_PAUSE_MS);
        }
      })(),
      (async () => {
        while (!enough()) {
          if (written.ada.length < written.vera.length + 50) await adaWrites(conversationId);
          await delay(ADA_PAUSE_MS);
        }
      })(),
    ]);
    for (let round = 1; round <= options.rounds; round += 1) {
      await delay(random() * longestPauseMs);
      await breakSomething(round);
      options.progress?.(round);
    }
    over = true;
    await writing;
    if (options.isToldInTheEnd) {
      await context.setOffline(true);
      await context.setOffline(false);
    }
    return {
      problems: await differences(conversationId),
      byVera: written.vera.length,
      byAda: written.ada.length,
      agentCuts: agent.cuts(),
      reloads,
    };
  } finally {
    await agent.stop();
    await browser.close();
    await site.close();
    await Promise.all(Object.values(lines).map((line) => line.close()));
  }

  async function breakSomething(round: number): Promise<void> {
    if (round % FAULT_EVERY === 0 && options.faults.length > 0) {
      await options.faults[(round / FAULT_EVERY) % options.faults.length]?.();
      return;
    }
    switch (Math.floor(random() * 5)) {
      case 0:
        return cut(lines.vera);
      case 1:
        return cut(lines.ada);
      case 2:
        await Promise.all([cut(lines.vera), cut(lines.ada)]);
        return;
      case 3:
        await context.setOffline(true);
        await delay(random() * longestPauseMs);
        await context.setOffline(false);
        return;
      default:
        await alone(reload);
    }
  }

  async function cut(line: Line): Promise<void> {
    line.cut();
    await delay(random() * longestPauseMs);
    line.mend();
  }

  /** Through the page, as its own script may. */
  function veraWrites(text: string): Promise<void> {
    const isThere = async () => (await shownIn(page)).includes(text) || (await waitsIn(page, text));
    return alone(async () => {
      for (;;) {
        await openedChat();
        // It may have arrived before the page was reloaded.
        if (await isThere()) break;
        await said(page, `Frontdesk("send", ${JSON.stringify(text)})`);
        if (await comesTrue(FRAME_MS, isThere)) break;
        // A chat that was opened before it knew that Ada is online asks for an e-mail first, with the text in its field.
        await reload();
      }
      written.vera.push(text);
    });
  }

  /** A page or a frame that was cut off while it loaded never answers: she reloads the page. */
  async function openedChat(): Promise<void> {
    const begun = written.vera.length > 0;
    for (;;) {
      if (await hasWidget(page)) {
        await said(page, `Frontdesk("open")`);
        if (await comesTrue(FRAME_MS, () => canWrite(page, begun))) return;
      }
      await reload();
    }
  }

  async function reload(): Promise<void> {
    reloads += 1;
    await page.reload().catch(() => delay(LOOK_MS));
  }

  async function adaWrites(conversationId: string): Promise<void> {
    const content = `Ada ${written.ada.length}`;
    const headers = { "content-type": "application/json", "x-api-key": team.apiKey, "idempotency-key": randomUUID() };
    const body = JSON.stringify({ conversation_id: conversationId, content });
    await sendUntilAnswered(() => fetch(`${lines.ada.origin}/api/v1/messages`, { method: "POST", headers, body }));
    written.ada.push(content);
  }

  /** One action at a time in the tab. */
  function alone<T>(act: () => Promise<T>): Promise<T> {
    const next = atTheTab.then(act);
    atTheTab = next.catch(() => {});
    return next;
  }

  async function differences(conversationId: string): Promise<string[]> {
    const all = [...written.vera, ...written.ada];
    const heard = () => agent.events.flatMap(({ message }) => message?.content ?? []);
    const problems: string[] = [];
    await comesTrue(PATIENCE_MS, () => heard().length >= all.length);
    const served = await storedMessages(api, conversationId);
    await comesTrue(PATIENCE_MS, async () => (await wholeThread(page)).length >= served.length);
    const shown = await wholeThread(page);
    const same = (one: string[], other: string[]) => JSON.stringify(one) === JSON.stringify(other);
    if (!same(served.toSorted(), all.toSorted())) problems.push(`The service has ${served.length} of ${all.length}.`);
    if (!same(heard(), served)) problems.push(`Ada was shown ${heard().length}, or in another order.`);
    if (!same(shown, served)) problems.push(`Vera was shown ${shown.length} of ${served.length}, or in another order.`);
    for (const who of ["Vera", "Ada"]) {
      const order = served.filter((text) => text.startsWith(who));
      if (!same(order, order.toSorted(byNumber))) problems.push(`What ${who} wrote stands in another order.`);
    }
    if (agent.resets() > 0) problems.push("Ada had to begin anew.");
    return problems;
  }
}

type Api = ReturnType<typeof createClient>;

const byNumber = (one: string, other: string) => Number(one.split(" ")[1]) - Number(other.split(" ")[1]);

async function siteWithWidget(origin: string, widgetId: string) {
  const html = `<!doctype html><title>Shop</title><body><script async src="${origin}/widget.js" data-widget="${widgetId}"></script>`;
  const server = createServer((_request, response) =>
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(html),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const hasWidget = async (page: Page): Promise<boolean> =>
  (await said(page, `"Frontdesk" in window && document.querySelector("frontdesk-chat") !== null`)) === true;

const frameOf = (page: Page): Frame | undefined => page.frames().find((each) => each.url().includes("/frame/"));

/** Whether the chat is there, with the earlier messages if there are any. */
async function canWrite(page: Page, begun: boolean): Promise<boolean> {
  const fields = await said(frameOf(page), `document.querySelectorAll("textarea").length`);
  return fields === 1 && (!begun || (await shownIn(page)).length > 0);
}

/** The texts of the bubbles, from the top. */
async function shownIn(page: Page): Promise<string[]> {
  const texts = await said(
    frameOf(page),
    `[...document.querySelectorAll(".bubble")].map(({ textContent }) => textContent)`,
  );
  return Array.isArray(texts) ? texts : [];
}

/** Whether the frame has kept it to send it: then no reload loses it. */
async function waitsIn(page: Page, text: string): Promise<boolean> {
  const kept = await said(frameOf(page), "Object.values({ ...localStorage })");
  return Array.isArray(kept) && kept.some((value: string) => value.includes(JSON.stringify(text)));
}

/** The result of a script in a page or a frame; undefined without one, or when it was cut off while it loaded. */
function said(place: Page | Frame | undefined, script: string): Promise<unknown> {
  const answer = place?.evaluate(script).catch(() => undefined);
  return Promise.race([answer, delay(FRAME_MS)]);
}

/** All messages, after the older ones were loaded back to the first. */
async function wholeThread(page: Page): Promise<string[]> {
  const frame = frameOf(page);
  for (let count = -1; frame && count < (await shownIn(page)).length; ) {
    count = (await shownIn(page)).length;
    await frame.evaluate(`document.querySelector("[role=log]").scrollTo(0, 0)`);
    await frame
      .locator("button.older")
      .click({ timeout: 500 })
      .catch(() => {});
    await comesTrue(1_000, async () => (await shownIn(page)).length > count);
  }
  return shownIn(page);
}

async function theConversation(api: Api): Promise<string> {
  let id: string | undefined;
  await comesTrue(PATIENCE_MS, async () => {
    id = (await api.listConversations()).data[0]?.id;
    return id !== undefined;
  });
  return id as string;
}

/** In their order. */
async function storedMessages(api: Api, conversationId: string): Promise<string[]> {
  const contents: string[] = [];
  const newestFirst = eachItem(api.listMessages, { params: { conversation_id: conversationId } });
  for await (const { attributes } of newestFirst) contents.push(attributes.content ?? "");
  return contents.reverse();
}
