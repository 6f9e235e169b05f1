/** Authenticator apps, recovery codes, and the codes that agents typed wrong. Passkeys are in `passkey-store.ts`. */
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { AuthenticatorAppRow, CodeFailuresRow, RecoveryCodeRow, SecondStepRow } from "../storage/tables.ts";

interface OfAgent {
  team_id: string;
  agent_id: string;
}

/** Also one that is not confirmed. */
export const appOfAgent = statement<OfAgent, AuthenticatorAppRow>((db, param) =>
  db
    .selectFrom("authenticator_apps")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id")),
);

export const agentsWithApp = statement<{ team_id: string }, { agent_id: string }>((db, param) =>
  db
    .selectFrom("authenticator_apps")
    .select("agent_id")
    .where("team_id", "=", param("team_id"))
    .where("confirmed_at", "is not", null),
);

export const insertApp = statement<AuthenticatorAppRow>((db, param) =>
  db.insertInto("authenticator_apps").values(wholeRow(param, "authenticator_apps")),
);

export const confirmAppRow = statement<Pick<AuthenticatorAppRow, "team_id" | "id" | "last_step" | "confirmed_at">>(
  (db, param) =>
    db
      .updateTable("authenticator_apps")
      .set(every(param, ["last_step", "confirmed_at"]))
      .where("team_id", "=", param("team_id"))
      .where("id", "=", param("id")),
);

export const noteCodeUsed = statement<Pick<AuthenticatorAppRow, "team_id" | "id" | "last_step" | "last_used_at">>(
  (db, param) =>
    db
      .updateTable("authenticator_apps")
      .set(every(param, ["last_step", "last_used_at"]))
      .where("team_id", "=", param("team_id"))
      .where("id", "=", param("id")),
);

export const deleteApp = statement<OfAgent>((db, param) =>
  db.deleteFrom("authenticator_apps").where("team_id", "=", param("team_id")).where("agent_id", "=", param("agent_id")),
);

export const insertRecoveryCode = statement<RecoveryCodeRow>((db, param) =>
  db.insertInto("recovery_codes").values(wholeRow(param, "recovery_codes")),
);

export const recoveryCodesOfAgent = statement<OfAgent, Pick<RecoveryCodeRow, "code_hash">>((db, param) =>
  db
    .selectFrom("recovery_codes")
    .select("code_hash")
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id")),
);

export const deleteRecoveryCode = statement<OfAgent & { code_hash: string }>((db, param) =>
  db
    .deleteFrom("recovery_codes")
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("code_hash", "=", param("code_hash")),
);

export const deleteRecoveryCodes = statement<OfAgent>((db, param) =>
  db.deleteFrom("recovery_codes").where("team_id", "=", param("team_id")).where("agent_id", "=", param("agent_id")),
);

export const codeFailuresOfAgent = statement<OfAgent, CodeFailuresRow>((db, param) =>
  db
    .selectFrom("code_failures")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id")),
);

export const keepCodeFailures = statement<CodeFailuresRow>((db, param) =>
  db
    .insertInto("code_failures")
    .values(wholeRow(param, "code_failures"))
    .onConflict((conflict) =>
      conflict.columns(["team_id", "agent_id"]).doUpdateSet(every(param, ["since", "failures"])),
    ),
);

export const insertSecondStep = statement<SecondStepRow>((db, param) =>
  db.insertInto("second_steps").values(wholeRow(param, "second_steps")),
);

export const secondStepByToken = statement<{ team_id: string; token_hash: string }, SecondStepRow>((db, param) =>
  db
    .selectFrom("second_steps")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("token_hash", "=", param("token_hash")),
);

export const deleteSecondStep = statement<{ team_id: string; token_hash: string }>((db, param) =>
  db.deleteFrom("second_steps").where("team_id", "=", param("team_id")).where("token_hash", "=", param("token_hash")),
);

export const deleteSecondStepsOfAgent = statement<OfAgent>((db, param) =>
  db.deleteFrom("second_steps").where("team_id", "=", param("team_id")).where("agent_id", "=", param("agent_id")),
);

export interface OldSecondSteps {
  before: number;
}

export const teamsWithOldSecondSteps = statement<OldSecondSteps, { team_id: string }>((db, param) =>
  db.selectFrom("second_steps").select("team_id").distinct().where("expires_at", "<=", param("before")),
);

export const deleteOldSecondSteps = statement<OldSecondSteps & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("second_steps")
    .where("team_id", "=", param("team_id"))
    .where("token_hash", "in", ({ selectFrom }) =>
      selectFrom("second_steps")
        .select("token_hash")
        .where("team_id", "=", param("team_id"))
        .where("expires_at", "<=", param("before"))
        .limit(param("limit")),
    ),
);

/** For a restored backup. */
export const deleteEverySecondStep = statement<Record<never, never>>((db) => db.deleteFrom("second_steps"));
