import type { MessageType } from "@frontdesk/core/domain/conversation";
import { type Expression, type SqlBool, sql } from "kysely";
import type { Dialect } from "../storage/dialect.ts";
import { type Param, statement, wholeRow } from "../storage/statement.ts";
import type { AttachmentRow, MessageRow } from "../storage/tables.ts";

interface OfConversation {
  team_id: string;
  conversation_id: string;
}

const listedColumns = [
  "id",
  "conversation_id",
  "contact_id",
  "agent_id",
  "type",
  "origin",
  "content",
  "created_at",
] as const satisfies (keyof MessageRow)[];

/** What a list shows of a message. */
export type ListedMessageRow = Pick<MessageRow, (typeof listedColumns)[number]>;

export const insertMessage = statement<MessageRow>((db, param) =>
  db.insertInto("messages").values(wholeRow(param, "messages")),
);

/** Finds a message that the visitor's browser has sent before. */
export const messageByClientId = statement<{ team_id: string; contact_id: string; client_id: string }, MessageRow>(
  (db, param) =>
    db
      .selectFrom("messages")
      .selectAll()
      .where("team_id", "=", param("team_id"))
      .where("contact_id", "=", param("contact_id"))
      .where("client_id", "=", param("client_id")),
);

export const insertAttachment = statement<AttachmentRow>((db, param) =>
  db.insertInto("attachments").values(wholeRow(param, "attachments")),
);

/**
 * Newest first, from sort number `from` down, system lines left out (decision 6). The caller turns a page into `from`
 * where it can, so that a deep page costs no more than the first.
 */
export const messagePage = statement<
  OfConversation & { from: number; limit: number; offset: number },
  ListedMessageRow
>((db, param) =>
  listed(db, param)
    .where("sort_number", "<=", param("from"))
    .orderBy("sort_number", "desc")
    .limit(param("limit"))
    .offset(param("offset")),
);

/** A message as it is read, with its position in the conversation. */
export type ReadMessageRow = ListedMessageRow & Pick<MessageRow, "sort_number" | "client_id">;
const readColumns = [...listedColumns, "sort_number", "client_id"] as const;

/** A message with everything that the team sees of it, and what tells whether the AI has written it. */
export type WholeMessageRow = ReadMessageRow & Pick<MessageRow, "sent_via" | "drafted_with_ai">;
export const wholeColumns = [...readColumns, "sent_via", "drafted_with_ai"] as const;

/** The messages of some types with sort numbers below `before`, newest first. */
export const messagesBefore = statement<
  OfConversation & { before: number; types: string; limit: number },
  WholeMessageRow
>((db, param, dialect) =>
  db
    .selectFrom("messages")
    .select(wholeColumns)
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("sort_number", "<", param("before"))
    .where((row) => dialect.isInTexts(row.ref("type"), param("types")))
    .orderBy("sort_number", "desc")
    .limit(param("limit")),
);

/** The newest replies of the team after sort number `after`, newest first, without redacted ones. */
export const repliesAfter = statement<OfConversation & { after: number; limit: number }, WholeMessageRow>((db, param) =>
  db
    .selectFrom("messages")
    .select(wholeColumns)
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("sort_number", ">", param("after"))
    .where("type", "=", sql.lit("message" satisfies MessageType))
    .where("agent_id", "is not", null)
    // Redacted ones have none.
    .where("content", "is not", null)
    .orderBy("sort_number", "desc")
    .limit(param("limit")),
);

/** How many messages the visitor has written after sort number `after`. */
export const visitorMessagesAfter = statement<OfConversation & { after: number }, { total: number }>((db, param) =>
  db
    .selectFrom("messages")
    .select((row) => row.fn.countAll<number>().as("total"))
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("sort_number", ">", param("after"))
    .where("type", "=", sql.lit("message" satisfies MessageType))
    .where("agent_id", "is", null),
);

/**
 * A message by its id. One at a time: for a list of ids SQLite reads every message of the team (1.5 ms with some 5,000 of
 * them).
 */
export const messageById = statement<{ team_id: string; id: string }, WholeMessageRow>((db, param) =>
  db
    .selectFrom("messages")
    .select(wholeColumns)
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    // Those of an erased conversation are unknown at once, and deleted later.
    .where((row) =>
      row.exists(
        row
          .selectFrom("conversations")
          .select("conversations.id")
          .where("conversations.team_id", "=", param("team_id"))
          .whereRef("conversations.id", "=", "messages.conversation_id"),
      ),
    ),
);

/** The attachments of several messages, each message's in their order. */
export const attachmentsOfMessages = statement<{ team_id: string; message_ids: string }, AttachmentRow>(
  (db, param, dialect) =>
    db
      .selectFrom("attachments")
      .selectAll()
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids")))
      .orderBy("message_id")
      .orderBy("position"),
);

/** As `messagePage`, of the messages whose content contains all `words` (folded, made by `listParam`; decision 2). */
export const messageSearchPage = statement<
  OfConversation & { words: string; limit: number; offset: number },
  ListedMessageRow
>((db, param, dialect) =>
  listed(db, param)
    .where((row) => dialect.holdsAll(row.ref("content_folded"), param("words")))
    .orderBy("sort_number", "desc")
    .limit(param("limit"))
    .offset(param("offset")),
);

export const messageSearchTotal = statement<OfConversation & { words: string }, { total: number }>(
  (db, param, dialect) =>
    db
      .selectFrom("messages")
      .select((row) => row.fn.countAll<number>().as("total"))
      .where("team_id", "=", param("team_id"))
      .where("conversation_id", "=", param("conversation_id"))
      .where("type", "<>", "system")
      .where((row): Expression<SqlBool> => dialect.holdsAll(row.ref("content_folded"), param("words"))),
);

/** The newest message of each conversation, system lines left out. */
export const latestMessages = statement<
  { team_id: string; conversation_ids: string },
  ListedMessageRow & Pick<MessageRow, "sent_via">
>((db, param, dialect) =>
  db
    .selectFrom("conversations")
    .innerJoin("messages", (join) =>
      join
        .onRef("messages.team_id", "=", "conversations.team_id")
        .onRef("messages.conversation_id", "=", "conversations.id")
        .onRef("messages.sort_number", "=", "conversations.last_message_number"),
    )
    .select([...listedColumns.map((column) => `messages.${column}` as const), "messages.sent_via"])
    .where("conversations.team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("conversations.id"), param("conversation_ids"))),
);

/** The newest message of the visitor of each conversation. */
export const lastQuestions = statement<
  { team_id: string; conversation_ids: string },
  ListedMessageRow & Pick<MessageRow, "sort_number">
>((db, param, dialect) =>
  db
    .selectFrom("conversations")
    .innerJoin("messages", (join) =>
      join
        .onRef("messages.team_id", "=", "conversations.team_id")
        .onRef("messages.conversation_id", "=", "conversations.id")
        .on("messages.sort_number", "=", (on) =>
          on
            .selectFrom("messages as asked")
            .select((row) => row.fn.max("asked.sort_number").as("last"))
            .whereRef("asked.team_id", "=", "conversations.team_id")
            .whereRef("asked.conversation_id", "=", "conversations.id")
            .where("asked.agent_id", "is", null)
            .where("asked.type", "=", "message"),
        ),
    )
    .select([...listedColumns.map((column) => `messages.${column}` as const), "messages.sort_number"])
    .where("conversations.team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("conversations.id"), param("conversation_ids"))),
);

function listed<P extends OfConversation>(db: Dialect["builder"], param: Param<P>) {
  return db
    .selectFrom("messages")
    .select(listedColumns)
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("type", "<>", "system");
}
