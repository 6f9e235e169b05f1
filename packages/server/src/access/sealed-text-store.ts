import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { type Statement, statement } from "../storage/statement.ts";
import type { Tables } from "../storage/tables.ts";
import type { SealedColumn } from "./vault.ts";

/** A sealed text and the row that it is in. */
export interface SealedText {
  /** Identifies the row within its team, as `SealedPlace` does. */
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
  /** Replaces `sealed`; changes nothing when the row holds another text meanwhile. Found by the table's key. */
  replace(db: Database, replacement: Replacement): Promise<number>;
}

/** The statements of each column with sealed texts. */
export const sealedTexts: Record<SealedColumn, SealedTexts> = {
  "webhooks.secret_sealed": {
    older: olderTexts("webhooks", "secret_sealed"),
    replace: byId("webhooks", "secret_sealed"),
  },
  "webhooks.next_secret_sealed": {
    older: olderTexts("webhooks", "next_secret_sealed"),
    replace: byId("webhooks", "next_secret_sealed"),
  },
  "widgets.identity_secret_sealed": {
    older: olderTexts("widgets", "identity_secret_sealed"),
    replace: byId("widgets", "identity_secret_sealed"),
  },
  "channel_accounts.secrets_sealed": {
    older: olderTexts("channel_accounts", "secrets_sealed"),
    replace: byId("channel_accounts", "secrets_sealed"),
  },
  "mail_grants.tokens_sealed": {
    older: olderTexts("mail_grants", "tokens_sealed"),
    replace: byId("mail_grants", "tokens_sealed"),
  },
  "mail_grants.asked_sealed": {
    older: olderTexts("mail_grants", "asked_sealed"),
    replace: byId("mail_grants", "asked_sealed"),
  },
  "authenticator_apps.secret_sealed": {
    older: olderTexts("authenticator_apps", "secret_sealed"),
    replace: byId("authenticator_apps", "secret_sealed"),
  },
  "sso_providers.secret_sealed": {
    older: olderTexts("sso_providers", "secret_sealed"),
    replace: byId("sso_providers", "secret_sealed"),
  },
  "ai_settings.api_key_sealed": {
    older: olderTexts("ai_settings", "api_key_sealed", sql<string>`cast(ai_id as text)`),
    replace: (db, { id, ...texts }) => db.run(replaceAiKey, { ...texts, ai_id: id }),
  },
  "idempotency_keys.body_sealed": {
    older: olderTexts("idempotency_keys", "body_sealed", answerIdInSql()),
    replace: (db, { id, ...answer }) => db.run(replaceAnswer, { ...answer, ...rowOfAnswer(id) }),
  },
  "ai_runs.details_sealed": {
    older: olderTexts("ai_runs", "details_sealed"),
    replace: byId("ai_runs", "details_sealed"),
  },
  "erased_contacts.naming_sealed": {
    older: olderTexts("erased_contacts", "naming_sealed", sql<string>`cast(contact_id as text)`),
    replace: (db, { id, ...texts }) => db.run(replaceNaming, { ...texts, contact_id: id }),
  },
  "erasures.text_sealed": { older: olderTexts("erasures", "text_sealed"), replace: byId("erasures", "text_sealed") },
  "jobs.payload_sealed": { older: olderTexts("jobs", "payload_sealed"), replace: byId("jobs", "payload_sealed") },
};

/** The row of a stored answer, from the id of its sealed text; ids contain no space. */
export const answerId = (apiKeyId: string, key: string): string => `${apiKeyId} ${key}`;

function rowOfAnswer(id: string): { api_key_id: string; key: string } {
  const space = id.indexOf(" ");
  return { api_key_id: id.slice(0, space), key: id.slice(space + 1) };
}

type SealedTable =
  | "ai_runs"
  | "authenticator_apps"
  | "webhooks"
  | "widgets"
  | "channel_accounts"
  | "mail_grants"
  | "sso_providers"
  | "erasures"
  | "jobs";

function byId<T extends SealedTable>(table: T, column: keyof Tables[T] & string): SealedTexts["replace"] {
  const replace = statement<Replacement>((db, param) =>
    db
      .updateTable(table as "jobs")
      .set({ [column]: param("fresh") })
      .where("team_id", "=", param("team_id"))
      .where("id", "=", param("id"))
      .where(sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${param("sealed")}`),
  );
  return (db, replacement) => db.run(replace, replacement);
}

/** @param id what identifies a row, in one text */
function olderTexts<T extends SealedTable | "ai_settings" | "idempotency_keys" | "erased_contacts">(
  table: T,
  column: keyof Tables[T] & string,
  id: RawBuilder<string> = sql<string>`cast(id as text)`,
): Statement<Search, SealedText> {
  const text = sql.ref<string>(`${table}.${column}`);
  return statement<Search, SealedText>((db, param) =>
    db
      .selectFrom(table as "jobs")
      .select([id.as("id"), text.as("sealed")])
      .where("team_id", "=", param("team_id"))
      // An ended job has an empty one.
      .where(
        sql<SqlBool>`${text} <> '' and substr(${text}, 1, length(${param("sealed_now")})) <> ${param("sealed_now")}`,
      )
      .limit(param("limit")),
  );
}

function answerIdInSql(): RawBuilder<string> {
  return sql<string>`cast(api_key_id as text) || ' ' || ${sql.ref("idempotency_keys.key")}`;
}

const replaceAiKey = statement<Omit<Replacement, "id"> & { ai_id: string }>((db, param) =>
  db
    .updateTable("ai_settings")
    .set({ api_key_sealed: param("fresh") })
    .where("team_id", "=", param("team_id"))
    .where("ai_id", "=", param("ai_id"))
    .where("api_key_sealed", "=", param("sealed")),
);

const replaceNaming = statement<Omit<Replacement, "id"> & { contact_id: string }>((db, param) =>
  db
    .updateTable("erased_contacts")
    .set({ naming_sealed: param("fresh") })
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .where("naming_sealed", "=", param("sealed")),
);

type AnswerReplacement = Omit<Replacement, "id"> & { api_key_id: string; key: string };

const replaceAnswer = statement<AnswerReplacement>((db, param) =>
  db
    .updateTable("idempotency_keys")
    .set({ body_sealed: param("fresh") })
    .where("team_id", "=", param("team_id"))
    .where("api_key_id", "=", param("api_key_id"))
    .where("key", "=", param("key"))
    .where("body_sealed", "=", param("sealed")),
);
