import { type SqlBool, sql } from "kysely";
import { statement, wholeRow } from "../storage/statement.ts";
import type { ErasedContactRow, ErasedConversationRow, ErasureRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}

export const insertErasure = statement<ErasureRow>((db, param) =>
  db.insertInto("erasures").values(wholeRow(param, "erasures")),
);

export const erasureById = statement<OfTeam & { id: string }, ErasureRow>((db, param) =>
  db.selectFrom("erasures").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** Ids begin with the time. */
export const latestErasures = statement<OfTeam & { limit: number }, ErasureRow>((db, param) =>
  db
    .selectFrom("erasures")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .orderBy("id", "desc")
    .limit(param("limit")),
);

export const noteErased = statement<Pick<ErasureRow, "team_id" | "id" | "erased">>((db, param) =>
  db
    .updateTable("erasures")
    .set({ erased: param("erased") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const endErasure = statement<OfTeam & { id: string; finished_at: number }>((db, param) =>
  db
    .updateTable("erasures")
    .set({ state: sql.lit("done"), finished_at: param("finished_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const forgetSealedText = statement<OfTeam & { id: string }>((db, param) =>
  db
    .updateTable("erasures")
    .set({ text_sealed: null })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const insertErasedConversation = statement<ErasedConversationRow>((db, param) =>
  db.insertInto("erased_conversations").values(wholeRow(param, "erased_conversations")),
);

export const noteEventsErased = statement<Omit<ErasedConversationRow, "contact_id" | "texts_up_to">>((db, param) =>
  db
    .updateTable("erased_conversations")
    .set({ events_before: param("events_before") })
    .where("team_id", "=", param("team_id"))
    .where("erasure_id", "=", param("erasure_id"))
    .where("conversation_id", "=", param("conversation_id")),
);

export const insertErasedContact = statement<ErasedContactRow>((db, param) =>
  db.insertInto("erased_contacts").values(wholeRow(param, "erased_contacts")),
);

/** A contact of an erasure that still has events, or may have. */
export const contactLeft = statement<OfTeam & { erasure_id: string }, ErasedContactRow>((db, param) =>
  db
    .selectFrom("erased_contacts")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("erasure_id", "=", param("erasure_id"))
    .orderBy("contact_id")
    .limit(sql.lit(1)),
);

export const deleteErasedContact = statement<Pick<ErasedContactRow, "team_id" | "erasure_id" | "contact_id">>(
  (db, param) =>
    db
      .deleteFrom("erased_contacts")
      .where("team_id", "=", param("team_id"))
      .where("erasure_id", "=", param("erasure_id"))
      .where("contact_id", "=", param("contact_id")),
);

/** The number of the team's last event. */
export const lastEventNumber = statement<OfTeam, { event_number: number }>((db, param) =>
  db.selectFrom("team_counters").select("event_number").where("team_id", "=", param("team_id")),
);

/** The contacts of an erasure that are not erased yet. */
export const contactsLeft = statement<OfTeam & { erasure_id: string }, ErasedContactRow>((db, param) =>
  db
    .selectFrom("erased_contacts")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("erasure_id", "=", param("erasure_id"))
    .orderBy("contact_id"),
);

/** A conversation of an erasure that still has messages, or may have. */
export const conversationLeft = statement<OfTeam & { erasure_id: string }, ErasedConversationRow>((db, param) =>
  db
    .selectFrom("erased_conversations")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("erasure_id", "=", param("erasure_id"))
    .orderBy("conversation_id")
    .limit(sql.lit(1)),
);

export const deleteErasedConversation = statement<
  Pick<ErasedConversationRow, "team_id" | "erasure_id" | "conversation_id">
>((db, param) =>
  db
    .deleteFrom("erased_conversations")
    .where("team_id", "=", param("team_id"))
    .where("erasure_id", "=", param("erasure_id"))
    .where("conversation_id", "=", param("conversation_id")),
);

/** Somebody has asked for it: a run of retention goes on with the next one (`apply-retention.ts`). */
const isRequested = sql<SqlBool>`coalesce(contact_id, conversation_id, message_id, widget_id, agent_id) is not null`;

/** The teams whose erasures have been running since before `before`, each once. */
export const teamsWithLateErasures = statement<{ before: number }, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("erasures")
          .select(val(1).as("one"))
          .whereRef("erasures.team_id", "=", "teams.team_id")
          .where("finished_at", "is", null)
          .where("requested_at", "<", param("before"))
          .where(isRequested),
      ),
    ),
);

/** Another erasure that still has rows to erase; a run of retention ends by itself. */
export const otherErasing = statement<OfTeam & { id: string }, { id: string }>((db, param) =>
  db
    .selectFrom("erasures")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("finished_at", "is", null)
    .where("state", "=", sql.lit("running"))
    .where("what", "<>", sql.lit("retention"))
    .where("id", "<>", param("id"))
    .limit(sql.lit(1)),
);

/** The erasures of which only the disk may still have something. */
export const erasuresWithoutRows = statement<OfTeam, { id: string }>((db, param) =>
  db
    .selectFrom("erasures")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("finished_at", "is", null)
    .where("state", "=", sql.lit("rows-erased"))
    .orderBy("id"),
);

export const noteRowsGone = statement<OfTeam & { id: string }>((db, param) =>
  db
    .updateTable("erasures")
    .set({ state: sql.lit("rows-erased") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** The conversations of an erasure that still have messages, or may have. */
export const conversationsLeft = statement<OfTeam & { erasure_id: string }, ErasedConversationRow>((db, param) =>
  db
    .selectFrom("erased_conversations")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("erasure_id", "=", param("erasure_id"))
    .orderBy("conversation_id"),
);

/** The team's erasures that were requested before `before` and are not done, the first ones first. */
export const lateErasures = statement<OfTeam & { before: number }, { id: string }>((db, param) =>
  db
    .selectFrom("erasures")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("finished_at", "is", null)
    .where("requested_at", "<", param("before"))
    .where(isRequested)
    .orderBy("requested_at")
    .orderBy("id"),
);
