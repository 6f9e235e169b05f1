import type { PageRequest } from "@frontdesk/core/domain/page";
import type { Operation } from "../context.ts";
import { pageWindow } from "../list.ts";
import type { QueuedChangeRow } from "../storage/tables.ts";
import { queuedChangePage } from "./queued-change-store.ts";

/** What assistants have queued, newest first, and how each ended (decision 60). */
export const listQueuedChanges: Operation<PageRequest, QueuedChangeRow[]> = {
  name: "list-queued-changes",
  mode: "read",
  run: (ctx, page) => ctx.db.all(queuedChangePage, { team_id: ctx.teamId, ...pageWindow(page) }),
};
