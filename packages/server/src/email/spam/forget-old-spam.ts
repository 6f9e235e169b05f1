import type { Operation } from "../../context.ts";
import { firstIdOf } from "../../ids.ts";
import type { Perform } from "../../perform.ts";
import { dropUnimportedMails } from "../../privacy/drop-unimported-mails.ts";
import type { Storage } from "../../storage/database.ts";
import { oldSpam, teamsWithOldSpam } from "./spam-store.ts";

/** How long spam is kept. */
export const SPAM_LIFE_MS = 30 * 24 * 3_600_000;
/** In one commit, for which the team's other writes wait. */
const AT_ONCE = 100;

/** Some of the team's spam that is older than `beforeId` goes: at most 100 mails, none of senders on hold. Returns how many. */
export const forgetOldSpam: Operation<{ beforeId: string }, number> = {
  name: "forget-old-spam",
  mode: "write",
  async run(ctx, { beforeId: before_id }) {
    const old = await ctx.db.all(oldSpam, { team_id: ctx.teamId, before_id, now: ctx.now, limit: AT_ONCE });
    if (old.length > 0) dropUnimportedMails(ctx, old);
    return old.length;
  },
};

/**
 * The same for every team, until none is left.
 *
 * @param before ms since the epoch
 */
export async function forgetAllOldSpam(
  { storage, perform }: { storage: Storage; perform: Perform },
  before: number,
  goOn: () => boolean,
): Promise<number> {
  const beforeId = firstIdOf(before);
  let total = 0;
  for (const { team_id: teamId } of await storage.read((db) => db.all(teamsWithOldSpam, { before_id: beforeId }))) {
    let forgotten = AT_ONCE;
    while (forgotten === AT_ONCE && goOn()) {
      forgotten = await perform({ kind: "system", teamId }, forgetOldSpam, { beforeId });
      total += forgotten;
    }
  }
  return total;
}
