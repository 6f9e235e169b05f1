/** What goes with an agent who is removed. */
import { sql } from "kysely";
import type { AssistantState } from "../assistants/assistant.ts";
import { every, statement } from "../storage/statement.ts";
import type { AgentRow, Tables } from "../storage/tables.ts";

interface OfAgent {
  team_id: string;
  agent_id: string;
}

type TableOfAgents = { [T in keyof Tables]: "agent_id" extends keyof Tables[T] ? T : never }[keyof Tables];

function deleteOfAgent(table: TableOfAgents) {
  return statement<OfAgent>((db, param) =>
    db
      .deleteFrom(table as "drafts")
      .where("team_id", "=", param("team_id"))
      .where("agent_id", "=", param("agent_id")),
  );
}

const deleteTimersOfHeldReplies = statement<OfAgent>((db, param) =>
  db
    .deleteFrom("timers")
    .where("team_id", "=", param("team_id"))
    .where("kind", "=", sql.lit("send-held-reply"))
    .where("subject_id", "in", (query) =>
      query
        .selectFrom("held_replies")
        .select("held_replies.client_id")
        .where("held_replies.team_id", "=", param("team_id"))
        .where("held_replies.agent_id", "=", param("agent_id")),
    ),
);

const deleteSignIns = statement<OfAgent & { email_folded: string }>((db, param) =>
  db
    .deleteFrom("sign_ins")
    .where("email_folded", "=", param("email_folded"))
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id")),
);

/** In their order: timers are found by the held replies. Notes keep the ids of those they mention. */
export const deletionsOfAgent = {
  timers: deleteTimersOfHeldReplies,
  held_replies: deleteOfAgent("held_replies"),
  drafts: deleteOfAgent("drafts"),
  own_reads: deleteOfAgent("own_reads"),
  saved_views: deleteOfAgent("saved_views"),
  preferences: deleteOfAgent("preferences"),
  canned_replies: deleteOfAgent("canned_replies"),
  sessions: deleteOfAgent("sessions"),
  sso_identities: deleteOfAgent("sso_identities"),
  break_glass_owners: deleteOfAgent("break_glass_owners"),
  password_resets: deleteOfAgent("password_resets"),
  authenticator_apps: deleteOfAgent("authenticator_apps"),
  passkeys: deleteOfAgent("passkeys"),
  recovery_codes: deleteOfAgent("recovery_codes"),
  known_browsers: deleteOfAgent("known_browsers"),
  second_steps: deleteOfAgent("second_steps"),
  code_failures: deleteOfAgent("code_failures"),
  invitations: deleteOfAgent("invitations"),
  sign_ins: deleteSignIns,
} as const;

export const revokeKeysOf = statement<OfAgent & { revoked_at: number }>((db, param) =>
  db
    .updateTable("api_keys")
    .set({ revoked_at: param("revoked_at") })
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("revoked_at", "is", null),
);

export const revokeAssistantsOf = statement<OfAgent & { updated_at: number }>((db, param) =>
  db
    .updateTable("assistants")
    .set({ state: sql.lit("revoked" satisfies AssistantState), updated_at: param("updated_at") })
    .where("team_id", "=", param("team_id"))
    .where("created_by", "=", param("agent_id"))
    .where("state", "<>", sql.lit("revoked" satisfies AssistantState)),
);

const PERSONAL = [
  "email",
  "email_folded",
  "name",
  "profile_photo_url",
  "resized_profile_photo_url",
  "password_hash",
  "last_active_at",
  "availability",
  "removed_at",
] as const satisfies (keyof AgentRow)[];

export const removeAgentRow = statement<Pick<AgentRow, "team_id" | "id" | (typeof PERSONAL)[number]>>((db, param) =>
  db
    .updateTable("agents")
    .set(every(param, PERSONAL))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);
