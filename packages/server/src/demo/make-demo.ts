import { randomBytes } from "node:crypto";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { deviceOf } from "@frontdesk/core/domain/user-agent";
import type { SystemActor, VisitorActor } from "../access/actor.ts";
import { hashPassword } from "../access/password.ts";
import { insertVisitorSession } from "../access/visitor-session-store.ts";
import { signInsByEmail } from "../agents/agent-store.ts";
import { createAgent } from "../agents/create-agent.ts";
import { updateAi } from "../ai/settings/update-ai.ts";
import { createChannel } from "../channels/create-channel.ts";
import type { ContactDetails } from "../contacts/add-contact.ts";
import { identifyVisitor } from "../contacts/identify-visitor.ts";
import { initializeContact } from "../contacts/initialize-contact.ts";
import { updateContact } from "../contacts/update-contact.ts";
import type { Operation, Runtime } from "../context.ts";
import { assignAgent } from "../conversations/assign-agent.ts";
import { rateConversation } from "../conversations/rate-conversation.ts";
import { readConversation } from "../conversations/read-conversation.ts";
import { receiveVisitorMessage } from "../conversations/receive-visitor-message.ts";
import { seeMessages } from "../conversations/see-messages.ts";
import { sendMessage } from "../conversations/send-message.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { setCustomData } from "../custom-data/set-custom-data.ts";
import { addArticle } from "../knowledge/add-article.ts";
import { OperatorError } from "../operator-error.ts";
import { createPerform, type Perform } from "../perform.ts";
import { holdContact } from "../privacy/hold-contact.ts";
import { redactMessage } from "../privacy/redact-message.ts";
import { updateRetention } from "../privacy/update-retention.ts";
import type { Progress } from "../progress.ts";
import { type StartedTeam, setupTeam } from "../setup/setup-team.ts";
import { lockSetup } from "../setup/setup-token.ts";
import type { Database, Storage } from "../storage/database.ts";
import { addTag } from "../tags/add-tag.ts";
import { removeTag } from "../tags/remove-tag.ts";
import { updateWidget } from "../widgets/update-widget.ts";
import { articles, type DemoArticle } from "./articles.ts";
import { conversations } from "./conversations/index.ts";
import { momentsOfMail } from "./mail-moments.ts";
import { DEMO_AUTHSERV_ID, DEMO_MAILBOX, mails } from "./mails.ts";
import type { Step, Thread, Visitor } from "./script.ts";
import { seededRandom } from "./seeded-random.ts";
import { DAY_MS, MINUTE_MS, type Moment, PEOPLE, type Shop, signedIn, startOf, TAG_COLORS } from "./shop.ts";
import { type DemoOriginal, momentsOfSpam } from "./spam.ts";
import { type AiEnd, DEMO_AI, findAi, speakAsAi } from "./speak-as-ai.ts";

export interface DemoOptions {
  /** The time at which the month ends, ms since the epoch: nothing in it is newer. */
  endsAt: number;
  /** The same seed and end give the same demo, except for its password and its API key. */
  seed: number;
  progress: Progress;
}

export interface Demo extends Required<Omit<StartedTeam, "assistantToken">> {
  ownerEmail: string;
  password: string;
  agents: number;
  contacts: number;
  conversations: number;
  /** Including notes. */
  messages: number;
  /** Including drafts. */
  articles: number;
  /** The contents of its files, which are not stored yet (`keep-originals.ts`). */
  originals: readonly DemoOriginal[];
}

const TEAM_NAME = "Demo shop";
const SHOP = "https://shop.example.com";
const COLLEAGUES = ["grace", "lin", "omar"] as const;

/** The shop is set up this long before the end, a little before its first visitor. */
const SETUP_DAYS = 31;
/** Before a step, in minutes: a visitor thinks, an agent looks something up, a tag is a click. */
const PAUSES = {
  write: [0.5, 5],
  reply: [0.7, 7],
  note: [0.2, 1.5],
  resolve: [0.3, 3],
  rate: [0.2, 1],
  "ai-answer": [0.05, 0.1],
  "ai-hand-over": [0.05, 0.1],
  "ai-resolve": [0.01, 0.02],
  reopen: [0.3, 3],
  correct: [0.3, 3],
  assign: [0.1, 0.5],
  tag: [0.1, 0.5],
  untag: [0.1, 0.5],
  learn: [0.2, 1],
  redact: [0.1, 0.4],
  hold: [0.3, 3],
} as const satisfies Record<Exclude<Step["does"], "wait">, readonly [least: number, most: number]>;
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
/** What the visitors' browsers would send. */
const USER_AGENTS = [
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/138.0.0.0 Mobile Safari/537.36`,
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`,
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
];
const PASSWORD_BYTES = 12;

/**
 * Fills a team of its own, "Demo shop", with a month of a small shop's conversations, by the product's own operations: each is
 * performed at its own time, in order. So events, totals and searches are what they would be. All of it is one commit: half a
 * demo is never visible.
 *
 * A repeat is refused.
 *
 * @throws OperatorError when the demo data exists already
 */
export async function makeDemo(storage: Storage, runtime: Runtime, options: DemoOptions): Promise<Demo> {
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  const passwordHash = await hashPassword(password);
  const random = seededRandom(options.seed);
  const originals: DemoOriginal[] = [];
  const moments = plan(options.endsAt, random, originals);
  const setUpAt = options.endsAt - SETUP_DAYS * DAY_MS;
  const ids = seededIds(random);
  const teamId = ids(setUpAt);

  return storage.write(teamId, async (db) => {
    await lockSetup(db);
    if (await db.first(signInsByEmail, { email_folded: foldText(PEOPLE.ada.email) })) {
      throw new OperatorError(
        "The demo team already exists. To create a new one, use a separate, empty DATA_DIR or database.",
      );
    }
    const performAt = clockedPerform(db, runtime, ids);
    const actor: SystemActor = { kind: "system", teamId };
    const team = await setUp(performAt(setUpAt), actor, passwordHash);
    const { widgetId, mailboxId, ai } = team;
    const agents = { ada: team.agentId, ...team.colleagues };
    const shop: Shop = { actor, widgetId, mailboxId, agents, ai, articles: new Map() };

    options.progress.begin(moments.length);
    for (const [index, { at, act }] of moments.entries()) {
      await act(performAt(at), shop);
      options.progress.at(index + 1);
    }
    options.progress.end();
    return { ...describe(team), password, originals };
  });
}

/** `perform` within the one open transaction, at a chosen time. */
function clockedPerform(db: Database, runtime: Runtime, ids: (at: number) => string): (at: number) => Perform {
  const inside: Storage = {
    engine: db.engine,
    first: (statement, params) => db.first(statement, params),
    read: (work) => work(db),
    write: (_teamId, work) => work(db),
    version: () => undefined,
    hear: () => () => {},
    joinServers: () => Promise.reject(new Error("Not inside a transaction.")),
    clock: () => Promise.reject(new Error("Not inside a transaction.")),
    migrate: () => Promise.reject(new Error("Not inside a transaction.")),
    purgeDeleted: () => Promise.reject(new Error("Not inside a transaction.")),
    check: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  // No consumer has to be notified: a running server looks by itself.
  const consumers = { news: () => {}, jobs: () => {} };
  return (at) => createPerform(inside, { ...runtime, now: () => at, newId: () => ids(at) }, consumers);
}

async function setUp(perform: Perform, actor: SystemActor, passwordHash: string) {
  const { ada } = PEOPLE;
  const team = await perform(actor, setupTeam, {
    teamName: TEAM_NAME,
    ownerName: ada.name,
    email: ada.email,
    passwordHash,
    widgetName: "Shop",
    apiKeyName: "demo",
  });
  await perform(actor, updateWidget, { widgetId: team.widgetId, change: { settings: { suggest_articles: true } } });
  // Longer than the month of the demo: nothing of it is erased.
  const kept = { widget_id: team.widgetId, erase_after_days: 730, files_after_days: 365, page_visits_after_days: 90 };
  await perform(actor, updateRetention, { ip_after_days: 60, widgets: [kept] });
  const colleagues = {} as Record<(typeof COLLEAGUES)[number], string>;
  for (const name of COLLEAGUES) {
    colleagues[name] = (await perform(actor, createAgent, { ...PEOPLE[name], passwordHash: null })).id;
  }
  const { row: mailbox } = await perform(actor, createChannel, {
    ...{ channel: "email", widgetId: team.widgetId, name: "Support mailbox" },
    settings: { address: DEMO_MAILBOX, inbound: { kind: "http" }, authserv_id: DEMO_AUTHSERV_ID },
  });
  await perform(actor, updateAi, DEMO_AI);
  const ai = await perform(actor, findAi, {});
  return { ...team, apiKey: String(team.apiKey), colleagues, mailboxId: mailbox.id, ai };
}

/** Every step of every thread, every mail and every article with its time, oldest first. */
function plan(endsAt: number, random: () => number, originals: DemoOriginal[]): Moment[] {
  const moments = [
    ...conversations.flatMap((thread) => momentsOf(thread, endsAt, random)),
    ...mails.flatMap((mail) => momentsOfMail(mail, endsAt)),
    ...momentsOfSpam(endsAt, originals),
    ...articles.map((article) => momentOf(article, endsAt)),
  ];
  const late = moments.find(({ at }) => at > endsAt);
  if (late) throw new Error(`The demo would write ${(late.at - endsAt) / MINUTE_MS} minutes into the future.`);
  return moments.sort((one, other) => one.at - other.at);
}

function momentsOf({ visitor, start, pages, script }: Thread, endsAt: number, random: () => number): Moment[] {
  let at = startOf(start, endsAt);
  const lastVisit = script.findLast(({ does }) => does === "write" || does === "rate");
  const known: SoFar = { contactId: "", conversationId: "", messageId: "", written: "", unread: false, unseen: false };
  const details = detailsOf(visitor, random);
  const arrived = at;
  const moments: Moment[] = [
    {
      at,
      async act(perform, shop) {
        const { actor, widgetId } = shop;
        // A minute for each page, the last of them when the visitor arrives.
        const pageVisits = pages.map((page, index) => ({
          page: SHOP + page,
          visitedAt: arrived - (pages.length - 1 - index) * MINUTE_MS,
        }));
        const made = await perform(actor, initializeContact, { widgetId, details, pageVisits, message: undefined });
        known.contactId = made.contact.id;
        if (visitor.customer) await perform(visitorOf(known, shop), beVouchedFor, visitor);
      },
    },
  ];
  for (const step of script) {
    if (step.does === "wait") {
      at += step.minutes * MINUTE_MS;
      continue;
    }
    const [least, most] = PAUSES[step.does];
    at += Math.round((least + random() * (most - least)) * MINUTE_MS);
    moments.push({
      at,
      async act(perform, shop) {
        if (step === lastVisit && known.unseen) await see(known, perform, shop);
        if (known.unread && opens(step)) await read(known, perform, shop);
        await take(step, known, perform, shop);
      },
    });
  }
  return moments;
}

/** The state of a thread so far. */
interface SoFar {
  contactId: string;
  conversationId: string;
  /** The last one that the visitor has written. */
  messageId: string;
  /** Its text. */
  written: string;
  /** Whether the team has not read what the visitor has written. */
  unread: boolean;
  /** Whether the visitor has not seen a reply. */
  unseen: boolean;
}

async function take(step: Exclude<Step, { does: "wait" }>, known: SoFar, perform: Perform, shop: Shop): Promise<void> {
  const { widgetId, agents } = shop;
  const actor = "agent" in step ? signedIn(step.agent, shop) : shop.actor;
  const { contactId, conversationId } = known;
  switch (step.does) {
    case "write": {
      const written = await perform(actor, receiveVisitorMessage, { widgetId, contactId, content: step.text });
      known.conversationId = written.message.conversation_id;
      known.messageId = written.message.id;
      known.written = step.text;
      known.unread = true;
      return;
    }
    case "reply":
    case "note": {
      const attachments = step.files.map((file) => ({ url: SHOP + file, name: file.split("/").at(-1) }));
      const type = step.does === "reply" ? "message" : "note";
      await perform(actor, sendMessage, {
        conversationId,
        type,
        content: step.text,
        agentId: agents[step.agent],
        attachments,
      });
      if (type === "message") Object.assign(known, { unread: false, unseen: true });
      return;
    }
    case "ai-answer":
    case "ai-hand-over":
    case "ai-resolve":
      await perform(shop.ai, speakAsAi, { conversationId, asked: known.written, end: endOf(step, shop) });
      if (step.does !== "ai-resolve") known.unseen = true;
      return;
    case "resolve":
    case "reopen": {
      const status = step.does === "resolve" ? "resolved" : "open";
      await perform(actor, setConversationStatus, { conversationId, status, agentId: agents[step.agent] });
      return;
    }
    case "rate": {
      const { rating, comment } = step;
      await perform(visitorOf(known, shop), rateConversation, { conversationId, rating, comment });
      return;
    }
    case "assign": {
      const by = { agentId: agents[step.agent] };
      await perform(actor, assignAgent, { conversationId, agentId: agents[step.to], by });
      return;
    }
    case "tag":
    case "untag": {
      const tag = { conversationId, name: step.tag, by: { agentId: agents[step.agent] } };
      if (step.does === "tag") await perform(actor, addTag, { ...tag, color: TAG_COLORS[step.tag] });
      else await perform(actor, removeTag, tag);
      return;
    }
    case "learn": {
      const { name, value } = step;
      const by = { agentId: agents[step.agent] };
      await perform(actor, setCustomData, { contactId, name, value, mustExist: false, by });
      return;
    }
    case "redact":
      await perform(actor, redactMessage, { messageId: known.messageId, reason: step.reason });
      return;
    case "hold":
      await perform(actor, holdContact, { contactId, reason: step.reason, until: undefined });
      return;
    case "correct":
      await perform(actor, updateContact, { contactId, change: step.change });
      return;
    default:
      return step satisfies never;
  }
}

function endOf(
  step: Extract<Step, { does: "ai-answer" | "ai-hand-over" | "ai-resolve" }>,
  { articles: written }: Shop,
): AiEnd {
  switch (step.does) {
    case "ai-answer": {
      const { article: title, text } = step;
      const article_id = written.get(title);
      if (!article_id) throw new Error(`The demo has no article "${title}" yet.`);
      return { does: "say", act: "answer", reason: "grounded", text, sources: [{ article_id, title, url: null }] };
    }
    case "ai-hand-over":
      return { does: "hand-over", reason: "asked-for-human" };
    case "ai-resolve":
      return { does: "resolve", outcome: step.outcome };
    default:
      return step satisfies never;
  }
}

/** Whether an agent has to open a conversation for it; a reply reads the conversation by itself. */
const opens = (step: Step): boolean => "agent" in step && step.does !== "reply";

async function read(known: SoFar, perform: Perform, { actor }: Shop): Promise<void> {
  const { conversationId } = known;
  await perform(actor, readConversation, { conversationId, sortNumber: undefined });
  known.unread = false;
}

/** The visitor sees all replies. */
async function see(known: SoFar, perform: Perform, shop: Shop): Promise<void> {
  const { conversationId } = known;
  await perform(visitorOf(known, shop), seeMessages, { conversationId, sortNumber: Number.MAX_SAFE_INTEGER });
  known.unseen = false;
}

/** The visitor in the browser they wrote from. No token has this hash, so no one else can use their session. */
function visitorOf({ contactId }: SoFar, { actor: { teamId }, widgetId }: Shop): VisitorActor {
  return { kind: "visitor", teamId, widgetId, contactId, tokenHash: `demo ${contactId}`, verifiedUntil: undefined };
}

/** The shop's page says who the visitor is, as it does of customers who are signed in. */
const beVouchedFor: Operation<Visitor, void> = {
  name: "identify-visitor",
  mode: "write",
  async run(ctx, { customer = "", name, email, phone }) {
    const { tokenHash, contactId, widgetId } = ctx.actor as VisitorActor;
    ctx.write(insertVisitorSession, {
      ...{ team_id: ctx.teamId, token_hash: tokenHash, contact_id: String(contactId), vouched_by: widgetId },
      ...{ verified_until: null, created_at: ctx.now },
    });
    const until = ctx.now + DAY_MS;
    const identity = { id: customer, name, email, phone, data: new Map(), until };
    await identifyVisitor.run(ctx, { identity, page: {} });
  },
};

function momentOf({ by, written, question, answer, draft }: DemoArticle, endsAt: number): Moment {
  return {
    at: startOf(written, endsAt),
    async act(perform, { actor, agents, articles: written }) {
      const of = { question, answer, isPublished: !draft, by: { agentId: agents[by] } };
      written.set(question, (await perform(actor, addArticle, of)).id);
    },
  };
}

/** Nothing but what live chat collects: the demo promises no more than real visitors show. */
function detailsOf({ name, email, phone, from }: Visitor, random: () => number): ContactDetails {
  const { browser, system } = deviceOf({ "user-agent": USER_AGENTS[Math.floor(random() * USER_AGENTS.length)] });
  return { ...from, name, email, phone, browser_type: browser, operating_system: system };
}

function describe({
  colleagues: _colleagues,
  mailboxId: _mailboxId,
  ai: _ai,
  ...team
}: StartedTeam & { apiKey: string; colleagues: object; mailboxId: string; ai: object }) {
  const written = conversations
    .flatMap(({ script }) => script)
    .filter(({ does }) => ["write", "reply", "note", "ai-answer", "ai-hand-over"].includes(does));
  const notes = mails.filter(({ handled }) => handled);
  const threads = conversations.length + mails.filter(({ answers }) => answers === undefined).length;
  return {
    ...team,
    ownerEmail: PEOPLE.ada.email,
    agents: Object.keys(PEOPLE).length,
    contacts: threads,
    conversations: threads,
    messages: written.length + mails.length + notes.length,
    articles: articles.length,
  };
}

/** UUIDv7 ids that rise within the demo, and are the same for a seed. */
function seededIds(random: () => number): (at: number) => string {
  let lastMs = 0;
  let count = 0;
  const bits = (length: number) => Math.floor(random() * 2 ** length);
  return (at) => {
    count = at > lastMs ? 0 : count + 1;
    lastMs = Math.max(lastMs, at);
    const time = lastMs.toString(16).padStart(12, "0");
    const hex = (value: number, length: number) => value.toString(16).padStart(length, "0");
    const variant = hex(0x8000 + bits(14), 4);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(count, 3)}-${variant}-${hex(bits(24), 6)}${hex(bits(24), 6)}`;
  };
}
