import { canonicalId } from "@frontdesk/core/domain/id";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../../context.ts";
import { LAST_ID } from "../../ids.ts";
import { type SpamRow, spamPage, spamTotal } from "./spam-store.ts";

export interface SpamList {
  rows: SpamRow[];
  /** The `before` of the next page; null when there is none. */
  next: string | null;
  /** Counted up to `most`. */
  total: number;
}

/**
 * A page of the team's spam, the newest first (docs/decisions/0065-spam.md).
 *
 * @throws Refusal `invalid` on `before`
 */
export const listSpam: Operation<{ before: string | undefined; limit: number; most: number }, SpamList> = {
  name: "list-spam",
  mode: "read",
  async run(ctx, { before, limit, most }) {
    const before_id = before === undefined ? LAST_ID : canonicalId(before);
    if (!before_id) throw invalid({ before: "no-such-place" });
    // One more than is shown tells whether there is a next page.
    const [rows, counted] = await Promise.all([
      ctx.db.all(spamPage, { team_id: ctx.teamId, before_id, limit: limit + 1 }),
      ctx.db.first(spamTotal, { team_id: ctx.teamId, most }),
    ]);
    const shown = rows.slice(0, limit);
    const next = rows.length > limit ? (shown.at(-1)?.id ?? null) : null;
    return { rows: shown, next, total: counted?.total ?? 0 };
  },
};
