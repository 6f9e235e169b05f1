import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { deleteExportsOfContacts, giveUpExportFiles } from "./export-store.ts";

/**
 * Deletes every export of contacts in this same commit, since each holds a copy of what is erased. One that runs finds that out at
 * its next read, and stops.
 */
export function dropExports(ctx: Context, contactIds: readonly string[]): void {
  const of = { team_id: ctx.teamId, contact_ids: listParam([...new Set(contactIds)]) };
  ctx.write(giveUpExportFiles, of);
  ctx.write(deleteExportsOfContacts, of);
}
