import { erasesAnything } from "@frontdesk/core/domain/retention";
import type { SystemActor } from "../access/actor.ts";
import type { Context, Operation } from "../context.ts";
import type { JobHandler } from "../jobs/job.ts";
import type { FiredTimer } from "../timers/timer.ts";
import { beginErasure } from "./begin-erasure.ts";
import { dueKinds, findDue } from "./due-kinds.ts";
import { type EraseParts, eraseContents, eraseInRounds, type Hidden } from "./erase-job.ts";
import { erasedCounts } from "./erased-counts.ts";
import { erasureById, noteErased } from "./erasure-store.ts";
import { finishErasure } from "./finish-erasure.ts";
import { nextEventNumber } from "./hide-conversations.ts";
import { readRetention, rulesInForce } from "./retention.ts";
import { noteRun } from "./retention-store.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Once a day for a team that erases anything (docs/decisions/0055-retention.md):
 * ```
 *   timer apply-retention --> job apply-retention --> some is hidden --> erased --> some is hidden … until nothing is due
 *          \__ tomorrow again
 * ```
 * A run is one erasure. One that was cut off is gone on with by the next.
 */
export const applyRetention: Operation<FiredTimer<"apply-retention">, void> = {
  name: "apply-retention",
  mode: "write",
  async run(ctx, { subjectId, armedFor }) {
    const retention = await readRetention(ctx);
    const isOff = !erasesAnything(rulesInForce(retention, ctx.now)) && retention.startsAt === null;
    if (isOff) return;
    ctx.enqueue({ kind: "apply-retention", payload: {}, queueKey: "apply-retention" });
    ctx.setTimer({ kind: "apply-retention", subjectId, dueAt: Math.max(armedFor, ctx.now - DAY_MS) + DAY_MS });
  },
};

export function applyRetentionJob(parts: () => EraseParts): JobHandler<"apply-retention"> {
  return (_, { teamId, signal }) => retain(parts(), { teamId, signal });
}

/** A run, or the rest of one that was cut off. */
export async function retain(
  parts: EraseParts,
  { teamId, signal }: { teamId: string; signal?: AbortSignal },
): Promise<void> {
  const system: SystemActor = { kind: "system", teamId };
  const hideMore = () => parts.perform(system, hideDue, {});
  const { erasureId, unrecorded } = await eraseInRounds(parts, { teamId, signal }, hideMore);
  if (!erasureId) return;
  await eraseContents(parts);
  if (unrecorded) throw unrecorded;
  await parts.perform(system, endRun, { erasureId });
}

/** Hides, or erases at once, the oldest of what is due. */
export const hideDue: Operation<Record<string, never>, Hidden> = {
  name: "hide-due",
  mode: "write",
  async run(ctx) {
    const retention = await readRetention(ctx);
    const { row } = retention;
    if (!row) return { erasureId: undefined, isMore: false };
    const known = row.erasure_id && (await ctx.db.first(erasureById, { team_id: ctx.teamId, id: row.erasure_id }));
    const due = await nextDue(ctx, retention);
    if (due.length === 0) return { erasureId: known ? known.id : undefined, isMore: false };
    const erasure = known || beginErasure(ctx, { what: "retention", of: {}, by: { system: {} } });
    if (!known) ctx.write(noteRun, { team_id: ctx.teamId, erasure_id: erasure.id });
    const counts = erasedCounts(erasure.erased);
    const eventsBefore = await nextEventNumber(ctx);
    for (const each of due) await each.erase({ erasureId: erasure.id, counts, eventsBefore });
    ctx.write(noteErased, { team_id: ctx.teamId, id: erasure.id, erased: JSON.stringify(counts) });
    return { erasureId: erasure.id, isMore: true };
  },
};

/** The next run is another erasure. */
const endRun: Operation<{ erasureId: string }, void> = {
  name: "end-retention-run",
  mode: "write",
  async run(ctx, { erasureId }) {
    ctx.write(noteRun, { team_id: ctx.teamId, erasure_id: null });
    await finishErasure.run(ctx, { erasureId });
  },
};

async function nextDue(ctx: Context, retention: Awaited<ReturnType<typeof readRetention>>) {
  const rules = rulesInForce(retention, ctx.now);
  for (const kind of Object.values(dueKinds)) {
    const due = await findDue(ctx, kind, retention, rules, kind.atOnce);
    if (due.length > 0) return due;
  }
  return [];
}
