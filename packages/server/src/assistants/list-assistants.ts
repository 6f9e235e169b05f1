import type { Operation } from "../context.ts";
import type { AssistantRow } from "../storage/tables.ts";
import { assistantsOfTeam } from "./assistant-store.ts";

/** The team's assistant connections, oldest first, the revoked ones among them. */
export const listAssistants: Operation<Record<never, never>, AssistantRow[]> = {
  name: "list-assistants",
  mode: "read",
  run: (ctx) => ctx.db.all(assistantsOfTeam, { team_id: ctx.teamId }),
};
