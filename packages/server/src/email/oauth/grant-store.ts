import { every, statement } from "../../storage/statement.ts";
import type { MailGrantRow } from "../../storage/tables.ts";

/** `id`: the account. */
export type OfGrant = Pick<MailGrantRow, "team_id" | "id">;

export const grantById = statement<OfGrant, MailGrantRow>((db, param) =>
  db.selectFrom("mail_grants").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** A sign-in has begun; one that was begun before ends nowhere. */
export const askForGrant = statement<OfGrant & { asked_sealed: string }>((db, param) =>
  db
    .insertInto("mail_grants")
    .values({ ...every(param, ["team_id", "id", "asked_sealed"]), tokens_sealed: null, renewing_until: 0 })
    .onConflict((conflict) => conflict.columns(["team_id", "id"]).doUpdateSet({ asked_sealed: param("asked_sealed") })),
);

/** Of several answers to one sign-in the first changes a row. */
export const endAsking = statement<OfGrant & { asked_sealed: string }>((db, param) =>
  db
    .updateTable("mail_grants")
    .set({ asked_sealed: null })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("asked_sealed", "=", param("asked_sealed")),
);

export const saveTokens = statement<OfGrant & { tokens_sealed: string }>((db, param) =>
  db
    .updateTable("mail_grants")
    .set({ tokens_sealed: param("tokens_sealed"), renewing_until: 0 })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** The tokens of an app that needs no person; those of before are replaced. */
export const keepTokens = statement<OfGrant & { tokens_sealed: string }>((db, param) =>
  db
    .insertInto("mail_grants")
    .values({ ...every(param, ["team_id", "id", "tokens_sealed"]), asked_sealed: null, renewing_until: 0 })
    .onConflict((conflict) =>
      conflict.columns(["team_id", "id"]).doUpdateSet({ tokens_sealed: param("tokens_sealed"), renewing_until: 0 }),
    ),
);

/** One process renews a token: of several the first changes a row, until its time is over. */
export const beginRenewing = statement<OfGrant & { renewing_until: number; now: number; before: string }>((db, param) =>
  db
    .updateTable("mail_grants")
    .set({ renewing_until: param("renewing_until") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("renewing_until", "<=", param("now"))
    // Another process may have renewed them since they were read: a token to renew with may count only once.
    .where("tokens_sealed", "=", param("before")),
);

/** Only its own: another sign-in may have replaced the tokens meanwhile. */
export const endRenewing = statement<OfGrant & { renewing_until: number }>((db, param) =>
  db
    .updateTable("mail_grants")
    .set({ renewing_until: 0 })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("renewing_until", "=", param("renewing_until")),
);

/** The tokens that were renewed, unless a new sign-in has replaced them meanwhile. */
export const replaceTokens = statement<OfGrant & { tokens_sealed: string; before: string }>((db, param) =>
  db
    .updateTable("mail_grants")
    .set({ tokens_sealed: param("tokens_sealed"), renewing_until: 0 })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("tokens_sealed", "=", param("before")),
);

export const deleteGrant = statement<OfGrant>((db, param) =>
  db.deleteFrom("mail_grants").where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);
