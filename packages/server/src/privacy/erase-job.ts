import type { SystemActor } from "../access/actor.ts";
import type { Vault } from "../access/vault.ts";
import type { JobHandler } from "../jobs/job.ts";
import type { Perform } from "../perform.ts";
import type { Storage } from "../storage/database.ts";
import { erasePiece } from "./erase-piece.ts";
import { eraseTraces } from "./erase-traces.ts";
import { erasureById } from "./erasure-store.ts";
import { finishErasure } from "./finish-erasure.ts";
import { hideSomeOfWidget } from "./hide-widget.ts";
import { noteRowsErased } from "./note-rows-erased.ts";

export interface EraseParts {
  storage: Storage;
  vault: Vault;
  perform: Perform;
  /** Writes what an erasure has hidden to the record outside the database. */
  record(erasure: OneErasure): Promise<void>;
  /** Removes the contents of files that no message has. */
  removeFiles(): Promise<unknown>;
  /** Lets other writes pass after a commit. Left out in a restore, where nobody else writes. */
  pace?<T>(commit: () => Promise<T>): Promise<T>;
}

export interface OneErasure {
  teamId: string;
  erasureId: string;
}

type Ongoing = OneErasure & { signal?: AbortSignal | undefined };

/**
 * Brings an erasure to its end:
 *
 * ```
 * recorded outside the database --> rows that name it elsewhere --> its own rows, in pieces --> what the engine keeps of them on the
 *   disk --> contents of files --> done
 * ```
 * A repeat goes on with what is left, so a job that died loses nothing.
 */
export function eraseJob(parts: () => EraseParts): JobHandler<"erase"> {
  return ({ erasureId }, { teamId, signal }) => erase(parts(), { teamId, erasureId, signal });
}

export async function erase(parts: EraseParts, one: Ongoing): Promise<void> {
  const { unrecorded } = await eraseInRounds(parts, one, await whatToHide(parts, one));
  if (unrecorded) {
    await eraseContents(parts);
    throw unrecorded;
  }
  const ending = await parts.perform(systemOf(one), noteRowsErased, { erasureId: one.erasureId });
  if (ending.length === 0) return;
  await eraseContents(parts);
  for (const erasureId of ending) await parts.perform(systemOf(one), finishErasure, { erasureId });
}

/** A contact, conversation or message was hidden with the request; what belongs to a removed widget is left to the job. */
async function whatToHide({ storage, perform }: EraseParts, one: Ongoing): Promise<() => Promise<Hidden>> {
  const { teamId: team_id, erasureId } = one;
  const erasure = await storage.read((db) => db.first(erasureById, { team_id, id: erasureId }));
  if (!erasure?.widget_id) return async () => ({ erasureId, isMore: false });
  return () => perform(systemOf(one), hideSomeOfWidget, { erasureId });
}

/** What one commit of an erasure has hidden that hides a little at a time, because the team's other writes wait for each. */
export interface Hidden {
  /** Undefined: nothing was found, and no erasure has begun. */
  erasureId: string | undefined;
  /** Whether something was found; there may be more. */
  isMore: boolean;
}

/** Commits that hide something before it is erased: what names it elsewhere costs a read of other rows. */
const COMMITS_AT_ONCE = 25;

/** Hides some and erases it, again and again until `hideMore` finds nothing. */
export async function eraseInRounds(
  parts: EraseParts,
  { teamId, signal }: Pick<Ongoing, "teamId" | "signal">,
  hideMore: () => Promise<Hidden>,
): Promise<{ erasureId: string | undefined; unrecorded: unknown }> {
  let hidden: Hidden = { erasureId: undefined, isMore: true };
  let unrecorded: unknown;
  while (hidden.isMore) {
    for (let commit = 0; hidden.isMore && commit < COMMITS_AT_ONCE; commit += 1) {
      signal?.throwIfAborted();
      hidden = await paced(parts, hideMore);
    }
    const { erasureId } = hidden;
    const failure = erasureId && (await eraseHidden(parts, { teamId, erasureId, signal }));
    unrecorded ??= failure;
  }
  return { erasureId: hidden.erasureId, unrecorded };
}

/**
 * Erases what an erasure has hidden so far: first what names it elsewhere, while it is known what to look for. Returns why it could
 * not be recorded: a full disk must not keep anything from being erased, but it is not done without its record.
 */
async function eraseHidden(parts: EraseParts, one: Ongoing): Promise<unknown> {
  const { teamId, erasureId, signal } = one;
  const unrecorded = await parts.record({ teamId, erasureId }).then(() => undefined, asError);
  await eraseTraces(parts, one);
  for (let left = true; left; ) {
    signal?.throwIfAborted();
    left = await paced(parts, () => parts.perform(systemOf(one), erasePiece, { erasureId }));
  }
  return unrecorded;
}

/** After the rows: what the engine keeps of them on the disk, and the contents of files. */
export async function eraseContents({ storage, removeFiles }: EraseParts): Promise<void> {
  await storage.purgeDeleted();
  await removeFiles();
}

const paced = <T>({ pace }: EraseParts, commit: () => Promise<T>): Promise<T> => (pace ? pace(commit) : commit());
const systemOf = ({ teamId }: OneErasure): SystemActor => ({ kind: "system", teamId });
const asError = (error: unknown) => error;
