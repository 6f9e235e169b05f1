import type { PageRequest } from "@frontdesk/core/domain/page";
import type { Operation } from "../context.ts";
import { pageWindow } from "../list.ts";
import type { ToolCallRow } from "../storage/tables.ts";
import { toolCallPage } from "./tool-call-store.ts";
import { findAssistant } from "./update-assistant.ts";

/**
 * What a connection has called, newest first.
 *
 * @throws Refusal `not-found`
 */
export const listToolCalls: Operation<PageRequest & { assistantId: string }, ToolCallRow[]> = {
  name: "list-tool-calls",
  mode: "read",
  async run(ctx, { assistantId, ...page }) {
    const { id } = await findAssistant(ctx, assistantId);
    return ctx.db.all(toolCallPage, { team_id: ctx.teamId, assistant_id: id, ...pageWindow(page) });
  },
};
