import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { inboxAgentId } from "./inbox-agent.ts";
import { ownReadsIn, putOwnRead } from "./own-read-store.ts";

/** How far the agent has read conversations, by their ids (docs/decisions/0044-triage.md). */
export async function ownReads(
  ctx: Pick<Context, "db" | "teamId" | "actor">,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const of = { team_id: ctx.teamId, agent_id: inboxAgentId(ctx), conversation_ids: listParam(ids) };
  const rows = await ctx.db.all(ownReadsIn, of);
  return new Map(rows.map(({ conversation_id, read_number }) => [conversation_id, read_number]));
}

/** Notes that the agent has read up to a number. Nothing is written, unless they had read less. */
export async function readForOneself(ctx: Context, conversationId: string, readNumber: number): Promise<void> {
  const before = (await ownReads(ctx, [conversationId])).get(conversationId) ?? 0;
  if (readNumber <= before) return;
  const key = { team_id: ctx.teamId, agent_id: inboxAgentId(ctx), conversation_id: conversationId };
  ctx.write(putOwnRead, { ...key, read_number: readNumber });
}
