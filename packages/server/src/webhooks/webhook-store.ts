import { every, statement, wholeRow } from "../storage/statement.ts";
import type { WebhookRow } from "../storage/tables.ts";

type SecretColumn = "secret_sealed" | "next_secret_sealed" | "next_secret_at";

interface ById {
  team_id: string;
  id: string;
}

export const insertWebhook = statement<WebhookRow>((db, param) =>
  db.insertInto("webhooks").values(wholeRow(param, "webhooks")),
);

export const webhookById = statement<ById, WebhookRow>((db, param) =>
  db.selectFrom("webhooks").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** Oldest first, as the other settings. */
export const webhookPage = statement<{ team_id: string; limit: number; offset: number }, WebhookRow>((db, param) =>
  db
    .selectFrom("webhooks")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .orderBy("created_at")
    .orderBy("id")
    .limit(param("limit"))
    .offset(param("offset")),
);

export const updateWebhookRow = statement<Omit<WebhookRow, "created_at" | SecretColumn>>((db, param) =>
  db
    .updateTable("webhooks")
    .set(every(param, ["name", "endpoint_url", "is_active", "events", "updated_at"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const deleteWebhookRow = statement<ById>((db, param) =>
  db.deleteFrom("webhooks").where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** The secrets of a subscription: the one that signs, and the next one. */
export const updateWebhookSecrets = statement<ById & Pick<WebhookRow, SecretColumn | "updated_at">>((db, param) =>
  db
    .updateTable("webhooks")
    .set(every(param, ["secret_sealed", "next_secret_sealed", "next_secret_at", "updated_at"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);
