import { canonicalId } from "@frontdesk/core/domain/id";
import type { AuditedOperation } from "@frontdesk/core/domain/policy";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import { LAST_ID } from "../ids.ts";
import { auditPage, type NamedAuditRow } from "./audit-store.ts";

export interface AskedAudit {
  /** The `next` of the previous page. */
  before: string | undefined;
  limit: number;
  /** The operation; all when left out. */
  action?: AuditedOperation | undefined;
  /** The agent or the API key who did it; all when left out. */
  actorId?: string | undefined;
}

/** One page of the audit log, newest first. */
export const listAuditLog: Operation<AskedAudit, { rows: NamedAuditRow[]; next: string | null }> = {
  name: "list-audit-log",
  mode: "read",
  async run(ctx, { before, limit, action = null, actorId }) {
    const id = before === undefined ? LAST_ID : canonicalId(before);
    if (!id) throw invalid({ before: "past-page" });
    // One more than is shown tells whether there is a next page.
    const rows = await ctx.db.all(auditPage, {
      team_id: ctx.teamId,
      before: id,
      limit: limit + 1,
      action,
      actor_id: actorId === undefined ? null : (canonicalId(actorId) ?? NOBODY),
    });
    const shown = rows.slice(0, limit);
    return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
  },
};

/** An id that nothing has. */
const NOBODY = "00000000-0000-0000-0000-000000000000";
