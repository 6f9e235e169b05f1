import { canonicalId } from "@frontdesk/core/domain/id";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../../context.ts";
import { firstIdOf, LAST_ID } from "../../ids.ts";
import { type QuietMailRow, type QuietState, quietMailPage } from "./held-mail-store.ts";

/** Older ones are in their conversations alone. */
export const HELD_LISTED_MS = 30 * 24 * 3_600_000;

type ListQuietMails = Operation<Page, { rows: QuietMailRow[]; next: string | null }>;

interface Page {
  before: string | undefined;
  limit: number;
}

/**
 * A page of the mails of senders who have sent too many at a time, the newest first. Each is a system message in its conversation.
 *
 * @throws Refusal `invalid` on `before`
 */
export const listHeldMails: ListQuietMails = {
  name: "list-held-mails",
  mode: "read",
  run: (ctx, page) => pageOf(ctx, "held", page),
};

/** The same of automatic mails that answer no conversation: each has begun one, which is resolved. */
export const listAutomaticMails: ListQuietMails = {
  name: "list-automatic-mails",
  mode: "read",
  run: (ctx, page) => pageOf(ctx, "automatic", page),
};

async function pageOf(ctx: Context, state: QuietState, { before, limit }: Page) {
  const before_id = before === undefined ? LAST_ID : canonicalId(before);
  if (!before_id) throw invalid({ before: "no-such-place" });
  const after_id = firstIdOf(ctx.now - HELD_LISTED_MS);
  // One more than is shown tells whether there is a next page.
  const of = { team_id: ctx.teamId, after_id, before_id, limit: limit + 1 };
  const rows = await ctx.db.all(quietMailPage[state], of);
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}
