import { canonicalId } from "@frontdesk/core/domain/id";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../../context.ts";
import { firstIdOf, LAST_ID } from "../../ids.ts";
import { type HeldMailRow, heldMailPage } from "./held-mail-store.ts";

/** Older ones are in their conversations alone. */
export const HELD_LISTED_MS = 30 * 24 * 3_600_000;

/**
 * A page of the mails of senders who have sent too many at a time, the newest first. Each is a system message in its conversation.
 *
 * @throws Refusal `invalid` on `before`
 */
export const listHeldMails: Operation<
  { before: string | undefined; limit: number },
  { rows: HeldMailRow[]; next: string | null }
> = {
  name: "list-held-mails",
  mode: "read",
  async run(ctx, { before, limit }) {
    const before_id = before === undefined ? LAST_ID : canonicalId(before);
    if (!before_id) throw invalid({ before: "no-such-place" });
    const after_id = firstIdOf(ctx.now - HELD_LISTED_MS);
    // One more than is shown tells whether there is a next page.
    const rows = await ctx.db.all(heldMailPage, { team_id: ctx.teamId, after_id, before_id, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
  },
};
