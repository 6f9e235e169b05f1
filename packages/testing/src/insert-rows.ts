/** Rows written by SQL, for states without an operation. */
import type { Channel } from "@frontdesk/core/domain/channel";
import type { MessageType } from "@frontdesk/core/domain/conversation";
import { searchable } from "@frontdesk/core/domain/search-text";
import { insertMessage } from "@frontdesk/server/conversations/message-store";
import type { Storage } from "@frontdesk/server/storage/database";
import { statement } from "@frontdesk/server/storage/statement";
import type { ConversationRow } from "@frontdesk/server/storage/tables";
import type { TestTeam } from "./test-kit.ts";

/** A conversation of another channel than the website. */
export async function comesBy(
  storage: Storage,
  team: TestTeam,
  conversationId: string,
  channel: Channel,
): Promise<void> {
  await storage.write(team.teamId, (db) => db.run(setChannel, { team_id: team.teamId, id: conversationId, channel }));
}

/** A visitor whom the team has blocked. */
export async function block(storage: Storage, team: TestTeam, contactId: string): Promise<void> {
  await storage.write(team.teamId, (db) =>
    db.run(blockContact, { team_id: team.teamId, id: contactId, blocked_at: 1 }),
  );
}

/** A system line or a reminder at the end of a conversation. Resolves to its id. */
export async function addLine(
  { storage, runtime }: { storage: Storage; runtime: { newId(): string; now(): number } },
  team: TestTeam,
  conversationId: string,
  { type, content }: { type: Exclude<MessageType, "message" | "note">; content: string },
): Promise<string> {
  const itself = { team_id: team.teamId, id: conversationId };
  const id = runtime.newId();
  const counted = type === "system" ? 0 : 1;
  await storage.write(team.teamId, async (db) => {
    await db.run(addNumber, { ...itself, counted });
    const row = await db.first(numberOf, itself);
    if (!row) throw new Error("There is no such conversation.");
    await db.run(insertMessage, {
      team_id: team.teamId,
      conversation_id: conversationId,
      sort_number: row.last_sort_number,
      id,
      contact_id: row.contact_id,
      agent_id: null,
      type,
      origin: "chat",
      sent_via: "automation",
      content,
      content_folded: searchable(content),
      created_at: runtime.now(),
      client_id: null,
      drafted_with_ai: 0,
    });
    if (counted) await db.run(makeNewest, { ...itself, number: row.last_sort_number });
  });
  return id;
}

/** Sets a conversation's number of messages, without writing them. */
export async function pretendMessages(
  storage: Storage,
  team: TestTeam,
  conversationId: string,
  count: number,
): Promise<void> {
  const itself = { team_id: team.teamId, id: conversationId };
  await storage.write(team.teamId, (db) => db.run(setCount, { ...itself, last_sort_number: count }));
}

interface ById {
  team_id: string;
  id: string;
}

const setChannel = statement<ById & { channel: string }>((db, param) =>
  db
    .updateTable("conversations")
    .set({ channel: param("channel") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

const blockContact = statement<ById & { blocked_at: number }>((db, param) =>
  db
    .updateTable("contacts")
    .set({ blocked_at: param("blocked_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

const addNumber = statement<ById & { counted: number }>((db, param) =>
  db
    .updateTable("conversations")
    .set((row) => ({
      last_sort_number: row("last_sort_number", "+", 1),
      message_count: row("message_count", "+", param("counted")),
    }))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

const makeNewest = statement<ById & { number: number }>((db, param) =>
  db
    .updateTable("conversations")
    .set({ last_message_number: param("number") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

const numberOf = statement<ById, Pick<ConversationRow, "last_sort_number" | "contact_id">>((db, param) =>
  db
    .selectFrom("conversations")
    .select(["last_sort_number", "contact_id"])
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

const setCount = statement<ById & { last_sort_number: number }>((db, param) =>
  db
    .updateTable("conversations")
    .set({ last_sort_number: param("last_sort_number") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);
