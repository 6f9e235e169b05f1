/**
 * A team with very many conversations, and one very long thread, written directly into the data of a stopped server: by
 * requests it would take minutes. For stories and for `bench/dashboard.ts`.
 */
import { randomUUID } from "node:crypto";
import { DatabaseSync, type StatementSync } from "node:sqlite";

export interface LargeInbox {
  teamId: string;
  agentId: string;
  widgetId: string;
  /** The path of `DATA_DIR`. */
  file: string;
  conversations: number;
  /** The latest active conversation, which is first in the list. */
  messages: number;
}

const MINUTE_MS = 60_000;
const TAG_COLORS = ["#4f46e5", "#146c37", "#c0262d", "#8a5a00"];
/** A message is found by its number, and no two are alike. */
export const lineOf = (number: number): string =>
  `Line ${number}: ${"how tall does the fern grow? ".repeat(number % 5)}`;
export const visitorOf = (place: number): string => `Visitor ${place}`;

/**
 * Returns the id of the conversation with the long thread. The others have three messages each, a tag or none, some of them
 * unread.
 */
export function fillLargeInbox({ teamId, agentId, widgetId, file, conversations, messages }: LargeInbox): string {
  const db = new DatabaseSync(file);
  const insert = insertions(db);
  const now = Date.now();
  const tags = TAG_COLORS.map((color, index) => ({ id: randomUUID(), name: `topic ${index + 1}`, color }));
  let longest = "";
  db.exec("BEGIN");
  for (const { id, name, color } of tags) insert.tag(teamId, id, name, name, color);
  for (let place = 1; place <= conversations; place += 1) {
    const at = now - place * MINUTE_MS;
    const ids = { teamId, widgetId, contactId: randomUUID(), conversationId: randomUUID() };
    const said = place === 1 ? messages : 3;
    const unread = place % 7 === 0 ? 1 : 0;
    insert.contact(ids, visitorOf(place), at);
    insert.conversation(ids, { at, said, unread });
    for (let number = 1; number <= said; number += 1) {
      const from = number % 3 === 2 && !(unread && number === said) ? agentId : null;
      insert.message(ids, { number, from, content: lineOf(number), at: at - (said - number) * 2 * MINUTE_MS });
    }
    const tag = tags[place % (TAG_COLORS.length * 2)];
    if (tag) insert.tagging(ids, tag.id);
    if (place === 1) longest = ids.conversationId;
  }
  insert.totals(teamId, conversations);
  db.exec("COMMIT; ANALYZE");
  db.close();
  return longest;
}

interface Ids {
  teamId: string;
  widgetId: string;
  contactId: string;
  conversationId: string;
}

function insertions(db: DatabaseSync) {
  const into = (table: string, columns: string): StatementSync =>
    db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.replace(/\w+/g, "?")})`);
  const contacts = into(
    "contacts",
    "team_id, id, widget_id, name, email, email_folded, phone_digits, search_text, bgcolor, online_status, last_active_at, is_name_updated, created_at",
  );
  const talks = into(
    "conversations",
    "team_id, id, contact_id, account_id, widget_id, channel, is_resolved, unread_messages, last_message_at, last_message_number, last_sort_number, message_count, created_at",
  );
  const lines = into(
    "messages",
    "team_id, conversation_id, sort_number, id, contact_id, agent_id, type, origin, sent_via, content, content_folded, created_at",
  );
  const tags = into("tags", "team_id, id, name, name_folded, color, created_at");
  const taggings = into("conversation_tags", "team_id, conversation_id, tag_id, created_at");
  const totals = db.prepare(
    "UPDATE team_counters SET contacts = ?2, conversations = ?2, open_conversations = ?2 WHERE team_id = ?1",
  );
  return {
    contact({ teamId, contactId, widgetId }: Ids, name: string, at: number) {
      const email = `${name.toLowerCase().replace(" ", "")}@visitor.test`;
      const search = `${name.toLowerCase()}\u001f${email}`;
      contacts.run(teamId, contactId, widgetId, name, email, email, "", search, "#4f46e5", "offline", at, 1, at);
    },
    conversation(
      { teamId, conversationId, contactId, widgetId }: Ids,
      { at, said, unread }: { at: number; said: number; unread: number },
    ) {
      talks.run(teamId, conversationId, contactId, widgetId, widgetId, "website", 0, unread, at, said, said, said, at);
    },
    message(
      { teamId, conversationId, contactId }: Ids,
      { number, from, content, at }: { number: number; from: string | null; content: string; at: number },
    ) {
      const by = from ? "api" : "widget";
      const folded = content.toLowerCase();
      const rest = ["message", "chat", by, content, folded, at] as const;
      lines.run(teamId, conversationId, number, randomUUID(), contactId, from, ...rest);
    },
    tag: (...values: [string, string, string, string, string]) => void tags.run(...values, 1),
    tagging: ({ teamId, conversationId }: Ids, tagId: string) => void taggings.run(teamId, conversationId, tagId, 1),
    totals: (teamId: string, count: number) => void totals.run(teamId, count),
  };
}
