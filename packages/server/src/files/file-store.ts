import { sql } from "kysely";
import type { Dialect } from "../storage/dialect.ts";
import { type Param, statement, wholeRow } from "../storage/statement.ts";
import type { FileRow } from "../storage/tables.ts";
import type { FileState } from "./file.ts";

type ById = Pick<FileRow, "team_id" | "id">;

export const insertFile = statement<FileRow>((db, param) => db.insertInto("files").values(wholeRow(param, "files")));

export const fileByToken = statement<Pick<FileRow, "team_id" | "token_hash">, FileRow>((db, param) =>
  db
    .selectFrom("files")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("token_hash", "=", param("token_hash")),
);

interface Unused {
  files: number;
  bytes: number;
}

/** How much a sender has that no message uses. Files being received count with their declared size. */
export const unusedOfSender = statement<Pick<FileRow, "team_id" | "sent_by">, Unused>((db, param) =>
  unused(db, param).where("sent_by", "=", param("sent_by")),
);

/** How much all visitors of a team have that no message uses. Files being received do not count. */
export const unusedOfVisitors = statement<Pick<FileRow, "team_id">, Unused>((db, param) =>
  unused(db, param)
    .where("state", "=", "stored" satisfies FileState)
    .where("sent_by", "like", VISITORS),
);

/** The same of the team itself: its agents and programs. */
export const unusedOfTeam = statement<Pick<FileRow, "team_id">, Unused>((db, param) =>
  unused(db, param)
    .where("state", "=", "stored" satisfies FileState)
    .where("sent_by", "not like", VISITORS),
);

/** `fileSenderOf` a visitor. */
const VISITORS = "visitor:%";

/** It is complete. Changes nothing of a file that is not being received. */
export const storeFile = statement<ById & Pick<FileRow, "mime" | "size">>((db, param) =>
  db
    .updateTable("files")
    .set({ state: "stored" satisfies FileState, mime: param("mime"), size: param("size") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("state", "=", "receiving" satisfies FileState),
);

/** The first message that uses it keeps it for good. */
export const useFile = statement<ById & { used_at: number }>((db, param) =>
  db
    .updateTable("files")
    .set({ used_at: param("used_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("used_at", "is", null),
);

export const deleteFile = statement<ById>((db, param) =>
  db.deleteFrom("files").where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** The teams that have files from before `before` that no message uses, each once. */
export const teamsWithUnusedFiles = statement<{ before: number }, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("files")
          .select(val(1).as("one"))
          .whereRef("files.team_id", "=", "teams.team_id")
          .where("used_at", "is", null)
          .where("created_at", "<", param("before")),
      ),
    ),
);

type Old = Pick<FileRow, "team_id"> & { before: number; limit: number };

/** At most `limit` of a team's files from before `before` that no message uses, the first ones. */
export const unusedFiles = statement<Old, { id: string }>((db, param) => old(db, param));

/** From now on no message can use these any more. */
export const giveUpUnusedFiles = statement<Old>((db, param) =>
  db
    .updateTable("files")
    .set({ state: "removing" satisfies FileState })
    .where("team_id", "=", param("team_id"))
    .where("id", "in", old(db, param)),
);

function old<P extends Old>(db: Dialect["builder"], param: Param<P>) {
  return db
    .selectFrom("files")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("used_at", "is", null)
    .where("created_at", "<", param("before"))
    .orderBy("created_at")
    .orderBy("id")
    .limit(param("limit"));
}

function unused<P extends Pick<FileRow, "team_id">>(db: Dialect["builder"], param: Param<P>) {
  return db
    .selectFrom("files")
    .select(({ fn }) => [
      fn.countAll<number>().as("files"),
      // PostgreSQL adds integers in a wider type of its own.
      sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as("bytes"),
    ])
    .where("team_id", "=", param("team_id"))
    .where("used_at", "is", null);
}
