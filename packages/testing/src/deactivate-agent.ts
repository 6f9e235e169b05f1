import type { Storage } from "@frontdesk/server/storage/database";
import { statement } from "@frontdesk/server/storage/statement";

/** Deactivates an agent by SQL: also the last owner, whom no operation deactivates. */
export async function deactivate(storage: Storage, teamId: string, agentId: string): Promise<void> {
  const changed = await storage.write(teamId, (db) => db.run(deactivateAgent, { team_id: teamId, id: agentId }));
  if (changed !== 1) throw new Error("There is no such agent.");
}

const deactivateAgent = statement<{ team_id: string; id: string }>((db, param) =>
  db
    .updateTable("agents")
    .set({ status: "deactivated" })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);
