/**
 * What goes with a conversation, with a contact, and with a piece of messages or events. `conversation_ids` and the like are made by
 * `listParam` and `numbersParam`.
 */
import type { AiEpisodeOutcome, LastWord } from "@frontdesk/core/domain/ai/ai-episode";
import { sql } from "kysely";
import { forgetUnimportedOfContact, giveUpUnimportedOfContact } from "../email/in/mail-import-store.ts";
import { ERASED_DATA } from "../events/erased-event.ts";
import { BLANK_ANSWER } from "../outbox/attempt-store.ts";
import type { Dialect } from "../storage/dialect.ts";
import { type Param, statement } from "../storage/statement.ts";
import type { AttachmentRow, ConversationRow, EventRow, MessageRow, Tables } from "../storage/tables.ts";

interface OfConversations {
  team_id: string;
  conversation_ids: string;
}
interface OfContact {
  team_id: string;
  contact_id: string;
}

export const conversationsOfErased = statement<OfContact, ConversationRow>((db, param) =>
  db
    .selectFrom("conversations")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .orderBy("id"),
);

type TableOfConversations = {
  [T in keyof Tables]: "conversation_id" extends keyof Tables[T] ? T : never;
}[keyof Tables];

function deleteOfConversations(table: TableOfConversations) {
  return statement<OfConversations>((db, param, dialect) =>
    db
      .deleteFrom(table as "assignments")
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref("conversation_id"), param("conversation_ids"))),
  );
}

/** Those of held replies, which are named by them and not by the conversation. */
const deleteTimersOfHeldReplies = statement<OfConversations>((db, param, dialect) =>
  db
    .deleteFrom("timers")
    .where("team_id", "=", param("team_id"))
    .where("kind", "=", sql.lit("send-held-reply"))
    .where("subject_id", "in", (query) =>
      query
        .selectFrom("held_replies")
        .select("held_replies.client_id")
        .where("held_replies.team_id", "=", param("team_id"))
        .where((row) => dialect.isIn(row.ref("held_replies.conversation_id"), param("conversation_ids"))),
    ),
);

/** In their order: rows that refer to others go first. */
export const deletionsOfConversations = {
  timers: deleteTimersOfHeldReplies,
  assignments: deleteOfConversations("assignments"),
  conversation_tags: deleteOfConversations("conversation_tags"),
  mentions: deleteOfConversations("mentions"),
  drafts: deleteOfConversations("drafts"),
  held_replies: deleteOfConversations("held_replies"),
  visitor_mails: deleteOfConversations("visitor_mails"),
  queued_changes: deleteOfConversations("queued_changes"),
  mail_tokens: deleteOfConversations("mail_tokens"),
  ai_turns: deleteOfConversations("ai_turns"),
  ai_runs: deleteOfConversations("ai_runs"),
  ai_messages: deleteOfConversations("ai_messages"),
  article_origins: deleteOfConversations("article_origins"),
} as const;

/** Those that have texts of their own. */
export const deletionsOfTexts = [
  deletionsOfConversations.drafts,
  deletionsOfConversations.held_replies,
  deletionsOfConversations.queued_changes,
  deletionsOfConversations.ai_runs,
];

/** By the agents of the team: the key begins with them. */
export const deleteOwnReads = statement<OfConversations>((db, param, dialect) =>
  db
    .deleteFrom("own_reads")
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "in", (query) =>
      query.selectFrom("agents").select("agents.id").where("agents.team_id", "=", param("team_id")),
    )
    .where((row) => dialect.isIn(row.ref("conversation_id"), param("conversation_ids"))),
);

/** What was measured of an open stretch is not complete, and counts nowhere. */
export const deleteOpenEpisodes = statement<OfConversations>((db, param, dialect) =>
  db
    .deleteFrom("episodes")
    .where("team_id", "=", param("team_id"))
    .where("resolved_at", "is", null)
    .where((row) => dialect.isIn(row.ref("conversation_id"), param("conversation_ids"))),
);

/** The figures of reports stay, under an id that leads to nothing. */
export const anonymizeEpisodes = statement<{ team_id: string; conversation_id: string; new_id: string }>((db, param) =>
  db
    .updateTable("episodes")
    .set({ conversation_id: param("new_id"), opened_by_id: null })
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id")),
);

/** What their visitors have left for long counts as that; other open ones of the AI count nowhere. */
export const settleAiEpisodes = statement<OfConversations & { silent_since: number; ended_at: number }>(
  (db, param, dialect) =>
    db
      .updateTable("ai_episodes")
      .set({ outcome: sql.lit("abandoned" satisfies AiEpisodeOutcome), ended_at: param("ended_at") })
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref("conversation_id"), param("conversation_ids")))
      .where("outcome", "=", sql.lit("open" satisfies AiEpisodeOutcome))
      .where("last_word", "=", sql.lit("uncited" satisfies LastWord))
      .where("last_at", "<=", param("silent_since")),
);

export const deleteOpenAiEpisodes = statement<OfConversations>((db, param, dialect) =>
  db
    .deleteFrom("ai_episodes")
    .where("team_id", "=", param("team_id"))
    .where("outcome", "=", sql.lit("open" satisfies AiEpisodeOutcome))
    .where((row) => dialect.isIn(row.ref("conversation_id"), param("conversation_ids"))),
);

export const anonymizeAiEpisodes = statement<{ team_id: string; conversation_id: string; new_id: string }>(
  (db, param) =>
    db
      .updateTable("ai_episodes")
      .set({ conversation_id: param("new_id") })
      .where("team_id", "=", param("team_id"))
      .where("conversation_id", "=", param("conversation_id")),
);

export const deleteConversations = statement<OfConversations>((db, param, dialect) =>
  db
    .deleteFrom("conversations")
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("id"), param("conversation_ids"))),
);

/** What waits of their events is not sent any more. */
export const stopItemsOfConversations = statement<OfConversations & { ended_at: number }>((db, param, dialect) =>
  db
    .updateTable("outbox_items")
    .set({ state: "stopped", ended_at: param("ended_at") })
    .where("team_id", "=", param("team_id"))
    .where("state", "=", sql.lit("waiting"))
    .where((row) => dialect.isIn(row.ref("order_key"), param("conversation_ids"))),
);

const deleteSuppressionsOfContact = statement<OfContact>((db, param) =>
  db
    .deleteFrom("mail_suppressions")
    .where("team_id", "=", param("team_id"))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("account_id", "address"),
        "in",
        selectFrom("contact_identities")
          .select(["contact_identities.account_id", "contact_identities.value"])
          .where("contact_identities.team_id", "=", param("team_id"))
          .where("contact_identities.contact_id", "=", param("contact_id"))
          .$asTuple("account_id", "value"),
      ),
    ),
);

function deleteOfContact(
  table: "page_visits" | "custom_data" | "visitor_sessions" | "contact_identities" | "holds" | "ai_contact_usage",
) {
  return statement<OfContact>((db, param) =>
    db.deleteFrom(table).where("team_id", "=", param("team_id")).where("contact_id", "=", param("contact_id")),
  );
}

/** What they have uploaded and not sent. Its content goes as that of other files. */
const giveUpUnsentFiles = statement<OfContact>((db, param) =>
  db
    .updateTable("files")
    .set({ state: "removing", created_at: sql.lit(0), name: "" })
    .where("team_id", "=", param("team_id"))
    .where("used_at", "is", null)
    .where("sent_by", "in", (query) =>
      query
        .selectFrom("visitor_sessions")
        .select(({ ref }) => sql<string>`'visitor:' || ${ref("visitor_sessions.token_hash")}`.as("sender"))
        .where("visitor_sessions.team_id", "=", param("team_id"))
        .where("visitor_sessions.contact_id", "=", param("contact_id")),
    ),
);

/** In their order: rows that others are found by go after them. */
export const deletionsOfContact = {
  files: giveUpUnsentFiles,
  page_visits: deleteOfContact("page_visits"),
  custom_data: deleteOfContact("custom_data"),
  visitor_sessions: deleteOfContact("visitor_sessions"),
  // Found by the identities, and the files by the imports.
  mail_suppressions: deleteSuppressionsOfContact,
  mail_files: giveUpUnimportedOfContact,
  mail_imports: forgetUnimportedOfContact,
  contact_identities: deleteOfContact("contact_identities"),
  holds: deleteOfContact("holds"),
  ai_contact_usage: deleteOfContact("ai_contact_usage"),
} as const;

export const deleteContact = statement<{ team_id: string; id: string }>((db, param) =>
  db.deleteFrom("contacts").where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** Some messages of a conversation, the first ones. */
export const messagesLeft = statement<
  { team_id: string; conversation_id: string; limit: number },
  Pick<MessageRow, "id" | "sort_number">
>((db, param) =>
  db
    .selectFrom("messages")
    .select(["id", "sort_number"])
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .orderBy("sort_number")
    .limit(param("limit")),
);

interface OfMessages {
  team_id: string;
  message_ids: string;
}

/** Messages of a conversation that have a text or files, up to a sort number, the first ones. */
export const textsLeft = statement<
  { team_id: string; conversation_id: string; up_to: number; limit: number },
  Pick<MessageRow, "id" | "sort_number">
>((db, param) =>
  db
    .selectFrom("messages")
    .select(["id", "sort_number"])
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("sort_number", "<=", param("up_to"))
    .where((row) =>
      row.or([
        row("content", "is not", null),
        row.exists(
          row
            .selectFrom("attachments")
            .select(sql.lit(1).as("one"))
            .whereRef("attachments.team_id", "=", "messages.team_id")
            .whereRef("attachments.message_id", "=", "messages.id"),
        ),
      ]),
    )
    .orderBy("sort_number")
    .limit(param("limit")),
);

/** The texts of messages go; the rows stay. */
export const emptyMessages = statement<OfMessages>((db, param, dialect) =>
  db
    .updateTable("messages")
    .set({ content: null, content_folded: sql.lit("") })
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("id"), param("message_ids"))),
);

export const attachmentsOfErased = statement<OfMessages, Pick<AttachmentRow, "url">>((db, param, dialect) =>
  db
    .selectFrom("attachments")
    .select("url")
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
);

function deleteOfMessages(table: "attachments" | "external_messages") {
  return statement<OfMessages>((db, param, dialect) =>
    db
      .deleteFrom(table)
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref("message_id"), param("message_ids"))),
  );
}

export const deletionsOfMessages = {
  attachments: deleteOfMessages("attachments"),
  external_messages: deleteOfMessages("external_messages"),
} as const;

/** The messages of a conversation up to a sort number. */
export const deleteMessages = statement<{ team_id: string; conversation_id: string; up_to: number }>((db, param) =>
  db
    .deleteFrom("messages")
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("sort_number", "<=", param("up_to")),
);

/** The file is unusable from now on; its content and its row go after the commit (`files/remove-unused-files.ts`). */
export const giveUpFile = statement<{ team_id: string; token_hash: string }>((db, param) =>
  db
    .updateTable("files")
    .set({ state: "removing", used_at: null, created_at: sql.lit(0), name: "" })
    .where("team_id", "=", param("team_id"))
    .where("token_hash", "=", param("token_hash")),
);

type ErasedEvent = Pick<EventRow, "number" | "id">;

/** Streams and receivers learn by them of the erasure; they contain ids alone, which go after 30 days (`forget-erased-store.ts`). */
export const ABOUT_ERASING = ["erasure.started", "contact.erased"].map((name) => sql.lit(name));

/** Some events about a contact, the newest first, but those that say that it is erased. */
export const eventsOfErased = statement<OfContact & { limit: number }, ErasedEvent>((db, param) =>
  db
    .selectFrom("events")
    .select(["number", "id"])
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .where("name", "not in", ABOUT_ERASING)
    .orderBy("number", "desc")
    .limit(param("limit")),
);

/** The same from `before` down, with their conversations. */
export const eventsOfContactBefore = statement<
  OfContact & { before: number; limit: number },
  ErasedEvent & Pick<EventRow, "conversation_id" | "data">
>((db, param) =>
  db
    .selectFrom("events")
    .select(["number", "id", "conversation_id", "data"])
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .where("number", "<", param("before"))
    .where("name", "not in", ABOUT_ERASING)
    .orderBy("number", "desc")
    .limit(param("limit")),
);

interface OfEvents {
  team_id: string;
  event_numbers: string;
}

/** The log keeps number, id, name and time of an erased event, and who did it unless it was the visitor. */
export const blankEvents = statement<OfEvents>((db, param, dialect) => blank(db, param, dialect));

function blank(db: Dialect["builder"], param: Param<OfEvents>, dialect: Dialect) {
  return db
    .updateTable("events")
    .set((row) => ({
      data: sql.lit(ERASED_DATA),
      conversation_id: null,
      contact_id: null,
      internal: null,
      actor: row
        .case()
        .when("actor", "like", sql.lit('{"kind":"visitor"%'))
        .then(sql.lit('{"kind":"visitor","id":null}'))
        .else(row.ref("actor"))
        .end(),
    }))
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isInNumbers(row.ref("number"), param("event_numbers")));
}

interface OfItems {
  team_id: string;
  event_ids: string;
}

/** Deliveries of erased events: those that have not ended are stopped, also when the attempt under way fails. */
export const stopItemsOfEvents = statement<OfItems & { ended_at: number }>((db, param, dialect) =>
  db
    .updateTable("outbox_items")
    .set((row) => ({
      order_key: null,
      state: row
        .case()
        .when("state", "in", [sql.lit("waiting"), sql.lit("sending")])
        .then(sql.lit("stopped"))
        .else(row.ref("state"))
        .end(),
      claim_id: null,
      ended_at: row.fn.coalesce("ended_at", param("ended_at")),
      message_id: null,
    }))
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isInTexts(row.ref("event_id"), param("event_ids"))),
);

/** What receivers answered, and what they will answer to attempts that are under way. */
export const blankAttempts = statement<OfItems>((db, param, dialect) =>
  db
    .updateTable("outbox_attempts")
    .set(BLANK_ANSWER)
    .where("team_id", "=", param("team_id"))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("queue_id", "event_number"),
        "in",
        selectFrom("outbox_items")
          .select(["queue_id", "event_number"])
          .where("team_id", "=", param("team_id"))
          .where((row) => dialect.isInTexts(row.ref("event_id"), param("event_ids")))
          .$asTuple("queue_id", "event_number"),
      ),
    ),
);
