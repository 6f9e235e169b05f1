import { canonicalId } from "@frontdesk/core/domain/id";
import type { PageRequest } from "@frontdesk/core/domain/page";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../../context.ts";
import { type Listed, pageWindow } from "../../list.ts";
import { openRun, type ShownRun } from "./open-run.ts";
import { aiRunById, aiRunPage, aiRunPageOf, aiRunTotal, aiRunTotalOf } from "./run-store.ts";

/** The runs of the AI, newest first, of the team or of one conversation. An id that is none finds none. */
export const listAiRuns: Operation<PageRequest & { conversationId: string | undefined }, Listed<ShownRun>> = {
  name: "list-ai-runs",
  mode: "read",
  async run(ctx, { conversationId, ...page }) {
    const of = { team_id: ctx.teamId };
    const window = { ...of, ...pageWindow(page) };
    const conversation_id = conversationId === undefined ? undefined : canonicalId(conversationId);
    if (conversationId !== undefined && conversation_id === undefined) return { rows: [], total: 0 };
    const [rows, total] = await (conversation_id === undefined
      ? Promise.all([ctx.db.all(aiRunPage, window), ctx.db.first(aiRunTotal, of)])
      : Promise.all([
          ctx.db.all(aiRunPageOf, { ...window, conversation_id }),
          ctx.db.first(aiRunTotalOf, { ...of, conversation_id }),
        ]));
    return { rows: rows.map((row) => openRun(ctx, row)), total: Number(total?.total ?? 0) };
  },
};

/** @throws Refusal `not-found` */
export const getAiRun: Operation<{ runId: string }, ShownRun> = {
  name: "get-ai-run",
  mode: "read",
  async run(ctx, { runId }) {
    const id = canonicalId(runId);
    const row = id && (await ctx.db.first(aiRunById, { team_id: ctx.teamId, id }));
    if (!row) throw notFound("ai-run");
    return openRun(ctx, row);
  },
};
