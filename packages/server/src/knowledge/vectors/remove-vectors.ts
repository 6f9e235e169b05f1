import type { Context } from "../../context.ts";
import { listParam } from "../../storage/dialect.ts";
import {
  deleteVectors,
  deleteVectorsOfArticle,
  fingerprintsOfArticles,
  putVectorVersions,
  someVector,
  vectorVersions,
} from "./vector-store.ts";

/** Removes what the passages of an article mean; nothing happens where there are none. */
export async function removeVectorsOf(ctx: Context, articleId: string): Promise<void> {
  const stored = await ctx.db.all(fingerprintsOfArticles, { team_id: ctx.teamId, ids: listParam([articleId]) });
  if (stored.length === 0) return;
  ctx.write(deleteVectorsOfArticle, { team_id: ctx.teamId, article_id: articleId });
  await nextVersion(ctx, { removes: true });
}

/** Removes all vectors of the team. */
export async function removeAllVectors(ctx: Context): Promise<void> {
  if (!(await ctx.db.first(someVector, { team_id: ctx.teamId }))) return;
  ctx.write(deleteVectors, { team_id: ctx.teamId });
  await nextVersion(ctx, { removes: true });
}

/** The number of a change of the team's vectors. It never goes back, also when the last of them is gone. */
export async function nextVersion(ctx: Context, { removes }: { removes: boolean }): Promise<number> {
  const before = await ctx.db.first(vectorVersions, { team_id: ctx.teamId });
  const version = (before?.version ?? 0) + 1;
  const removed_version = removes ? version : (before?.removed_version ?? 0);
  const { floor = null, floor_by = null } = before ?? {};
  ctx.write(putVectorVersions, { team_id: ctx.teamId, version, removed_version, floor, floor_by });
  return version;
}
