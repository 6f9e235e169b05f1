import type { Storage } from "../storage/database.ts";
import type { Drafts } from "./drafts.ts";
import { UNUSED_LIFE_MS } from "./file.ts";
import type { FileStorage } from "./file-storage.ts";
import { deleteFile, giveUpUnusedFiles, teamsWithUnusedFiles, unusedFiles } from "./file-store.ts";

/** Files in one batch: the team's other writes wait at most for these rows. */
const BATCH = 100;
/** Contents in one batch that cannot be removed before the rest of it waits for the next time: each may take seconds. */
const MAX_FAILURES = 3;
/** Longer than any upload. */
const DRAFT_LIFE_MS = 3_600_000;

/**
 * Deletes files that no message used within 24 hours, and what dead processes have left of uploads. First a file becomes
 * unusable for messages, then its content is deleted, then its row: an interrupted deletion is completed the next time. A content
 * that cannot be deleted keeps its row, and the others are deleted.
 *
 * @param goOn whether another one may be begun
 * @returns how many files
 * @throws what the first content that could not be deleted has thrown
 */
export function createRemoval({
  storage,
  fileStorage,
  drafts,
}: {
  storage: Storage;
  fileStorage: FileStorage;
  drafts: Drafts;
}) {
  return async function removeUnusedFiles(now: number, goOn: () => boolean): Promise<number> {
    await drafts.removeLeft(now - DRAFT_LIFE_MS);
    const before = now - UNUSED_LIFE_MS;
    let removed = 0;
    const failures: unknown[] = [];
    for (const { team_id } of await storage.read((db) => db.all(teamsWithUnusedFiles, { before }))) {
      let ids = [""];
      while (ids.length > 0 && goOn()) {
        ids = await givenUp(team_id, before);
        const { gone, failed } = await removeContents(team_id, ids);
        await forget(team_id, gone);
        removed += gone.length;
        failures.push(...failed);
        if (failed.length > 0) break;
      }
    }
    if (failures.length > 0) throw failures[0];
    return removed;
  };

  async function removeContents(teamId: string, ids: readonly string[]) {
    const gone: string[] = [];
    const failed: unknown[] = [];
    for (const id of ids) {
      if (failed.length === MAX_FAILURES) break;
      await fileStorage.remove({ teamId, id }).then(
        () => gone.push(id),
        (error) => failed.push(error),
      );
    }
    return { gone, failed };
  }

  async function givenUp(teamId: string, before: number): Promise<string[]> {
    const which = { team_id: teamId, before, limit: BATCH };
    return storage.write(teamId, async (db) => {
      const rows = await db.all(unusedFiles, which);
      if (rows.length > 0) await db.run(giveUpUnusedFiles, which);
      return rows.map(({ id }) => id);
    });
  }

  async function forget(teamId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await storage.write(teamId, async (db) => {
      await Promise.all(ids.map((id) => db.run(deleteFile, { team_id: teamId, id })));
    });
  }
}
