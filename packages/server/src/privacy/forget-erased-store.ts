/** The ids of erased contacts: receivers and streams need them for a time after the erasure, and nothing does later. */
import { sql } from "kysely";
import { ERASED_DATA } from "../events/erased-event.ts";
import { statement } from "../storage/statement.ts";
import { ABOUT_ERASING } from "./erase-rows-store.ts";

/** How long `contact.erased` names its contact, for receivers that were out of reach. */
export const ERASED_ID_LIFE_MS = 30 * 24 * 60 * 60 * 1_000;

export interface OldErasures {
  /** Ms since the epoch. */
  before: number;
}

/** The teams with erasures whose ids are to go, each once. */
export const teamsWithOldErasures = statement<OldErasures, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("erasures")
          .select(val(1).as("one"))
          .whereRef("erasures.team_id", "=", "teams.team_id")
          .where("contact_id", "is not", null)
          .where("finished_at", "<", param("before")),
      ),
    ),
);

/** The teams with events about erasing whose ids are to go, each once. */
export const teamsWithEventsAboutErasing = statement<OldErasures, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("events")
          .select(val(1).as("one"))
          .whereRef("events.team_id", "=", "teams.team_id")
          .where("name", "in", ABOUT_ERASING)
          .where("contact_id", "is not", null)
          .where("occurred_at", "<", param("before")),
      ),
    ),
);

type Some = OldErasures & { team_id: string; limit: number };

/** An index has only those that name a contact. */
export const blankEventsAboutErasing = statement<Some>((db, param) =>
  db
    .updateTable("events")
    .set({ data: sql.lit(ERASED_DATA), contact_id: null })
    .where("team_id", "=", param("team_id"))
    .where("number", "in", (query) =>
      query
        .selectFrom("events as old")
        .select("old.number")
        .where("old.team_id", "=", param("team_id"))
        .where("old.name", "in", ABOUT_ERASING)
        .where("old.contact_id", "is not", null)
        .where("old.occurred_at", "<", param("before"))
        .orderBy("old.occurred_at")
        .limit(param("limit")),
    ),
);

/** The lines of the erasures stay: how much was erased, when, why and by whom. */
export const forgetIdsOfOldErasures = statement<Some>((db, param) =>
  db
    .updateTable("erasures")
    .set({ contact_id: null, conversation_id: null })
    .where("team_id", "=", param("team_id"))
    .where("id", "in", (query) =>
      query
        .selectFrom("erasures as old")
        .select("old.id")
        .where("old.team_id", "=", param("team_id"))
        .where("old.contact_id", "is not", null)
        .where("old.finished_at", "<", param("before"))
        .limit(param("limit")),
    ),
);
