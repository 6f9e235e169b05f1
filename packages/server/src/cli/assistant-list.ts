import { readGrant } from "../assistants/assistant.ts";
import { listAssistants } from "../assistants/list-assistants.ts";
import type { AssistantRow } from "../storage/tables.ts";
import { isoTimeOrNull } from "../timestamp.ts";
import { chooseTeam } from "./choose-team.ts";
import { defineCommand, teamOption } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/** All at once: a terminal has no pages. */
const ALL = { page: 1, limit: Number.MAX_SAFE_INTEGER };

/** `frontdesk assistant list`: the team's connections of assistants, without their tokens. */
export const assistantList = defineCommand({
  name: "assistant list",
  summary: "Lists a team's assistants.",
  options: { team: teamOption },
  async run(values, { settings, print }) {
    const { rows } = await withStorage(settings, async ({ storage, perform }) =>
      perform(await chooseTeam(storage, values.team), listAssistants, ALL),
    );
    print({
      json: rows.map((row) => ({
        id: row.id,
        name: row.name,
        state: row.state,
        ending: row.token_ending,
        ...readGrant(row),
        agent_id: row.agent_id,
        created_by: row.created_by,
        created_at: isoTimeOrNull(row.created_at),
        updated_at: isoTimeOrNull(row.updated_at),
        last_used_at: isoTimeOrNull(row.last_used_at),
      })),
      text:
        rows.map(line).join("\n") ||
        "No assistants yet. Create one with: frontdesk assistant create --name N --permissions all --widgets all",
    });
  },
});

function line(row: AssistantRow): string {
  const used = `last used ${isoTimeOrNull(row.last_used_at) ?? "never"}`;
  return `${row.id}  …${row.token_ending}  ${row.name}, ${row.state}, ${used}`;
}
