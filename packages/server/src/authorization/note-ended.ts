import type { AssistantWithCreator } from "../assistants/assistant.ts";
import { updateAppRow } from "../assistants/assistant-store.ts";
import { readApp } from "../assistants/connected-app.ts";
import type { Context } from "../context.ts";

/** Keeps for the people of the team that a grant of the app was ended by us, until they connect it again. */
export function noteEnded(ctx: Context, { id, app }: AssistantWithCreator): void {
  const before = readApp(app);
  if (!before) return;
  const after = { ...before, endedAt: ctx.now };
  ctx.write(updateAppRow, { team_id: ctx.teamId, id, app: JSON.stringify(after), updated_at: ctx.now });
}
