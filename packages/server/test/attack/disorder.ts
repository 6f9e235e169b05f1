/**
 * Whether the data is in order, read from the tables themselves and not through the product. One checker for the fuzzer,
 * the kill story, the soak and every test that leaves data behind.
 */
import { periodOf, type TimedList } from "../../src/lists/list-start.ts";
import type { Database, Storage } from "../../src/storage/database.ts";
import { textStatement } from "../../src/storage/statement.ts";
import type {
  AgentRow,
  AttachmentRow,
  ConversationRow,
  EventRow,
  ListCountRow,
  MessageRow,
  TeamCountersRow,
} from "../../src/storage/tables.ts";

/** More of one kind add no information. */
const MOST_TOLD = 20;

/**
 * The inconsistencies in the data of every team, as sentences; empty when all is well. Reads one snapshot.
 *
 * - events are numbered 1, 2, 3 … in each team, and the counter is at the last
 * - stored totals are what counting gives
 * - every message has exactly one event with the same text and attachments, every conversation one that says it began;
 *   every such event has its row
 * - what is stored of a conversation (numbers, count, unread, newest activity, status) is what its messages and
 *   events give
 * - no row belongs to another that is not there, and (SQLite) the file and its search index are whole
 */
export async function disorderIn(storage: Storage): Promise<string[]> {
  return storage.read(async (db) => {
    const problems: string[] = [];
    for (const { team_id } of await rowsOf<{ team_id: string }>(db, "SELECT team_id FROM teams")) {
      problems.push(...(await disorderOfTeam(db, team_id)).map((problem) => `Team ${team_id}: ${problem}`));
    }
    problems.push(...(await looseEnds(db)));
    if (db.engine === "sqlite") problems.push(...(await fileDamage(db)));
    return problems;
  });
}

/** The ids of every message, contact, conversation, agent and subscription that is stored. */
export async function storedIds(storage: Storage): Promise<Set<string>> {
  return storage.read(async (db) => {
    const ids = new Set<string>();
    for (const table of ["messages", "contacts", "conversations", "agents", "webhooks", "widgets"]) {
      for (const { id } of await rowsOf<{ id: string }>(db, `SELECT id FROM ${table}`)) ids.add(id);
    }
    return ids;
  });
}

interface TeamData {
  counters: TeamCountersRow | undefined;
  events: (Omit<EventRow, "data"> & { data: EventData })[];
  conversations: ConversationRow[];
  messages: Map<string, MessageRow[]>;
  attachments: Map<string, AttachmentRow[]>;
  agents: AgentRow[];
}

/** As much of a payload as is looked at here; nothing in one that is erased, or is about to be. */
interface EventData {
  message?: { id: string; content?: string; attachments: { content: string }[] };
  conversation?: { id: string; status: string };
  agent?: { id: string };
  visitor?: { id: string };
  read_number?: number;
}

async function disorderOfTeam(db: Database, teamId: string): Promise<string[]> {
  const of = <Row>(text: string) => rowsOf<Row>(db, text.replace("TEAM", `team_id = '${teamId}'`));
  const events = await of<EventRow>("SELECT * FROM events WHERE TEAM ORDER BY number");
  const erasing = await erasingIn(of);
  const data: TeamData = {
    counters: (await of<TeamCountersRow>("SELECT * FROM team_counters WHERE TEAM"))[0],
    events: events.map((event) => ({ ...event, data: erasing(event) ? {} : (JSON.parse(event.data) as EventData) })),
    conversations: await of<ConversationRow>("SELECT * FROM conversations WHERE TEAM"),
    messages: Map.groupBy(
      (await of<MessageRow>("SELECT * FROM messages WHERE TEAM ORDER BY sort_number")).filter((row) => !erasing(row)),
      (message) => message.conversation_id,
    ),
    attachments: Map.groupBy(
      await of<AttachmentRow>("SELECT * FROM attachments WHERE TEAM ORDER BY position"),
      (attachment) => attachment.message_id,
    ),
    // Not those of channels and of the AI, which are no persons.
    agents: await of<AgentRow>("SELECT * FROM agents WHERE TEAM AND account_id IS NULL"),
  };
  const counted: Record<string, number> = {};
  for (const table of ["contacts", "conversations", "agents", "widgets", "webhooks"]) {
    // A removed widget keeps its row until its conversations are erased, and is counted no more.
    const only = { widgets: " AND removed_at IS NULL", agents: " AND account_id IS NULL" }[table] ?? "";
    counted[table] = Number((await of<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE TEAM${only}`))[0]?.n);
  }
  counted.open_conversations = data.conversations.filter(({ is_resolved }) => is_resolved === 0).length;
  const contacts = await of<{ last_active_at: number }>("SELECT last_active_at FROM contacts WHERE TEAM");
  return [
    ...wrongTotals(data, counted),
    ...wrongPeriods(data, contacts, await of<ListCountRow>("SELECT * FROM list_counts WHERE TEAM")),
    ...wrongNumbers(data),
    ...messagesWithoutEvent(data),
    ...rowsWithoutEvent(data, counted),
    ...[...wrongConversations(data)].slice(0, MOST_TOLD),
  ];
}

/** Whether a row is of what an erasure has hidden and is still to erase. */
async function erasingIn(of: <Row>(text: string) => Promise<Row[]>) {
  const contacts = await of<{ contact_id: string }>("SELECT contact_id FROM erased_contacts WHERE TEAM");
  const conversations = await of<{ conversation_id: string }>(
    "SELECT conversation_id FROM erased_conversations WHERE TEAM AND texts_up_to IS NULL",
  );
  const ids = new Set([
    ...contacts.map(({ contact_id }) => contact_id),
    ...conversations.map(({ conversation_id }) => conversation_id),
  ]);
  return (row: { contact_id: string | null; conversation_id: string | null }) =>
    ids.has(row.contact_id ?? "") || ids.has(row.conversation_id ?? "");
}

function wrongTotals({ counters }: TeamData, counted: Record<string, number>): string[] {
  if (!counters) return ["there is no row of counters."];
  return Object.entries(counted)
    .filter(([table, count]) => counters[table as "contacts"] !== count)
    .map(
      ([table, count]) => `the stored total of ${table} is ${counters[table as "contacts"]}, counting gives ${count}.`,
    );
}

/** How many rows of each list fall into each period, kept and counted. */
function wrongPeriods(
  { conversations }: TeamData,
  contacts: readonly { last_active_at: number }[],
  kept: readonly ListCountRow[],
): string[] {
  const left = new Map(kept.map(({ list, period, count }) => [`${list} of period ${period}`, Number(count)]));
  const take = (list: TimedList, time: number) => {
    const name = `${list} of period ${periodOf(time)}`;
    left.set(name, (left.get(name) ?? 0) - 1);
  };
  for (const { last_active_at } of contacts) take("contacts", last_active_at);
  for (const { is_resolved, last_message_at } of conversations) {
    take(is_resolved ? "resolved-conversations" : "open-conversations", last_message_at);
  }
  return [...left]
    .filter(([, surplus]) => surplus !== 0)
    .map(([name, surplus]) => `the kept count of ${name} is ${surplus} too many.`);
}

function wrongNumbers({ counters, events }: TeamData): string[] {
  const gap = events.findIndex(({ number }, index) => number !== index + 1);
  const problems = gap < 0 ? [] : [`event ${gap + 1} of the log has the number ${events[gap]?.number}.`];
  if (counters && counters.event_number !== events.length) {
    problems.push(`the counter of events is ${counters.event_number}, the log holds ${events.length}.`);
  }
  if (new Set(events.map(({ id }) => id)).size !== events.length) problems.push("two events have one id.");
  return problems;
}

/** Every message has one event, with what is stored; no event is of a message that is not stored. */
function messagesWithoutEvent({ events, messages, attachments }: TeamData): string[] {
  const problems: string[] = [];
  const told = new Map<string, NonNullable<EventData["message"]>>();
  for (const { name, number, data } of events) {
    if (!["message.received", "message.sent", "note.added"].includes(name) || !data.message) continue;
    if (told.has(data.message.id)) problems.push(`message ${data.message.id} is told twice, by event ${number} too.`);
    told.set(data.message.id, data.message);
  }
  const stored = [...messages.values()].flat().filter(({ type }) => type !== "system");
  for (const { id, content } of stored) {
    const event = told.get(id);
    const urls = (attachments.get(id) ?? []).map(({ url }) => url);
    if (!event) problems.push(`message ${id} has no event.`);
    else if ((event.content ?? "") !== (content ?? "")) problems.push(`message ${id} has another text than its event.`);
    else if (JSON.stringify(event.attachments.map((one) => one.content)) !== JSON.stringify(urls)) {
      problems.push(`message ${id} has other attachments than its event.`);
    }
    told.delete(id);
  }
  for (const id of told.keys()) problems.push(`message ${id} is told by an event and is not there.`);
  return problems.slice(0, MOST_TOLD);
}

/** Every row that is created has one event of it, and every such event has its row. */
function rowsWithoutEvent({ events, conversations, agents }: TeamData, counted: Record<string, number>): string[] {
  const problems: string[] = [];
  const named = (...names: string[]) => events.filter(({ name }) => names.includes(name));
  const same = (what: string, stored: string[], told: string[]) => {
    const missing = new Set(stored).symmetricDifference(new Set(told));
    if (missing.size > 0 || stored.length !== told.length) {
      problems.push(
        `${stored.length} ${what} are stored, ${told.length} are told; apart: ${[...missing].slice(0, 3)}.`,
      );
    }
  };
  same(
    "conversations",
    conversations.map(({ id }) => id),
    named("conversation.created").flatMap(({ data }) => data.conversation?.id ?? []),
  );
  same(
    "agents",
    agents.map(({ id }) => id),
    named("agent.created", "agent.invited").flatMap(({ data }) => data.agent?.id ?? []),
  );
  const contacts = named("contact.created").filter(({ data }) => Object.keys(data).length > 0).length;
  if (contacts !== counted.contacts) problems.push(`${counted.contacts} contacts are stored, ${contacts} are told.`);
  const webhooks = named("webhook.created").length - named("webhook.deleted").length;
  if (webhooks !== counted.webhooks) problems.push(`${counted.webhooks} webhooks are stored, ${webhooks} are told.`);
  return problems;
}

function* wrongConversations(team: TeamData): Generator<string> {
  const { events, conversations, messages, attachments } = team;
  const unread = unreadByLog(team);
  const statuses = new Map<string, string>();
  for (const { name, data } of events) {
    if (!/^conversation\.(created|resolved|reopened)$/.test(name) || !data.conversation) continue;
    statuses.set(data.conversation.id, name === "conversation.resolved" ? "resolved" : "open");
  }
  for (const row of conversations) {
    const all = messages.get(row.id) ?? [];
    const listed = all.filter(({ type }) => type !== "system");
    const newest = listed.at(-1);
    const tells: Record<string, [stored: unknown, counted: unknown]> = {
      message_count: [row.message_count, listed.length],
      last_sort_number: [row.last_sort_number, all.length],
      last_message_number: [row.last_message_number, newest?.sort_number],
      last_message_at: [row.last_message_at, Math.max(...listed.map(({ created_at }) => created_at))],
      unread_messages: [row.unread_messages, unread.get(row.id) ?? 0],
      status: [row.is_resolved ? "resolved" : "open", statuses.get(row.id)],
      resolved_at: [row.resolved_at !== null, row.is_resolved === 1],
      resolved_by: [row.resolved_by !== null, row.is_resolved === 1],
    };
    for (const [name, [stored, counted]] of Object.entries(tells)) {
      if (stored !== counted) yield `conversation ${row.id} says ${name} ${stored}, its messages say ${counted}.`;
    }
    if (all.some(({ sort_number }, index) => sort_number !== index + 1)) {
      yield `conversation ${row.id} has a gap in the numbers of its messages.`;
    }
    for (const { id, content } of all) {
      const files = attachments.get(id) ?? [];
      // A redacted one has null.
      if (content === "" && files.length === 0) yield `message ${id} holds nothing.`;
      if (files.some(({ position }, index) => position !== index + 1)) yield `message ${id} has lost an attachment.`;
    }
  }
}

/**
 * Of each conversation the visitor's messages since an agent last read or replied (decision 34), by the event log. The AI reads
 * nothing for the team.
 */
function unreadByLog({ events, messages }: TeamData): Map<string, number> {
  const unread = new Map<string, number>();
  const fromVisitor = new Map<string, number[]>();
  const written = [...messages.values()].flat();
  const numbers = new Map(written.map(({ id, sort_number }) => [id, sort_number]));
  const ofAi = new Set(written.filter(({ sent_via }) => sent_via === "ai").map(({ id }) => id));
  for (const { name, data } of events) {
    const id = data.conversation?.id;
    if (id === undefined) continue;
    const before = unread.get(id) ?? 0;
    const received = fromVisitor.get(id) ?? [];
    const messageId = data.message?.id ?? "";
    if (name === "message.received") {
      fromVisitor.set(id, [...received, numbers.get(messageId) ?? 0]);
      unread.set(id, before + 1);
    } else if (name === "message.sent" && !ofAi.has(messageId)) unread.set(id, 0);
    else if (name === "conversation.marked-unread") unread.set(id, 1);
    else if (name === "conversation.read") {
      unread.set(id, Math.min(before, received.filter((number) => number > (data.read_number ?? 0)).length));
    }
  }
  return unread;
}

/** Rows that refer to a missing row, also where there is no foreign key. What an erasure is still to erase is left out. */
async function looseEnds(db: Database): Promise<string[]> {
  const joins: [child: string, column: string, parent: string][] = [
    ["conversations", "contact_id", "contacts"],
    ["conversations", "widget_id", "widgets"],
    ["contacts", "widget_id", "widgets"],
    ["messages", "conversation_id", "conversations"],
    ["messages", "contact_id", "contacts"],
    ["messages", "agent_id", "agents"],
    ["attachments", "message_id", "messages"],
    ["page_visits", "contact_id", "contacts"],
    ["invitations", "agent_id", "agents"],
    ["api_keys", "agent_id", "agents"],
    ["sign_ins", "agent_id", "agents"],
    ["widget_directory", "widget_id", "widgets"],
  ];
  const problems: string[] = [];
  for (const [child, column, parent] of joins) {
    const [row] = await rowsOf<{ n: number }>(
      db,
      `SELECT count(*) AS n FROM ${child} c LEFT JOIN ${parent} p ON p.team_id = c.team_id AND p.id = c.${column}
       WHERE c.${column} IS NOT NULL AND p.id IS NULL${notBeingErased(column)}`,
    );
    if (Number(row?.n) > 0) problems.push(`${row?.n} rows of ${child} name rows of ${parent} that are not there.`);
  }
  return problems;
}

/** An erasure deletes contacts and conversations in its first commit, and what names them piece by piece. */
function notBeingErased(column: string): string {
  if (column !== "contact_id" && column !== "conversation_id") return "";
  const table = column === "contact_id" ? "erased_contacts" : "erased_conversations";
  return ` AND NOT EXISTS (SELECT 1 FROM ${table} e WHERE e.team_id = c.team_id AND e.${column} = c.${column})`;
}

async function fileDamage(db: Database): Promise<string[]> {
  const told = await rowsOf<{ integrity_check: string }>(db, "PRAGMA integrity_check");
  const broken = told.map((row) => row.integrity_check).filter((text) => text !== "ok");
  const ends = await rowsOf<{ table: string }>(db, "PRAGMA foreign_key_check");
  return [...broken, ...ends.map(({ table }) => `a row of ${table} breaks a foreign key.`)].slice(0, MOST_TOLD);
}

/** The rows of one SQL text. */
export function rowsOf<Row>(db: Database, text: string): Promise<Row[]> {
  return db.all(textStatement<Row>(text), {});
}
