import { sql } from "kysely";
import type { Dialect } from "../storage/dialect.ts";
import { every, type Param, statement, wholeRow } from "../storage/statement.ts";
import type { AssignmentRow, ContactRow, ConversationRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}
interface ById extends OfTeam {
  id: string;
}

export const insertConversation = statement<ConversationRow>((db, param) =>
  db.insertInto("conversations").values(wholeRow(param, "conversations")),
);

export const markSeenByVisitor = statement<ById & { visitor_seen_number: number }>((db, param) =>
  db
    .updateTable("conversations")
    .set({ visitor_seen_number: param("visitor_seen_number") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** What the team has read, or has marked as unread. */
export const markReadByTeam = statement<ById & Pick<ConversationRow, "team_seen_number" | "unread_messages">>(
  (db, param) =>
    db
      .updateTable("conversations")
      .set(every(param, ["team_seen_number", "unread_messages"]))
      .where("team_id", "=", param("team_id"))
      .where("id", "=", param("id")),
);

export const rateConversationRow = statement<ById & Pick<ConversationRow, "rating" | "rating_comment" | "rated_at">>(
  (db, param) =>
    db
      .updateTable("conversations")
      .set(every(param, ["rating", "rating_comment", "rated_at"]))
      .where("team_id", "=", param("team_id"))
      .where("id", "=", param("id")),
);

/** How far the visitor was notified by mail. */
export const markMailed = statement<ById & Pick<ConversationRow, "mailed_number">>((db, param) =>
  db
    .updateTable("conversations")
    .set({ mailed_number: param("mailed_number") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const conversationById = statement<ById, ConversationRow>((db, param) =>
  db.selectFrom("conversations").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** Several conversations by their ids. */
export const conversationsByIds = statement<OfTeam & { conversation_ids: string }, ConversationRow>(
  (db, param, dialect) =>
    db
      .selectFrom("conversations")
      .selectAll()
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref("id"), param("conversation_ids"))),
);

/** A conversation with what its events contain of the contact and the widget, in one read. */
export const conversationWithPeople = statement<
  ById,
  ConversationRow & {
    contact_name: string | null;
    contact_email: string | null;
    contact_phone: string | null;
    contact_blocked_at: number | null;
    widget_name: string | null;
  }
>((db, param) =>
  db
    .selectFrom("conversations")
    .innerJoin("contacts", (join) =>
      join
        .onRef("contacts.team_id", "=", "conversations.team_id")
        .onRef("contacts.id", "=", "conversations.contact_id"),
    )
    .innerJoin("widgets", (join) =>
      join.onRef("widgets.team_id", "=", "conversations.team_id").onRef("widgets.id", "=", "conversations.widget_id"),
    )
    .selectAll("conversations")
    .select([
      "contacts.name as contact_name",
      "contacts.email as contact_email",
      "contacts.phone as contact_phone",
      "contacts.blocked_at as contact_blocked_at",
      "widgets.name as widget_name",
    ])
    .where("conversations.team_id", "=", param("team_id"))
    .where("conversations.id", "=", param("id")),
);

/** The conversation of the contact in an account with the newest message (decision 66). */
export const mostRecentConversation = statement<OfTeam & { contact_id: string; account_id: string }, ConversationRow>(
  (db, param) =>
    db
      .selectFrom("conversations")
      .selectAll()
      .where("team_id", "=", param("team_id"))
      .where("contact_id", "=", param("contact_id"))
      .where("account_id", "=", param("account_id"))
      .orderBy("last_message_at", "desc")
      .orderBy("id", "desc")
      .limit(1),
);

/** The same in the account of the contact's home widget: what the browsers of a visitor show. */
export const mostRecentInBrowser = statement<OfTeam & { contact_id: string }, ConversationRow>((db, param) =>
  db
    .selectFrom("contacts")
    .innerJoin("conversations", (join) =>
      join
        .onRef("conversations.team_id", "=", "contacts.team_id")
        .onRef("conversations.contact_id", "=", "contacts.id")
        .onRef("conversations.account_id", "=", "contacts.widget_id"),
    )
    .selectAll("conversations")
    .where("contacts.team_id", "=", param("team_id"))
    .where("contacts.id", "=", param("contact_id"))
    .orderBy("conversations.last_message_at", "desc")
    .orderBy("conversations.id", "desc")
    .limit(1),
);

const listedColumns = [
  "id",
  "contact_id",
  "is_resolved",
  "unread_messages",
  "created_at",
] as const satisfies (keyof ConversationRow)[];

/** What a list shows of a conversation itself. */
export type ShownConversationRow = Pick<ConversationRow, (typeof listedColumns)[number]>;

/** Conversations of one status with their last message before `before`, newest first. */
export const conversationPage = statement<
  OfTeam & { is_resolved: number; before: number; limit: number; offset: number },
  ShownConversationRow
>((db, param) =>
  db
    .selectFrom("conversations")
    .select(listedColumns)
    .where("team_id", "=", param("team_id"))
    .where("is_resolved", "=", param("is_resolved"))
    .where("last_message_at", "<", param("before"))
    .orderBy("last_message_at", "desc")
    .orderBy("id", "desc")
    .limit(param("limit"))
    .offset(param("offset")),
);

/** What changes with a message, with the status, or with a handoff. */
export const updateConversation = statement<
  ById &
    Pick<
      ConversationRow,
      | "is_resolved"
      | "resolved_at"
      | "resolved_by"
      | "reopened_at"
      | "unread_messages"
      | "last_message_at"
      | "last_message_number"
      | "last_sort_number"
      | "message_count"
      | "handoff_requested_at"
      | "team_seen_number"
      | "snoozed_until"
      | "snoozed_until_reply"
      | "woken_at"
      | "episode"
      | "waiting_since"
      | "first_reply_at"
      | "episode_replies"
      | "episode_assistant_replies"
      | "last_reply_by"
      | "speaker"
      | "ai_state"
    >
>((db, param) =>
  db
    .updateTable("conversations")
    .set(
      every(param, [
        "is_resolved",
        "resolved_at",
        "resolved_by",
        "reopened_at",
        "unread_messages",
        "last_message_at",
        "last_message_number",
        "last_sort_number",
        "message_count",
        "handoff_requested_at",
        "team_seen_number",
        "snoozed_until",
        "snoozed_until_reply",
        "woken_at",
        "episode",
        "waiting_since",
        "first_reply_at",
        "episode_replies",
        "episode_assistant_replies",
        "last_reply_by",
        "speaker",
        "ai_state",
      ]),
    )
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export interface AssignedAgentRow {
  conversation_id: string;
  id: string;
  name: string | null;
  email: string;
}

/** The assigned agents of several conversations, first assigned first. */
export const assignedAgents = statement<OfTeam & { conversation_ids: string }, AssignedAgentRow>((db, param, dialect) =>
  db
    .selectFrom("assignments")
    .innerJoin("agents", (join) =>
      join.onRef("agents.team_id", "=", "assignments.team_id").onRef("agents.id", "=", "assignments.agent_id"),
    )
    .select(["assignments.conversation_id", "agents.id", "agents.name", "agents.email"])
    .where("assignments.team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("assignments.conversation_id"), param("conversation_ids")))
    .orderBy("assignments.created_at")
    .orderBy("agents.id"),
);

type OfConversation = OfTeam & Pick<AssignmentRow, "conversation_id" | "agent_id">;

export const assignment = statement<OfConversation, AssignmentRow>((db, param) =>
  db
    .selectFrom("assignments")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("agent_id", "=", param("agent_id")),
);

export const insertAssignment = statement<AssignmentRow>((db, param) =>
  db.insertInto("assignments").values(wholeRow(param, "assignments")),
);

/** One more agent is assigned to a conversation, or one less. */
export const countAssignment = statement<ById & { change: number }>((db, param) =>
  db
    .updateTable("conversations")
    .set({ assigned_count: sql<number>`assigned_count + ${param("change")}` })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const deleteAssignment = statement<OfConversation>((db, param) =>
  db
    .deleteFrom("assignments")
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("agent_id", "=", param("agent_id")),
);

/** How many conversations of an agent are not resolved. */
export const openConversationCount = statement<OfTeam & { agent_id: string }, { total: number }>((db, param) =>
  openAssignments(db, param).select((row) => row.fn.countAll<number>().as("total")),
);

/** Some of them. */
export const openConversationsOfAgent = statement<
  OfTeam & { agent_id: string; limit: number },
  { conversation_id: string }
>((db, param) =>
  openAssignments(db, param)
    .select("assignments.conversation_id")
    .orderBy("assignments.conversation_id")
    .limit(param("limit")),
);

function openAssignments<P extends OfTeam & { agent_id: string }>(db: Dialect["builder"], param: Param<P>) {
  return db
    .selectFrom("assignments")
    .innerJoin("conversations", (join) =>
      join
        .onRef("conversations.team_id", "=", "assignments.team_id")
        .onRef("conversations.id", "=", "assignments.conversation_id"),
    )
    .where("assignments.team_id", "=", param("team_id"))
    .where("assignments.agent_id", "=", param("agent_id"))
    .where("conversations.is_resolved", "=", sql.lit(0));
}

/** How a contact or an agent is shown; an agent always has an e-mail. */
export interface PersonRow {
  id: string;
  name: string | null;
  email: string | null;
}

/** An agent as visitors see one. */
export interface AgentFaceRow {
  team_id: string;
  id: string;
  name: string | null;
  resized_profile_photo_url: string | null;
}

export const agentFaces = statement<OfTeam & { agent_ids: string }, AgentFaceRow>((db, param, dialect) =>
  db
    .selectFrom("agents")
    .select(["team_id", "id", "name", "resized_profile_photo_url"])
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("id"), param("agent_ids"))),
);

/** A contact, and whether the team has blocked it. */
export type ContactNameRow = PersonRow & Pick<ContactRow, "blocked_at" | "verified_id">;

/** The names and e-mails of several conversations' contacts. */
export const contactNames = statement<OfTeam & { contact_ids: string }, ContactNameRow>((db, param, dialect) =>
  db
    .selectFrom("contacts")
    .select(["id", "name", "email", "blocked_at", "verified_id"])
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("id"), param("contact_ids"))),
);

/** The names and e-mails of several agents. */
export const agentNames = statement<OfTeam & { agent_ids: string }, PersonRow>((db, param, dialect) =>
  db
    .selectFrom("agents")
    .select(["id", "name", "email"])
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("id"), param("agent_ids"))),
);
