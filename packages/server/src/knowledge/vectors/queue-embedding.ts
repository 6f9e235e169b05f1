import { aiOfTeam } from "../../ai/settings/ai-settings-store.ts";
import { hasEmbeddingModel } from "../../ai/settings/open-ai-settings.ts";
import type { Context, Operation } from "../../context.ts";
import type { EventFacts } from "../../events/event.ts";
import type { CommittedEvent } from "../../followers.ts";
import { enqueueUnlessWaiting } from "../../jobs/enqueue-unless-waiting.ts";
import type { QueueRef } from "../../outbox/receiver.ts";

const OF_ARTICLES: ReadonlySet<string> = new Set<EventFacts["name"]>([
  ...(["article.created", "article.updated", "article.removed"] as const),
]);

/** An article was changed: what it means is looked at again, in a job, where the team has a model for that. */
export function queueEmbedding(ctx: Context, { facts }: CommittedEvent): Promise<QueueRef[]> | undefined {
  if (!OF_ARTICLES.has(facts.name)) return undefined;
  return embedIfChosen(ctx).then(() => []);
}

async function embedIfChosen(ctx: Context): Promise<void> {
  const row = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
  if (hasEmbeddingModel(ctx, row)) await enqueueEmbedding(ctx);
}

/** Another model, or none: the vectors that there are have to change, or to go. A repeat enqueues nothing more. */
export const enqueueEmbedding = (ctx: Context): Promise<void> =>
  enqueueUnlessWaiting(ctx, { kind: "embed-articles", payload: {}, queueKey: "embed-articles" });

/** For a search that has found no vector of the model that is in use: the operator has set another one. */
export const queueEmbeddingAgain: Operation<Record<string, never>, void> = {
  name: "queue-embedding",
  mode: "write",
  run: embedIfChosen,
};
