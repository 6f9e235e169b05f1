/**
 * A shift at the inbox, step by step: Ada in two tabs of one browser, Ben at another computer, visitors who write, and a
 * network and tabs that come and go. At the end, Ada's screens must show what the service has.
 */
import { randomUUID } from "node:crypto";
import type { InboxConversationDetails, InboxList, InboxThread } from "@frontdesk/core/contract/inbox";
import type { LiveConversation } from "@frontdesk/core/contract/live";
import { compareInInbox, type InboxQuery, inboxCursor, readCursor } from "@frontdesk/core/domain/inbox";
import type { DeedOfAi } from "@frontdesk/testing/random-ai";
import { expect, vi } from "vitest";
import { type AgentInbox, createAgentInbox } from "./agent-inbox.ts";
import { aiDraftOf } from "./ai-drafts-in-inbox.ts";
import type { Channel, Locks } from "./browser.ts";
import { listKey } from "./inbox-state.ts";
import { newVisitorToken } from "./new-ids.ts";
import { type AgentAction, type ShiftStep, VISITORS } from "./shift-steps-for-tests.ts";
import { tellingStorage } from "./storage-for-tests.ts";
import { fastClock, isDoubled, shakyNetwork } from "./visit-for-tests.ts";

export interface ShiftService {
  origin(): string;
  widgetId: string;
  ada: { id: string; apiKey: string };
  ben: { id: string; apiKey: string };
  /** Sent with every request of visitors. */
  headers: Record<string, string>;
  /** Advances the service's time. */
  passes(): void;
  /** An assistant requests a handoff. */
  handsOff(conversationId: string): Promise<void>;
  /** The built-in AI does this in an open conversation; what it says begins with the line. */
  ai(deed: DeedOfAi, conversationId: string, line: string): Promise<void>;
  /** An admin renames a tag, merges it into another (by using its name), or removes it; does nothing when there is none. */
  tidiesTag(name: string, to: string | null): Promise<void>;
  erases(what: { contactId: string } | { conversationId: string }): Promise<void>;
  redacts(messageId: string): Promise<void>;
  /** Erases every file. */
  erasesFiles(): Promise<void>;
}

/** The first steps of every shift. */
const MORNING: readonly ShiftStep[] = [
  { step: "a visitor writes", visitor: 0 },
  { step: "a visitor writes", visitor: 1 },
  { step: "ada opens a list", tab: 0, list: { view: "all" } },
  { step: "ada opens a list", tab: 1, list: { view: "open" } },
  { step: "ada opens a conversation", tab: 1, visitor: 0 },
];

/** As long as `expect.poll` waits (vitest.config.ts); `vi.waitFor` would give up after a second. */
const PATIENCE = { interval: 20, timeout: 60_000 };

/** What was done, so that a test can check its own premise. */
export interface ShiftCounts {
  written: number;
  sent: number;
  listsCompared: number;
  messagesCompared: number;
  erased: number;
  redacted: number;
  filesErased: number;
  byAi: number;
  /** Drafts of the AI's answers that a screen has shown, and those that came again, too late. */
  drafts: number;
  draftsLate: number;
  socketsBroken: number;
  answersLost: number;
}

interface Screen {
  inbox: AgentInbox;
  lists: { query: InboxQuery; close(): void }[];
  threads: Map<string, () => void>;
}

/** Runs the steps, and checks that every screen ends with what the service has. */
export async function workShift(service: ShiftService, taken: readonly ShiftStep[]): Promise<ShiftCounts> {
  const network = shakyNetwork({ origin: service.origin, headers: {} });
  const { storage, onStored } = tellingStorage();
  const tokens = Array.from({ length: VISITORS }, newVisitorToken);
  const conversations: (string | undefined)[] = Array.from({ length: VISITORS }, () => undefined);
  const contacts: string[] = [];
  let sent: { content: string; conversationId: string }[] = [];
  const faults: string[] = [];
  const drafts = new Set<string>();
  const happened = {
    written: 0,
    sent: 0,
    listsCompared: 0,
    messagesCompared: 0,
    erased: 0,
    redacted: 0,
    filesErased: 0,
    byAi: 0,
  };
  /** The ids of erased conversations. */
  const gone: string[] = [];
  let lines = 0;
  const next = (whose: string) => `${whose} ${++lines}`;
  const screens = [openScreen(), openScreen()];

  try {
    // A visitor has written, and a list is open: otherwise most steps would be invisible.
    for (const each of [...MORNING, ...taken]) {
      service.passes();
      await take(each);
    }
    await everythingIsThere();
  } finally {
    for (const { inbox } of screens) inbox.close();
  }
  return { ...happened, drafts: drafts.size, ...network.happened };

  function openScreen(): Screen {
    const inbox = createAgentInbox({
      origin: service.origin(),
      me: service.ada.id,
      apiKey: service.ada.apiKey,
      browser: {
        clock: fastClock,
        storage,
        onStored,
        locks: navigator.locks as unknown as Locks,
        channel: (name) => new BroadcastChannel(name) as unknown as Channel,
        ...network.parts,
      },
    });
    inbox.subscribe(() => watch(inbox));
    inbox.open();
    return { inbox, lists: [], threads: new Map() };
  }

  /** What must hold of a screen at every moment. */
  function watch(inbox: AgentInbox): void {
    const { lists, conversations: known, threads, outbox } = inbox.getState();
    for (const [key, { ids, query }] of lists) {
      const shown = ids.map((id) => known.get(id)?.conversation);
      if (shown.includes(undefined)) faults.push(`The list ${key} has what is not known.`);
      const isOrdered = shown.every((one, index) => {
        const before = shown[index - 1];
        return (
          index === 0 ||
          (one &&
            before &&
            compareInInbox(inboxCursor(before, query.order), inboxCursor(one, query.order), query.order) < 0)
        );
      });
      if (!isOrdered) faults.push(`The list ${key} is not in order, or has something twice.`);
    }
    for (const [id, { messages }] of threads) {
      const waiting = outbox.filter(({ conversation_id }) => conversation_id === id);
      const contents = [...messages, ...waiting].flatMap(({ content }) => content || []);
      if (isDoubled(contents)) faults.push(`Something is doubled: ${contents}.`);
    }
    for (const { conversation_id: id, text } of shownDrafts(inbox)) {
      drafts.add(text);
      const said = [...(threads.get(id)?.messages ?? []), known.get(id)?.conversation.last_message];
      if (said.some((one) => one?.content.startsWith(text))) faults.push(`A draft stands beside its message: ${text}`);
    }
  }

  async function take(each: ShiftStep): Promise<void> {
    switch (each.step) {
      case "a visitor writes":
        return visitorWrites(each.visitor);
      case "ben does":
        return benAsks(each.visitor, each.action.action, inputOf(each.action));
      case "ben replies":
        return benAsks(each.visitor, "messages", { client_id: randomUUID(), type: "message", content: next("Ben") });
      case "ben notes":
        return benAsks(each.visitor, "messages", {
          client_id: randomUUID(),
          type: "note",
          content: next("Note"),
          mentions: [service[each.mentions].id],
        });
      case "ben corrects a name": {
        const contact = contacts[each.visitor];
        if (contact) await request("PUT", `/api/v1/contacts/${contact}`, { name: next("Vera V.") });
        return;
      }
      case "an assistant hands over": {
        const id = conversations[each.visitor];
        if (id) await service.handsOff(id);
        return;
      }
      case "the ai does": {
        const id = conversations[each.visitor];
        if (!id) return;
        await service.ai(each.deed, id, next("Robin"));
        happened.byAi += 1;
        return;
      }
      case "a draft comes late":
        return network.repeatsADraft();
      case "a contact is erased":
      case "a conversation is erased":
        return erased(each.visitor, each.step === "a contact is erased");
      case "a message is redacted": {
        const id = conversations[each.visitor];
        const thread = id ? await freshThread(id) : [];
        const message = thread.at(-1 - (each.back % thread.length));
        if (!message || message.is_redacted) return;
        await service.redacts(message.id);
        sent = sent.filter(({ content }) => content !== message.content);
        happened.redacted += 1;
        return;
      }
      case "ben sends a file":
        return benSendsFile(each.visitor);
      case "files are old":
        return filesAreOld();
      case "a tag is tidied":
        return service.tidiesTag(each.from, each.to);
      case "ada does": {
        const id = conversations[each.visitor];
        if (id)
          void screens[each.tab]?.inbox.act(
            [id],
            each.action.action as "tag",
            inputOf(each.action) as { name: string },
          );
        return;
      }
      case "ada replies": {
        const conversation_id = conversations[each.visitor];
        if (!conversation_id) return;
        const content = next("Ada");
        screens[each.tab]?.inbox.send({ conversation_id, type: "message", content });
        sent.push({ content, conversationId: conversation_id });
        return;
      }
      case "ada opens a list": {
        const screen = screens[each.tab] as Screen;
        const query = queryOf(each.list);
        screen.lists.push({ query, close: screen.inbox.openList(query) });
        return;
      }
      case "ada closes a list":
        screens[each.tab]?.lists.shift()?.close();
        return;
      case "ada opens a conversation": {
        const screen = screens[each.tab] as Screen;
        const id = conversations[each.visitor];
        if (id && !screen.threads.has(id)) screen.threads.set(id, screen.inbox.openConversation(id));
        return;
      }
      case "ada goes on in a list": {
        const screen = screens[each.tab] as Screen;
        const [list] = screen.lists;
        if (list) void screen.inbox.loadMore(list.query);
        return;
      }
      case "a socket breaks":
        return network.breaks();
      case "the network is cut":
        return network.cut();
      case "the network is back":
        return network.restore();
      case "an answer is lost":
        return network.losesAnAnswer();
      case "a tab is reloaded": {
        const before = screens[each.tab] as Screen;
        before.inbox.close();
        const screen = openScreen();
        screens[each.tab] = screen;
        for (const { query } of before.lists) screen.lists.push({ query, close: screen.inbox.openList(query) });
        for (const id of before.threads.keys()) screen.threads.set(id, screen.inbox.openConversation(id));
        return;
      }
      case "a moment passes":
        return new Promise((resolve) => setTimeout(resolve, each.ms));
      case "all is quiet":
        return allIsQuiet();
      default:
        each satisfies never;
    }
  }

  async function erased(index: number, isWholeContact: boolean): Promise<void> {
    const [contactId, conversationId] = [contacts[index], conversations[index]];
    if (!contactId || !conversationId) return;
    await service.erases(isWholeContact ? { contactId } : { conversationId });
    conversations[index] = undefined;
    gone.push(conversationId);
    sent = sent.filter((message) => message.conversationId !== conversationId);
    happened.erased += 1;
  }

  async function benSendsFile(index: number): Promise<void> {
    const content = next("Ben");
    const attachments = [{ url: `https://files.acme.test/${encodeURIComponent(content)}` }];
    const conversation_id = conversations[index];
    if (conversation_id) await request("POST", "/api/v1/messages", { conversation_id, content, attachments });
  }

  async function filesAreOld(): Promise<void> {
    const threads = await Promise.all(conversations.flatMap((id) => (id ? freshThread(id) : [])));
    if (!threads.flat().some(({ attachments }) => attachments.length > 0)) return;
    await service.erasesFiles();
    happened.filesErased += 1;
  }

  async function visitorWrites(index: number): Promise<void> {
    const answer = await fetch(`${service.origin()}/visitor/${service.widgetId}/messages`, {
      method: "POST",
      headers: { ...service.headers, authorization: `Bearer ${tokens[index]}`, "content-type": "application/json" },
      body: JSON.stringify({ client_id: randomUUID(), content: next("Vera"), name: `Vera ${index}` }),
    });
    // Ben may have blocked them.
    if (answer.status === 403) return;
    expect(answer.status).toBe(201);
    const { message, contact } = (await answer.json()) as {
      message: { conversation_id: string };
      contact: { id: string };
    };
    conversations[index] = message.conversation_id;
    contacts[index] = contact.id;
    happened.written += 1;
  }

  async function benAsks(index: number, what: string, body: object): Promise<void> {
    const id = conversations[index];
    if (!id) return;
    const status = await request("POST", `/app/api/inbox/conversations/${id}/${what}`, body);
    // An agent who is not assigned and a tag that is not set cannot be removed; a resolved conversation cannot be snoozed.
    expect([200, 201, 404, 422]).toContain(status);
  }

  async function request(method: string, path: string, body: object): Promise<number> {
    const headers = { "x-api-key": service.ben.apiKey, "content-type": "application/json" };
    const answer = await fetch(`${service.origin()}${path}`, { method, headers, body: JSON.stringify(body) });
    await answer.arrayBuffer();
    return answer.status;
  }

  function inputOf(action: AgentAction): object {
    if ("agent" in action) return { agent_id: service[action.agent].id };
    if ("tag" in action) return { name: action.tag };
    if (!("hours" in action)) return {};
    return action.hours === 0 ? { until_reply: true } : { until: "2026-11-21T12:00:00.000Z" };
  }

  function queryOf(list: { view: InboxQuery["view"]; unread?: true; agent?: "ada" | "ben" }): InboxQuery {
    const { view, unread, agent } = list;
    return { view, ...(unread && { unread }), ...(agent && { agent_ids: [service[agent].id] }) };
  }

  async function allIsQuiet(): Promise<void> {
    network.restore();
    for (const { inbox } of screens) {
      await expect.poll(() => inbox.getState().outbox.filter(({ refused }) => !refused), PATIENCE).toEqual([]);
      await expect.poll(() => inbox.getState().connection, PATIENCE).toBe("live");
    }
  }

  async function everythingIsThere(): Promise<void> {
    await allIsQuiet();
    for (const screen of screens) {
      for (const { query } of screen.lists) {
        // The last event may still be on its way.
        await vi.waitFor(async () => expect(listOn(screen, query)).toEqual(await freshList(screen, query)), PATIENCE);
        happened.listsCompared += 1;
      }
      for (const id of screen.threads.keys()) {
        if (gone.includes(id)) {
          const unknown = { messages: [], loaded: true, isUnknown: true };
          await vi.waitFor(() => expect(screen.inbox.getState().threads.get(id)).toMatchObject(unknown), PATIENCE);
          continue;
        }
        await vi.waitFor(async () => {
          const { threads, details } = screen.inbox.getState();
          const { messages, loaded, missingAfter } = threads.get(id) ?? {};
          expect({ messages, loaded, missingAfter, timeline: details.get(id)?.timeline }).toEqual({
            messages: await freshThread(id),
            loaded: true,
            missingAfter: null,
            timeline: await freshTimeline(id),
          });
        }, PATIENCE);
        happened.messagesCompared += screen.inbox.getState().threads.get(id)?.messages.length ?? 0;
      }
      await vi.waitFor(async () => {
        const { views } = (await get("/counts")) as { views: object };
        expect(screen.inbox.getState().counts).toEqual(views);
      }, PATIENCE);
    }
    for (const { inbox } of screens) await expect.poll(() => shownDrafts(inbox), PATIENCE).toEqual([]);
    expect(faults).toEqual([]);
    const all = (await Promise.all(conversations.map((id) => (id ? freshThread(id) : [])))).flat();
    const adas = all.map(({ content }) => content).filter((content) => content.startsWith("Ada"));
    expect(adas.toSorted()).toEqual(sent.map(({ content }) => content).toSorted());
    // What was written for an erased conversation is nowhere.
    await vi.waitFor(() => expect(gone.filter((id) => stored().includes(id))).toEqual([]), PATIENCE);
    happened.sent += sent.length;
  }

  function shownDrafts(inbox: AgentInbox) {
    const state = inbox.getState();
    return [...state.aiDrafts.keys()].flatMap((id) => aiDraftOf(state, id) ?? []);
  }

  function listOn({ inbox }: Screen, query: InboxQuery) {
    const state = inbox.getState();
    const list = state.lists.get(listKey(query));
    return { loaded: list?.loaded, conversations: list?.ids.map((id) => state.conversations.get(id)?.conversation) };
  }

  /** The service's version of it, as far as the screen has loaded. */
  async function freshList({ inbox }: Screen, query: InboxQuery) {
    const next = inbox.getState().lists.get(listKey(query))?.next ?? null;
    const end = next === null ? undefined : readCursor(next);
    const { unread, tag_ids, agent_ids, ...rest } = query;
    const search = new URLSearchParams({
      ...(rest as Record<string, string>),
      ...(tag_ids && { tag_ids: tag_ids.join() }),
      ...(agent_ids && { agent_ids: agent_ids.join() }),
      ...(unread && { unread: "true" }),
      limit: "100",
    });
    const page = (await get(`/conversations?${search}`)) as InboxList;
    const conversations = page.conversations.filter(
      (each: LiveConversation) => !end || compareInInbox(inboxCursor(each, query.order), end, query.order) <= 0,
    );
    return { loaded: true, conversations };
  }

  async function freshThread(id: string) {
    return ((await get(`/conversations/${id}/messages?limit=100`)) as InboxThread).messages;
  }

  async function freshTimeline(id: string) {
    return ((await get(`/conversations/${id}`)) as InboxConversationDetails).timeline;
  }

  /** Everything that the browser keeps. */
  function stored(): string {
    const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "");
    return keys.map((key) => `${key} ${storage.getItem(key)}`).join();
  }

  /** Fetched without the client. */
  async function get(path: string): Promise<unknown> {
    const answer = await fetch(`${service.origin()}/app/api/inbox${path}`, {
      headers: { "x-api-key": service.ada.apiKey },
    });
    expect(answer.status).toBe(200);
    return answer.json();
  }
}
