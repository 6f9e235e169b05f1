import type { PageRequest } from "@frontdesk/core/domain/page";
import type { Operation } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import type { QueuedChangeRow } from "../storage/tables.ts";
import { findAssistant } from "./get-assistant.ts";
import { queuedChangePage, queuedChangeTotal } from "./queued-change-store.ts";

/**
 * What a connection has queued, newest first, and how each ended (decision 60).
 *
 * @throws Refusal `not-found`
 */
export const listQueuedChanges: Operation<PageRequest & { assistantId: string }, Listed<QueuedChangeRow>> = {
  name: "list-queued-changes",
  mode: "read",
  async run(ctx, { assistantId, ...page }) {
    const { id } = await findAssistant(ctx, assistantId);
    const own = { team_id: ctx.teamId, assistant_id: id };
    const [counted, rows] = await Promise.all([
      ctx.db.first(queuedChangeTotal, own),
      ctx.db.all(queuedChangePage, { ...own, ...pageWindow(page) }),
    ]);
    return { rows, total: counted?.total ?? 0 };
  },
};
