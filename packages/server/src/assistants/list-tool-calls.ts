import { type Tool, tools } from "@frontdesk/core/contract";
import type { PageRequest } from "@frontdesk/core/domain/page";
import { apiKeyScopes, scopesMissing, scopesToGrant } from "@frontdesk/core/domain/policy";
import type { Actor } from "../access/actor.ts";
import { heldScopes } from "../access/by-actor.ts";
import type { Operation } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import type { ToolCallRow } from "../storage/tables.ts";
import { findAssistant } from "./get-assistant.ts";
import { toolCallPage, toolCallTotal } from "./tool-call-store.ts";

/**
 * The most that are listed: counting a million of them, and skipping them, takes 0.2 s each, in the process that answers all
 * requests.
 */
const LISTED_MAX = 100_000;

const toolByName = new Map<string, Tool>(Object.entries(tools));

/**
 * What a connection has called, newest first; of more than 100,000 calls the newest ones. An API key that may not do what a
 * tool does sees that it was called, without its arguments: they contain what was written.
 *
 * @throws Refusal `not-found`
 */
export const listToolCalls: Operation<PageRequest & { assistantId: string }, Listed<ToolCallRow>> = {
  name: "list-tool-calls",
  mode: "read",
  async run(ctx, { assistantId, ...page }) {
    const { id } = await findAssistant(ctx, assistantId);
    const own = { team_id: ctx.teamId, assistant_id: id };
    const { limit, offset } = pageWindow(page);
    const listed = Math.min(limit, LISTED_MAX - offset);
    const [counted, rows] = await Promise.all([
      ctx.db.first(toolCallTotal, { ...own, most: LISTED_MAX }),
      listed > 0 ? ctx.db.all(toolCallPage, { ...own, limit: listed, offset }) : [],
    ]);
    return {
      rows: rows.map((row) => (maySeeArguments(ctx.actor, row) ? row : withoutArguments(row))),
      total: counted?.total ?? 0,
    };
  },
};

function maySeeArguments(actor: Actor, { tool }: ToolCallRow): boolean {
  const called = toolByName.get(tool);
  // A tool that this version does not know may have needed anything.
  const needed = called ? scopesToGrant[called.permission] : apiKeyScopes;
  return scopesMissing(needed, heldScopes(actor)).length === 0;
}

const withoutArguments = (row: ToolCallRow): ToolCallRow => ({ ...row, arguments: "{}", message: null });
