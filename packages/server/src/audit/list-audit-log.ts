import { canonicalId } from "@frontdesk/core/domain/id";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import { auditPage, type NamedAuditRow } from "./audit-store.ts";

/** One page of the audit log, newest first; `before` is the `next` of the page before it. */
export const listAuditLog: Operation<
  { before: string | undefined; limit: number },
  { rows: NamedAuditRow[]; next: string | null }
> = {
  name: "list-audit-log",
  mode: "read",
  async run(ctx, { before, limit }) {
    const id = before === undefined ? LAST_ID : canonicalId(before);
    if (!id) throw invalid({ before: "Must be the `next` of the page before." });
    // One more than is shown tells whether there is a next page.
    const rows = await ctx.db.all(auditPage, { team_id: ctx.teamId, before: id, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
  },
};

/** Behind every id. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
