/**
 * The built-in AI of server processes, on a scripted model, and what must be true of its turns whatever happens to the
 * processes (docs/decisions/0075-turns-of-the-ai.md). Read from the tables themselves, and not through the product.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Storage } from "../../src/storage/database.ts";
import type { AiRunRow, ConversationRow, MessageRow } from "../../src/storage/tables.ts";
import { call } from "./counting-subscriber.ts";
import { rowsOf } from "./disorder.ts";
import type { Fault } from "./kill-while-writing.ts";
import { newServerProcess, type ServerProcess, type SetUpTeam } from "./server-process.ts";

const ARTICLES = {
  "How long does a parcel take?": "Parcels arrive within 3 working days.",
  "Which banks can I pay with?": "You can pay with every bank of the euro area.",
  "Where is the warehouse?": "The warehouse is in Rotterdam, near the harbour.",
};
/** What articles answer, each otherwise: the AI gives no answer twice. */
export const ANSWERED = Object.keys(ARTICLES);
/** What no article answers, and what needs no model. */
export const UNANSWERED = ["Do you sell gift cards?", "I want to talk to a human"];

const POLL_MS = 50;
/** Turns that have not ended by then never will. */
const PATIENCE_MS = 120_000;

/** Servers on the same data, all running. On SQLite a folder of its own holds it. */
export async function startServers(
  count: number,
  postgresUrl: string | undefined,
  settings: Record<string, string>,
): Promise<{ servers: ServerProcess[]; remove(): Promise<void> }> {
  const shared = { SECRET_KEY: randomBytes(32).toString("base64"), ...settings };
  const first = await newServerProcess(postgresUrl, shared);
  const data = first.databaseUrl ? { DATABASE_URL: first.databaseUrl } : { DATA_DIR: first.dataDir };
  const servers = [first];
  while (servers.length < count) servers.push(await newServerProcess(undefined, { ...shared, ...data }));
  await Promise.all(servers.map((server) => server.start()));
  return {
    servers,
    async remove() {
      for (const server of servers.toReversed()) await server.remove();
    },
  };
}

/** Switches the AI of a team on, with its articles: their answers by their questions. */
export async function switchAiOn(
  server: ServerProcess,
  team: SetUpTeam,
  change: object = {},
  articles: Record<string, string> = ARTICLES,
): Promise<void> {
  await call(server, team, "/ai", { is_active: true, name: "Robin", ...change }, "PATCH");
  for (const [question, answer] of Object.entries(articles))
    await call(server, team, "/articles", { question, answer, is_published: true });
}

/** A visitor writes; a new one without `contactId`. */
export async function ask(
  server: ServerProcess,
  team: SetUpTeam,
  content: string,
  contactId?: string,
): Promise<{ conversationId: string; contactId: string }> {
  const body = { widget_id: team.widgetId, content, ...(contactId && { contact_id: contactId }) };
  const { attributes } = (await call(server, team, "/conversations", body)).data;
  return { conversationId: attributes.conversation_id, contactId: attributes.contact.id };
}

/** Resolves when no turn of the team, or of the conversation, is due or under way. */
export async function turnsEnd(storage: Storage, { teamId }: SetUpTeam, conversationId?: string): Promise<void> {
  const from = performance.now();
  const which = `team_id = '${teamId}'${conversationId ? ` AND conversation_id = '${conversationId}'` : ""}`;
  const left = () => storage.read((db) => rowsOf<object>(db, `SELECT * FROM ai_turns WHERE ${which}`));
  for (let turns = await left(); turns.length > 0; turns = await left()) {
    if (performance.now() - from > PATIENCE_MS) throw new Error(`Turns have not ended: ${JSON.stringify(turns)}`);
    await delay(POLL_MS);
  }
}

/** A fault after which the 15 seconds are skipped for which a dead process holds its turns. */
export function afterTheTurns(server: ServerProcess, fault: Fault): Fault {
  return {
    strike: fault.strike,
    async mend() {
      const storage = server.open();
      await storage.write(null, (db) => rowsOf(db, "UPDATE ai_turns SET lease_until = 0 WHERE claim IS NOT NULL"));
      await storage.close();
      return fault.mend();
    },
  };
}

export interface EndedTurns {
  problems: string[];
  conversations: Set<string>;
  answered: number;
  handedOver: number;
}

/**
 * What the AI has made of a team's conversations, once no turn is left. Each of these must be so in all of them:
 *
 * - what a visitor has written is followed by one message of the AI, and none of it stands without
 * - each message of the AI is the end of one run, and has one event
 * - a handoff is asked for once, with words
 * - no run begins before the one before it has ended
 */
export async function endedTurns(storage: Storage, { teamId }: SetUpTeam): Promise<EndedTurns> {
  const of = <Row>(table: string, more = "") =>
    storage.read((db) => rowsOf<Row>(db, `SELECT * FROM ${table} WHERE team_id = '${teamId}' ${more}`));
  const messages = await of<MessageRow>("messages", "AND type = 'message' ORDER BY sort_number");
  const runs = await of<AiRunRow>("ai_runs", "ORDER BY created_at, id");
  const events = await of<{ name: string; conversation_id: string; data: string }>("events");
  const ended: EndedTurns = { problems: [], conversations: new Set(), answered: 0, handedOver: 0 };
  for (const conversation of await of<ConversationRow>("conversations")) {
    const { id } = conversation;
    const own = <Row extends { conversation_id: string }>(rows: Row[]) =>
      rows.filter(({ conversation_id }) => conversation_id === id);
    const here = { conversation, messages: own(messages), runs: own(runs), events: own(events) };
    ended.problems.push(...wrongTurns(here).map((problem) => `Conversation ${id}: ${problem}`));
    ended.conversations.add(id);
    ended.answered += here.runs.filter(({ outcome }) => outcome === "answered").length;
    ended.handedOver += here.runs.filter(({ outcome }) => outcome === "handed-over").length;
  }
  return ended;
}

function wrongTurns({
  conversation,
  messages,
  runs,
  events,
}: {
  conversation: ConversationRow;
  messages: MessageRow[];
  runs: AiRunRow[];
  events: { name: string }[];
}): string[] {
  const problems: string[] = [];
  const isOfAi = (message: MessageRow | undefined) => message?.sent_via === "ai";
  const voices = messages.map((message) => (isOfAi(message) ? "AI" : "visitor")).join(", ");
  if (!isOfAi(messages.at(-1))) problems.push(`the visitor is not answered: ${voices}.`);
  if (messages.some((message, index) => isOfAi(message) && isOfAi(messages[index - 1])))
    problems.push(`answered twice: ${voices}.`);

  const said = messages.filter(isOfAi).map(({ id }) => id);
  const ended = runs.filter(({ outcome }) => outcome !== "dropped");
  if (
    said.toSorted().join() !==
    ended
      .map(({ message_id }) => String(message_id))
      .toSorted()
      .join()
  )
    problems.push(`${said.length} messages of the AI, and ${ended.length} runs that have said something.`);
  const count = (name: string) => events.filter((event) => event.name === name).length;
  if (count("message.sent") !== said.length)
    problems.push(`${count("message.sent")} events of ${said.length} messages.`);

  const handoffs = ended.filter(({ outcome }) => outcome === "handed-over").length;
  const asked = count("handoff.requested");
  const isHandedOver = conversation.speaker === "waiting" && conversation.handoff_requested_at !== null;
  if (handoffs > 1 || asked !== handoffs || isHandedOver !== (handoffs === 1))
    problems.push(`${handoffs} handoffs, ${asked} events of one, and ${conversation.speaker} speaks.`);

  const begun = (run: AiRunRow | undefined) => Number(run?.created_at) - Number(run?.milliseconds);
  if (runs.some((run, index) => index > 0 && begun(run) < Number(runs[index - 1]?.created_at)))
    problems.push(
      `two runs at a time: ${JSON.stringify(runs.map((run) => [begun(run), run.created_at, run.reason]))}.`,
    );
  return problems;
}
