/**
 * A team whose built-in AI is seen to write: visitors whom articles answer, or none does, who want a person, and who come back
 * once their conversation was resolved; and an agent who joins in amid an answer. All have the clients of their screens, which in
 * the end must have what a fresh fetch gives.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { InboxConversationDetails, InboxCounts, InboxList, InboxThread } from "@frontdesk/core/contract/inbox";
import type { Chat, ChatMessage } from "@frontdesk/core/contract/visitor";
import { PATIENT } from "@frontdesk/testing/patient";
import { query } from "@frontdesk/testing/second-app";
import { expect, vi } from "vitest";
import { type AgentInbox, createAgentInbox } from "../packages/client/src/agent-inbox.ts";
import { standingDraft } from "../packages/client/src/ai-draft.ts";
import { aiDraftOf } from "../packages/client/src/ai-drafts-in-inbox.ts";
import { listKey } from "../packages/client/src/inbox-state.ts";
import { tellingStorage } from "../packages/client/src/storage-for-tests.ts";
import { shakyNetwork } from "../packages/client/src/visit-for-tests.ts";
import { createVisitorChat, type VisitorChat } from "../packages/client/src/visitor-chat.ts";
import type { Storage } from "../packages/server/src/storage/database.ts";
import type { SetUpTeam } from "../packages/server/test/attack/server-process.ts";
import { ANSWERED, UNANSWERED } from "../packages/server/test/attack/turns-of-ai.ts";

const TEXTS = [
  "Parcels arrive within 3 working days. Parcels to an island take one day longer. Each parcel can be followed on its way.",
  "You can pay with every bank of the euro area. A transfer takes one day. Cards of all these banks are taken too.",
  "The warehouse is in Rotterdam, near the harbour. It opens at nine on working days. A bus stops in front of it.",
];
/** Answers of several sentences: the first is seen while the model writes the others. */
export const LONG_ARTICLES = Object.fromEntries(ANSWERED.map((question, at) => [question, TEXTS[at] as string]));

const POLL_MS = 20;
const BURST_MS = 300;
const ALL: { view: "all" } = { view: "all" };

/** A visitor's tab. */
interface Visitor {
  chat: VisitorChat;
  written: string[];
  token(): string;
}

export interface ChatsWithAi {
  /** Further visitors chat, each at least so often, until `isOver`. */
  chat(visitors: number, chats: number, isOver: () => boolean): Promise<void>;
  /** How many drafts visitors and agents have been shown. */
  drafts(): { visitors: number; agents: number };
  /** Streams that were opened beyond one a screen. */
  reconnects(): number;
  /** Compares each screen with what the service has. All chats and turns have ended. */
  areAsFetched(): Promise<void>;
  /** What the visitors have written. */
  written(): string[];
  close(): void;
}

/** @param origins the servers; requests and streams go to one after the other, as a balancer of load sends them */
export function openChats(origins: readonly string[], team: SetUpTeam): ChatsWithAi {
  const origin = origins[0] as string;
  const visitors: Visitor[] = [];
  const opened: { socketsOpened: number }[] = [];
  const seen = { visitors: new Set<string>(), agents: new Set<string>() };
  const faults: string[] = [];
  let begun = 0;
  const inboxes = [openInbox(0), openInbox(1)];
  const ada = joiningAgent(inboxes[0] as AgentInbox);

  return {
    async chat(count, least, isOver) {
      const chats = Array.from({ length: count }, async () => {
        let visitor = openVisitor();
        for (let done = 0; done < least || !isOver(); done += 1) {
          // A conversation stays as short as the page that is fetched of it.
          if (done > 0 && done % WAYS.length === 0) visitor = openVisitor();
          const number = begun++;
          await WAYS[number % WAYS.length]?.(visitor, ada, number);
        }
      });
      await Promise.all(chats);
    },
    drafts: () => ({ visitors: seen.visitors.size, agents: seen.agents.size }),
    reconnects: () => opened.reduce((sum, { socketsOpened }) => sum + socketsOpened, 0) - opened.length,
    async areAsFetched() {
      expect(faults).toEqual([]);
      const fresh = freshFetch(origin, team);
      for (const visitor of visitors) await vi.waitFor(() => fresh.isShownTo(visitor), PATIENT);
      for (const inbox of inboxes) await vi.waitFor(() => fresh.isShownIn(inbox), PATIENT);
      expect(faults).toEqual([]);
    },
    written: () => visitors.flatMap(({ written }) => written),
    close() {
      for (const { chat } of visitors) chat.close();
      for (const inbox of inboxes) inbox.close();
    },
  };

  /** Of one screen, which shares its stream with no other. */
  function newBrowser() {
    let turn = opened.length;
    const network = shakyNetwork({ origin: () => origins[turn++ % origins.length] as string, headers: {} });
    opened.push(network.happened);
    return { ...network.parts, ...tellingStorage(), locks: undefined, channel: undefined };
  }

  function openInbox(screen: number): AgentInbox {
    const inbox = createAgentInbox({ origin, me: team.agentId, apiKey: team.apiKey, browser: newBrowser() });
    inbox.subscribe(() => {
      const state = inbox.getState();
      for (const [id, { seq }] of state.aiDrafts) {
        if (!aiDraftOf(state, id)) continue;
        seen.agents.add(`${screen}: ${seq}`);
        const newest = state.threads.get(id)?.messages.findLast(({ type }) => type === "message");
        if (newest?.from === "agent") faults.push(`An agent is shown a draft under ${newest.content}`);
      }
    });
    inbox.open();
    inbox.openList(ALL);
    return inbox;
  }

  function openVisitor(): Visitor {
    const browser = newBrowser();
    const chat = createVisitorChat({ origin, widgetId: team.widgetId, browser });
    const number = visitors.length;
    chat.subscribe(({ messages, draft }) => {
      if (!draftIn(chat)) return;
      seen.visitors.add(`${number}: ${draft?.seq}`);
      const newest = messages.at(-1);
      if (newest?.from === "agent") faults.push(`A visitor is shown a draft under ${newest.content}`);
    });
    chat.open();
    const token = () => String(browser.storage?.getItem(`frontdesk:${team.widgetId}:token`));
    const visitor = { chat, written: [], token };
    visitors.push(visitor);
    return visitor;
  }

  /** An agent who opens each conversation that she joins, and so does the other screen. */
  function joiningAgent(inbox: AgentInbox): Agent {
    let lines = 0;
    return {
      opens(conversationId) {
        for (const each of inboxes) each.openConversation(conversationId);
      },
      says(conversation_id) {
        lines += 1;
        const content = `Ada ${lines}`;
        inbox.send({ conversation_id, type: "message", content, anyway: true });
        return content;
      },
      async does(conversationId, action) {
        while ((await inbox.act([conversationId], action, {})).done.length === 0) await delay(POLL_MS);
      },
    };
  }
}

/** What the service has, fetched without the clients: a screen must show the same. */
function freshFetch(origin: string, team: SetUpTeam) {
  return { isShownTo, isShownIn };

  async function isShownTo({ chat, token }: Visitor): Promise<void> {
    const fresh = await fetched<Chat>(`/visitor/${team.widgetId}/chat?limit=100`, {
      authorization: `Bearer ${token()}`,
    });
    const { contact, conversation, messages, outbox } = chat.state;
    expect({ contact, conversation, messages, outbox, draft: draftIn(chat) }).toEqual({
      ...{ contact: fresh.contact, conversation: fresh.conversation, messages: fresh.messages.toReversed() },
      ...{ outbox: [], draft: null },
    });
  }

  async function isShownIn(inbox: AgentInbox): Promise<void> {
    const { conversations: fresh } = await ofInbox<InboxList>("/conversations?view=all&limit=100");
    const { views } = await ofInbox<InboxCounts>("/counts");
    const state = inbox.getState();
    const { ids = [], next = null } = state.lists.get(listKey(ALL)) ?? {};
    const shown = ids.map((id) => state.conversations.get(id)?.conversation);
    // As far as the screen has loaded the list.
    const listed = next === null ? fresh : fresh.slice(0, ids.length);
    expect({ shown, counts: state.counts, outbox: state.outbox }).toEqual({ shown: listed, counts: views, outbox: [] });
    for (const { id } of fresh) {
      const { messages } = await ofInbox<InboxThread>(`/conversations/${id}/messages?limit=100`);
      const { timeline } = await ofInbox<InboxConversationDetails>(`/conversations/${id}`);
      const thread = { messages: state.threads.get(id)?.messages, timeline: state.details.get(id)?.timeline };
      expect({ ...thread, draft: aiDraftOf(state, id) }).toEqual({ messages, timeline, draft: null });
    }
  }

  function ofInbox<Body>(path: string): Promise<Body> {
    return fetched(`/app/api/inbox${path}`, { "x-api-key": team.apiKey });
  }

  /** Without the clients. */
  async function fetched<Body>(path: string, headers: Record<string, string>): Promise<Body> {
    const answer = await fetch(`${origin}${path}`, { headers });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Body;
  }
}

interface Agent {
  opens(conversationId: string): void;
  /** Returns what she writes. */
  says(conversationId: string): string;
  does(conversationId: string, action: "resolve" | "take-over" | "return-to-assistant"): Promise<void>;
}

/** From a visitor's question to the end of its conversation, which the next one reopens. */
type Way = (visitor: Visitor, ada: Agent, number: number) => Promise<void>;

const answered: Way = async (visitor, ada, number) => {
  const id = asks(visitor, ada, ANSWERED[number % ANSWERED.length] as string);
  await becomes(() => repliesTo(visitor, id).length > 0);
  await ends(visitor, ada);
};

const askedTwice: Way = async (visitor, ada, number) => {
  asks(visitor, ada, ANSWERED[number % ANSWERED.length] as string);
  await delay(BURST_MS);
  const id = asks(visitor, ada, ANSWERED[(number + 1) % ANSWERED.length] as string);
  await becomes(() => repliesTo(visitor, id).length > 0);
  await ends(visitor, ada);
};

const handedOver: Way = async (visitor, ada, number) => {
  const id = asks(visitor, ada, UNANSWERED[number % UNANSWERED.length] as string);
  await becomes(() => repliesTo(visitor, id).length > 0);
  await joins(visitor, ada);
  await ends(visitor, ada);
};

const joined: Way = async (visitor, ada, number) => {
  const id = asks(visitor, ada, ANSWERED[number % ANSWERED.length] as string);
  await becomes(() => draftIn(visitor.chat) ?? repliesTo(visitor, id).length > 0);
  await joins(visitor, ada);
  await ends(visitor, ada);
};

const wantsPerson: Way = async (visitor, ada, number) => {
  const id = asks(visitor, ada, ANSWERED[number % ANSWERED.length] as string);
  await becomes(() => draftIn(visitor.chat) ?? repliesTo(visitor, id).length > 0);
  await becomes(() => visitor.chat.askForPerson());
  await joins(visitor, ada);
  await ends(visitor, ada);
};

const takenOver: Way = async (visitor, ada, number) => {
  const id = asks(visitor, ada, ANSWERED[number % ANSWERED.length] as string);
  await becomes(() => draftIn(visitor.chat) ?? repliesTo(visitor, id).length > 0);
  const conversationId = conversationOf(visitor);
  await ada.does(conversationId, "take-over");
  await ada.does(conversationId, "return-to-assistant");
  await becomes(() => repliesTo(visitor, id).length > 0);
  await ends(visitor, ada);
};

const WAYS: readonly Way[] = [answered, joined, handedOver, takenOver, wantsPerson, askedTwice];

/** Returns the id of the message. */
function asks({ chat, written }: Visitor, ada: Agent, content: string): string {
  written.push(content);
  const before = chat.state.conversation;
  const id = chat.send({ content });
  // From their first message on.
  if (!before) void becomes(() => chat.state.conversation).then(() => ada.opens(String(chat.state.conversation?.id)));
  return id;
}

async function joins(visitor: Visitor, ada: Agent): Promise<void> {
  const said = ada.says(conversationOf(visitor));
  await becomes(() => visitor.chat.state.messages.some(({ content }) => content === said));
}

/** The visitor says that an answer of the AI has helped; else Ada resolves. */
async function ends(visitor: Visitor, ada: Agent): Promise<void> {
  const shown = () => visitor.chat.state.conversation;
  if (shown()?.speaker === "ai") await becomes(() => visitor.chat.confirmHelped());
  // Nothing was resolved where another has taken the word.
  if (!shown()?.is_resolved) await ada.does(conversationOf(visitor), "resolve");
  await becomes(() => shown()?.is_resolved);
}

const becomes = (condition: () => unknown) => expect.poll(condition, { interval: POLL_MS }).toBeTruthy();
const conversationOf = ({ chat }: Visitor) => String(chat.state.conversation?.id);
const draftIn = ({ state: { draft, conversation, messages } }: VisitorChat) =>
  standingDraft(draft, conversation, messages.at(-1)?.sort_number ?? 0);

/** What the team has written since the message. */
function repliesTo({ chat }: Visitor, clientId: string): ChatMessage[] {
  const { messages } = chat.state;
  const at = messages.findIndex(({ client_id }) => client_id === clientId);
  return at < 0 ? [] : messages.slice(at + 1).filter(({ from }) => from === "agent");
}

/**
 * What the AI has made of a team's conversations in which agents join, read from the tables. Each of these must be so in all:
 *
 * - what it says answers something that the visitor has written since the last reply
 * - each of its messages is the end of one run, and has one event
 * - a visitor's last message has a reply
 */
export async function saidByAi(storage: Storage, { teamId }: SetUpTeam) {
  const of = (table: string, more = "") =>
    query(storage, `SELECT * FROM ${table} WHERE team_id = '${teamId}' ${more}`) as Promise<Record<string, unknown>[]>;
  const messages = await of("messages", "AND type = 'message' ORDER BY conversation_id, sort_number");
  const kinds = new Map((await of("ai_messages")).map(({ message_id, kind }) => [message_id, kind]));
  const problems: string[] = [];
  let isAsked = false;
  for (const [at, { id, conversation_id, agent_id }] of messages.entries()) {
    const next = messages[at + 1];
    const isLast = next?.conversation_id !== conversation_id;
    // The wish for a person is answered although nothing was written.
    if (kinds.has(id) && kinds.get(id) !== "handoff" && !isAsked) problems.push(`Nothing was asked before ${id}.`);
    isAsked = agent_id === null;
    if (isLast && isAsked) problems.push(`${id} has no reply.`);
    if (isLast) isAsked = false;
  }
  const said = [...kinds.keys()].map(String).toSorted();
  const runs = await of("ai_runs");
  const ends = runs.flatMap(({ message_id }) => (message_id === null ? [] : [String(message_id)]));
  if (ends.toSorted().join() !== said.join()) problems.push(`${said.length} messages, and ${ends.length} runs.`);
  const events = (await of("events", "AND name = 'message.sent'")).map(({ data }) => JSON.parse(String(data)));
  const told = events.map(({ message }) => String(message.id)).filter((id) => kinds.has(id));
  if (told.toSorted().join() !== said.join()) problems.push(`${said.length} messages, and ${told.length} events.`);
  const withOutcome = (outcome: string) => runs.filter((run) => run.outcome === outcome).length;
  return {
    ...{ problems, answered: withOutcome("answered"), handedOver: withOutcome("handed-over") },
    ...{ helped: withOutcome("resolved"), dropped: withOutcome("dropped") },
    byVisitors: messages.filter(({ agent_id }) => agent_id === null).map(({ content }) => String(content)),
  };
}
