import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import type { AssistantWithCreator } from "./assistant.ts";
import { assistantById } from "./assistant-store.ts";

/**
 * One connection, without its token.
 *
 * @throws Refusal `not-found`
 */
export const getAssistant: Operation<{ assistantId: string }, AssistantWithCreator> = {
  name: "get-assistant",
  mode: "read",
  run: (ctx, { assistantId }) => findAssistant(ctx, assistantId),
};

/** @throws Refusal `not-found`, the same for a missing one, another team's, and a text that is not an id */
export async function findAssistant(ctx: Context, assistantId: string): Promise<AssistantWithCreator> {
  const id = canonicalId(assistantId);
  const assistant = id && (await ctx.db.first(assistantById, { team_id: ctx.teamId, id }));
  if (!assistant) throw notFound("assistant");
  return assistant;
}
