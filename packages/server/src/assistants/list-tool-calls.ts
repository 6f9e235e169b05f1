import type { PageRequest } from "@frontdesk/core/domain/page";
import type { Operation } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import type { ToolCallRow } from "../storage/tables.ts";
import { findAssistant } from "./get-assistant.ts";
import { toolCallPage, toolCallTotal } from "./tool-call-store.ts";

/**
 * What a connection has called, newest first.
 *
 * @throws Refusal `not-found`
 */
export const listToolCalls: Operation<PageRequest & { assistantId: string }, Listed<ToolCallRow>> = {
  name: "list-tool-calls",
  mode: "read",
  async run(ctx, { assistantId, ...page }) {
    const { id } = await findAssistant(ctx, assistantId);
    const own = { team_id: ctx.teamId, assistant_id: id };
    const [counted, rows] = await Promise.all([
      ctx.db.first(toolCallTotal, own),
      ctx.db.all(toolCallPage, { ...own, ...pageWindow(page) }),
    ]);
    return { rows, total: counted?.total ?? 0 };
  },
};
