import type { Context, Operation } from "../../context.ts";
import type { FiredTimer } from "../../timers/timer.ts";
import { findSite } from "./find-site.ts";

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** Nights begin at 1 o'clock UTC; the sites of an installation are spread over some hours. */
const NIGHT_FROM_MS = HOUR_MS;
const NIGHT_SPREAD_MS = 4 * HOUR_MS;

/** One site of a team is read at a time. */
export const SITES_QUEUE = "article-sites";

/** Reads the site now, after those of the team that wait, and every night. */
export function queueSite(ctx: Context, siteId: string): void {
  ctx.enqueue({ kind: "read-site", payload: { siteId }, queueKey: SITES_QUEUE });
  ctx.setTimer({ kind: "read-site", subjectId: siteId, dueAt: nextNight(ctx) });
}

function nextNight(ctx: Context): number {
  const tomorrow = Math.floor(ctx.now / DAY_MS) * DAY_MS + DAY_MS;
  const share = ctx.random(2).readUInt16BE() / 65_536;
  return tomorrow + NIGHT_FROM_MS + Math.floor(share * NIGHT_SPREAD_MS);
}

/** Every night: the same once more. @throws Refusal `not-found` for one that was removed, which ends the timer */
export const readSiteNightly: Operation<FiredTimer<"read-site">, void> = {
  name: "read-site",
  mode: "write",
  async run(ctx, { subjectId }) {
    const site = await findSite(ctx, subjectId);
    queueSite(ctx, site.id);
  },
};
