import { hideDue } from "@frontdesk/server/privacy/apply-retention";
import { updateRetention } from "@frontdesk/server/privacy/update-retention";
import type { Storage } from "@frontdesk/server/storage/database";
import { query } from "./second-app.ts";
import type { TestApp } from "./test-kit.ts";

/** Erases every file that a team has by retention, as if all were old, without waiting for the notice and for the daily run. */
export async function eraseOldFiles(
  { app: { perform }, storage }: { app: Pick<TestApp["app"], "perform">; storage: Storage },
  teamId: string,
): Promise<void> {
  const system = { kind: "system", teamId } as const;
  await perform(system, updateRetention, { files_after_days: 1 });
  await query(storage, `UPDATE retention SET starts_at = 0 WHERE team_id = '${teamId}'`);
  await query(storage, `UPDATE attachments SET created_at = 0 WHERE team_id = '${teamId}'`);
  while ((await perform(system, hideDue, {})).isMore);
}
