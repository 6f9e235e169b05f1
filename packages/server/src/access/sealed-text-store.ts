import { type SqlBool, sql } from "kysely";
import { type Statement, statement } from "../storage/statement.ts";
import type { Tables } from "../storage/tables.ts";
import type { SealedColumn } from "./vault.ts";

/** A sealed text and the row that it is in. */
export interface SealedText {
  /** Names the row within its team, as `SealedPlace` does. */
  id: string;
  sealed: string;
}

interface Search {
  team_id: string;
  sealed_now: string;
  limit: number;
}

interface Replacement extends SealedText {
  team_id: string;
  fresh: string;
}

interface SealedTexts {
  /** Texts of the team that do not begin with `sealed_now`, at most `limit`. */
  older: Statement<Search, SealedText>;
  /** Puts another text in the place of `sealed`; changes nothing when that is not there any more. */
  replace: Statement<Replacement, unknown>;
}

/** The statements of each column with sealed texts. */
export const sealedTexts: Record<SealedColumn, SealedTexts> = {
  "webhooks.secret_sealed": statementsOf("webhooks", "secret_sealed"),
  "webhooks.next_secret_sealed": statementsOf("webhooks", "next_secret_sealed"),
  "widgets.identity_secret_sealed": statementsOf("widgets", "identity_secret_sealed"),
  "idempotency_keys.body_sealed": statementsOf("idempotency_keys", "body_sealed"),
  "jobs.payload_sealed": statementsOf("jobs", "payload_sealed"),
};

/** The row of a stored answer, as its sealed text names it. */
export const answerId = (apiKeyId: string, key: string): string => `${apiKeyId} ${key}`;

type SealedTable = "webhooks" | "widgets" | "idempotency_keys" | "jobs";

function statementsOf<T extends SealedTable>(table: T, column: keyof Tables[T] & string): SealedTexts {
  const text = sql.ref<string>(`${table}.${column}`);
  // The columns of the key in one text; an id has no space in it. PostgreSQL wants its uuid told to be a text.
  const id =
    table === "idempotency_keys"
      ? sql<string>`cast(api_key_id as text) || ' ' || ${sql.ref("idempotency_keys.key")}`
      : sql<string>`cast(id as text)`;
  return {
    older: statement<Search, SealedText>((db, param) =>
      db
        .selectFrom(table as "jobs")
        .select([id.as("id"), text.as("sealed")])
        .where("team_id", "=", param("team_id"))
        // An ended job has an empty one.
        .where(
          sql<SqlBool>`${text} <> '' and substr(${text}, 1, length(${param("sealed_now")})) <> ${param("sealed_now")}`,
        )
        .limit(param("limit")),
    ),
    replace: statement<Replacement>((db, param) =>
      db
        .updateTable(table as "jobs")
        .set({ [column]: param("fresh") })
        .where("team_id", "=", param("team_id"))
        .where(sql<SqlBool>`${id} = ${param("id")} and ${text} = ${param("sealed")}`),
    ),
  };
}
