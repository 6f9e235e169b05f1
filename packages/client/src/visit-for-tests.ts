/**
 * A visit, step by step: Vera in two tabs of one browser, Ada over REST, the built-in AI, Hugo in another browser, and a network
 * and tabs that come and go. At the end everyone must have been shown everything, once and in the same order.
 */
import { randomUUID } from "node:crypto";
import type { Chat, ChatMessage } from "@frontdesk/core/contract/visitor";
import type { DeedOfAi } from "@frontdesk/testing/random-ai";
import fc from "fast-check";
import { expect, vi } from "vitest";
import { standingDraft } from "./ai-draft.ts";
import type { Browser, Channel, Locks } from "./browser.ts";
import type { ChatState } from "./chat-context.ts";
import type { Clock } from "./clock.ts";
import { newVisitorToken } from "./new-ids.ts";
import { tellingStorage } from "./storage-for-tests.ts";
import { createVisitorChat, type VisitorChat } from "./visitor-chat.ts";

/** The installation that is visited. */
export interface VisitService {
  origin(): string;
  widgetId: string;
  /** A request of Ada's; its status has to be below 300. */
  rest(method: "POST" | "PUT" | "DELETE", path: string, body: object): Promise<unknown>;
  /** Sent with every request of a visitor. */
  headers: Record<string, string>;
  /** The built-in AI does this; what it says begins with the line. */
  ai?(deed: DeedOfAi, conversationId: string, line: string): Promise<void>;
  /** Erases the files that Ada has sent. */
  erasesFiles?(): Promise<void>;
  /** Advances the service's time. */
  passes?(): void;
  /** Kills the service. */
  dies?(): Promise<void>;
  comesBack?(): Promise<void>;
}

const tab = fc.integer({ min: 0, max: 1 });

/** What the AI does; before it says something, it often drafts it. */
export const deedsOfAi: fc.Arbitrary<DeedOfAi> = fc.oneof(
  { weight: 3, arbitrary: fc.constant("drafts" as const) },
  { weight: 2, arbitrary: fc.constantFrom("holds" as const, "answers" as const) },
  { weight: 1, arbitrary: fc.constantFrom("withdraws" as const, "hands over" as const) },
);

/** The steps; those that are more frequent in reality are more likely. */
export const steps = fc.oneof(
  { weight: 6, arbitrary: fc.record({ step: fc.constant("vera writes" as const), tab }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constant("all is quiet" as const) }) },
  { weight: 6, arbitrary: fc.record({ step: fc.constant("ada replies" as const) }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant("a socket breaks" as const) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("the network is cut" as const) }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant("the network is back" as const) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("an answer is lost" as const) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("a tab is reloaded" as const), tab }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("ada resolves" as const), open: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("vera looks" as const), tab }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("ada notes" as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("ada corrects the name" as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("hugo writes" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ step: fc.constant("ada erases" as const), whole: fc.boolean(), offline: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant("ada redacts" as const), back: fc.integer({ min: 0, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("files are old" as const) }) },
  { weight: 8, arbitrary: fc.record({ step: fc.constant("the ai does" as const), deed: deedsOfAi }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("a draft comes late" as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("vera wants a person" as const), tab }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("vera is helped" as const), tab }) },
  {
    weight: 8,
    arbitrary: fc.record({ step: fc.constant("a moment passes" as const), ms: fc.integer({ min: 1, max: 60 }) }),
  },
);
export type RandomStep = typeof steps extends fc.Arbitrary<infer T> ? T : never;
export type Step = RandomStep | { step: "the service crashes" };

/** Whether a line is there twice. The AI hands over in the same words each time. */
export function isDoubled(contents: readonly string[]): boolean {
  const lines = contents.filter((content) => /^(Vera|Ada|Ben|Robin|Note|Hugo) \d/.test(content));
  return new Set(lines).size < lines.length;
}

/** As long as `expect.poll` waits (vitest.config.ts); `vi.waitFor` would give up after a second. */
const PATIENCE = { interval: 20, timeout: 60_000 };
/** Ten seconds pass at once: long enough for waits, and short enough for many visits. */
const SPEED = 10;
const began = Date.now();
export const fastClock: Clock = {
  now: () => began + (Date.now() - began) * SPEED,
  after(ms, act) {
    const timer = setTimeout(act, ms / SPEED);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

/** What was done, so that a test can check its own premise. */
export interface VisitCounts {
  messages: number;
  erased: number;
  redacted: number;
  filesErased: number;
  /** Messages of the AI, and drafts of them that a tab has shown. */
  byAi: number;
  drafts: number;
  draftsLate: number;
  socketsOpened: number;
  socketsBroken: number;
  answersLost: number;
}

/** Runs the steps, and checks that nothing was lost, duplicated or reordered. */
export async function visit(service: VisitService, taken: readonly Step[]): Promise<VisitCounts> {
  const network = shakyNetwork(service);
  const browser = veraBrowser(service, network.parts);
  let written: string[] = [];
  let replied: string[] = [];
  const happened = { erased: 0, redacted: 0, filesErased: 0, byAi: 0 };
  const faults: string[] = [];
  const drafts = new Set<string>();
  const tabs = [browser.open(watched), browser.open(watched)];
  const hugo = newVisitorToken();
  /** Whether the service has Vera: she has written, and was not erased since. */
  let isKnown = false;
  /** The ids of what was erased. */
  const gone = new Set<string | undefined>();
  let lines = 0;
  const next = (who: string) => `${who} ${++lines}`;

  try {
    for (const each of taken) {
      service.passes?.();
      await take(each);
    }
    await everythingArrives();
  } finally {
    for (const chat of tabs) chat.close();
  }
  return { messages: lines, ...happened, drafts: drafts.size, ...network.happened };

  async function take(each: Step): Promise<void> {
    // A tab without a network may still show what was erased.
    const conversation = tabs.find(
      ({ state }) => state.conversation && !gone.has(state.conversation.id) && !gone.has(state.contact?.id),
    )?.state;
    switch (each.step) {
      case "vera writes": {
        const content = next("Vera");
        tabs[each.tab]?.send({ content, name: "Vera" });
        written.push(content);
        isKnown = true;
        return;
      }
      case "ada replies": {
        if (!conversation?.conversation) return;
        const content = next("Ada");
        await service.rest("POST", "/messages", {
          conversation_id: conversation.conversation.id,
          content,
          attachments: [{ url: `https://files.acme.test/${encodeURIComponent(content)}` }],
        });
        replied.push(content);
        return;
      }
      case "ada notes":
        if (!conversation?.conversation) return;
        await service.rest("POST", "/messages", {
          conversation_id: conversation.conversation.id,
          content: next("Note"),
          type: "note",
        });
        return;
      case "the ai does":
        if (!conversation?.conversation) return;
        return service.ai?.(each.deed, conversation.conversation.id, next("Robin"));
      case "a draft comes late":
        return network.repeatsADraft();
      case "vera wants a person":
        void tabs[each.tab]?.askForPerson();
        return;
      case "vera is helped":
        void tabs[each.tab]?.confirmHelped();
        return;
      case "ada resolves":
        if (!conversation?.conversation) return;
        await service.rest("POST", `/conversations/${conversation.conversation.id}/resolve`, {
          status: each.open ? "open" : "resolved",
        });
        return;
      case "ada corrects the name":
        if (!conversation?.contact) return;
        await service.rest("PUT", `/contacts/${conversation.contact.id}`, { name: next("Vera V.") });
        return;
      case "ada erases": {
        await allIsQuiet();
        const chat = await fetchedChat();
        if (!chat?.conversation) return;
        if (each.offline) network.cut();
        const path = each.whole ? `/contacts/${chat.contact.id}` : `/conversations/${chat.conversation.id}`;
        await service.rest("DELETE", path, {});
        isKnown = !each.whole;
        gone.add(each.whole ? chat.contact.id : chat.conversation.id);
        [written, replied] = [[], []];
        happened.erased += 1;
        return;
      }
      case "ada redacts": {
        await allIsQuiet();
        const message = (await fetchedChat())?.messages.at(each.back);
        if (!message || message.is_redacted) return;
        await service.rest("POST", `/messages/${message.id}/redact`, {});
        written = written.filter((content) => content !== message.content);
        replied = replied.filter((content) => content !== message.content);
        happened.redacted += 1;
        return;
      }
      case "files are old":
        if (!service.erasesFiles) return;
        await allIsQuiet();
        if (!(await hasFiles())) return;
        await service.erasesFiles();
        happened.filesErased += 1;
        return;
      case "hugo writes":
        await fetch(`${service.origin()}/visitor/${service.widgetId}/messages`, {
          method: "POST",
          headers: { ...service.headers, authorization: `Bearer ${hugo}`, "content-type": "application/json" },
          body: JSON.stringify({ client_id: randomUUID(), content: next("Hugo") }),
        });
        return;
      case "vera looks":
        tabs[each.tab]?.seen();
        return;
      case "a socket breaks":
        return network.breaks();
      case "the network is cut":
        return network.cut();
      case "the network is back":
        return network.restore();
      case "an answer is lost":
        return network.losesAnAnswer();
      case "a tab is reloaded":
        tabs[each.tab]?.close();
        tabs[each.tab] = browser.open(watched);
        return;
      case "a moment passes":
        return new Promise((resolve) => setTimeout(resolve, each.ms));
      case "all is quiet":
        return allIsQuiet();
      case "the service crashes":
        await service.dies?.();
        // Connecting to an unused port can take that port itself.
        network.cut();
        await service.comesBack?.();
        return network.restore();
      default:
        each satisfies never;
    }
  }

  /** What must hold of a screen at every moment. */
  function watched(state: ChatState): void {
    const { messages, outbox } = state;
    for (const [index, { sort_number }] of messages.entries()) {
      if (index > 0 && sort_number <= (messages[index - 1] as ChatMessage).sort_number) {
        faults.push(`The order is ${messages.map((each) => each.sort_number)}.`);
      }
    }
    const contents = [...messages, ...outbox].flatMap(({ content }) => content || []);
    if (isDoubled(contents)) faults.push(`Something is doubled: ${contents}.`);
    if (contents.some((content) => /^(Note|Hugo)/.test(content))) faults.push(`Not for Vera: ${contents}.`);
    const draft = shownDraft(state);
    if (draft === undefined) return;
    drafts.add(draft);
    if (contents.some((content) => content.startsWith(draft)))
      faults.push(`A draft stands beside its message: ${draft}`);
  }

  async function allIsQuiet(): Promise<void> {
    network.restore();
    for (const chat of tabs) {
      await expect.poll(() => chat.state.outbox, PATIENCE).toEqual([]);
      await expect.poll(() => chat.state.contact !== null, PATIENCE).toBe(isKnown);
      await expect.poll(() => chat.state.connection, PATIENCE).toBe("live");
    }
  }

  async function everythingArrives(): Promise<void> {
    await allIsQuiet();
    for (const chat of tabs) await expect.poll(() => shownDraft(chat.state), PATIENCE).toBeUndefined();
    if (!isKnown) {
      for (const chat of tabs) expect(shown(chat)).toEqual({ contact: null, conversation: null, messages: [] });
      expect(faults).toEqual([]);
      return;
    }
    // The last event or receipt may still be on its way.
    for (const chat of tabs) await vi.waitFor(async () => showsAll(chat), PATIENCE);
    const fresh = await fetchAll();
    expect(faults).toEqual([]);
    const contents = fresh.messages.map(({ content }) => content);
    expect(contents.filter((content) => content.startsWith("Ada"))).toEqual(replied);
    expect(contents.filter((content) => content.startsWith("Vera")).toSorted()).toEqual(written.toSorted());
    happened.byAi += fresh.messages.filter(({ by_ai }) => by_ai).length;
  }

  /** Fetches once a second at most: a token's requests are counted. */
  async function showsAll(chat: VisitorChat): Promise<void> {
    const fresh = await fetchAll();
    await expect.poll(() => shown(chat), { ...PATIENCE, timeout: 1_000 }).toEqual(fresh);
  }

  /** What the AI is about to say, as the widget shows it. */
  function shownDraft({ draft, conversation, messages }: ChatState): string | undefined {
    return standingDraft(draft, conversation, messages.at(-1)?.sort_number ?? 0)?.text;
  }

  function shown({ state: { contact, conversation, messages } }: VisitorChat) {
    return { contact, conversation, messages };
  }

  /** What the service has, fetched without the client. */
  async function fetchAll() {
    const { contact, conversation, messages } = (await fetchedChat()) as Chat;
    return { contact, conversation, messages: messages.toReversed() };
  }

  async function hasFiles(): Promise<boolean> {
    const chat = await fetchedChat();
    return chat?.messages.some(({ attachments }) => attachments.length > 0) ?? false;
  }

  /** Undefined for a visitor whom the service does not know. */
  async function fetchedChat(): Promise<Chat | undefined> {
    const headers = { authorization: `Bearer ${browser.token()}` };
    const answer = await fetch(`${service.origin()}/visitor/${service.widgetId}/chat?limit=100`, { headers });
    expect(answer.status).toBe(isKnown ? 200 : 401);
    return answer.ok ? ((await answer.json()) as Chat) : undefined;
  }
}

/** Vera's browser: its tabs share storage, locks and channels, separate from other visits. */
function veraBrowser(service: VisitService, parts: Partial<Browser>) {
  const { storage, onStored } = tellingStorage();
  return {
    token: () => String(storage.getItem(`frontdesk:${service.widgetId}:token`)),
    open(watch: (state: ChatState) => void): VisitorChat {
      const chat = createVisitorChat({
        origin: service.origin(),
        widgetId: service.widgetId,
        browser: {
          clock: fastClock,
          storage,
          onStored,
          locks: navigator.locks as unknown as Locks,
          channel: (name) => new BroadcastChannel(name) as unknown as Channel,
          ...parts,
        },
      });
      chat.subscribe(watch);
      chat.open();
      return chat;
    },
  };
}

/** The network between a client and the service: requests and sockets fail while it is cut. */
export function shakyNetwork(service: Pick<VisitService, "origin" | "headers">) {
  let isCut = false;
  let losesNext = false;
  const sockets = new Set<WebSocket>();
  let draft: string | undefined;
  const wakes = new Set<() => void>();
  const happened = { socketsOpened: 0, socketsBroken: 0, answersLost: 0, draftsLate: 0 };
  const breakAll = () => {
    for (const socket of sockets) {
      if (socket.readyState === WebSocket.OPEN) happened.socketsBroken += 1;
      socket.close();
    }
  };
  class Socket extends WebSocket {
    constructor(address: string) {
      super(isCut ? "ws://127.0.0.1:9" : address.replace(/^ws:\/\/[^/]+/, service.origin().replace(/^http/, "ws")));
      sockets.add(this);
      this.addEventListener("open", () => {
        happened.socketsOpened += 1;
      });
      this.addEventListener("message", ({ data }) => {
        if (String(data).startsWith('{"type":"draft"') && JSON.parse(String(data)).text) draft = String(data);
      });
      this.addEventListener("close", () => sockets.delete(this));
    }
  }
  const parts: Partial<Browser> = {
    WebSocket: Socket,
    async fetch(address, ...options) {
      if (isCut) throw new TypeError("No network.");
      const to = String(address).replace(/^http:\/\/[^/]+/, service.origin());
      const [{ headers = {}, ...rest } = {}] = options;
      const answer = await fetch(to, {
        ...rest,
        headers: { ...(headers as Record<string, string>), ...service.headers },
      });
      const isLost = isCut || (losesNext && options[0]?.method === "POST");
      if (!isLost) return answer;
      losesNext = false;
      happened.answersLost += 1;
      throw new TypeError("The answer was lost.");
    },
    onWake(listener) {
      wakes.add(listener);
      return () => wakes.delete(listener);
    },
  };
  return {
    parts,
    happened,
    breaks: breakAll,
    cut() {
      isCut = true;
      breakAll();
    },
    restore() {
      if (!isCut) return;
      isCut = false;
      for (const wake of wakes) wake();
    },
    losesAnAnswer() {
      losesNext = true;
    },
    /** The last draft of an answer comes again, after later events. */
    repeatsADraft() {
      for (const socket of sockets) {
        if (draft === undefined || socket.readyState !== WebSocket.OPEN) continue;
        happened.draftsLate += 1;
        socket.dispatchEvent(new MessageEvent("message", { data: draft }));
      }
    },
  };
}
