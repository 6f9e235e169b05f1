import type { Storage } from "../storage/database.ts";
import type { Drafts } from "./drafts.ts";
import { UNUSED_LIFE_MS } from "./file.ts";
import type { FileStorage } from "./file-storage.ts";
import { deleteFile, giveUpUnusedFiles, teamsWithUnusedFiles, unusedFiles } from "./file-store.ts";

/** Files in one batch: the team's other writes wait at most for these rows. */
const BATCH = 100;
/** Longer than any upload. */
const DRAFT_LIFE_MS = 3_600_000;

/**
 * Deletes files that no message used within 24 hours, and what dead processes have left of uploads. First a file becomes
 * unusable for messages, then its content is deleted, then its row: an interrupted deletion is completed the next time.
 *
 * @param goOn whether another one may be begun
 * @returns how many files
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
    for (const { team_id } of await storage.read((db) => db.all(teamsWithUnusedFiles, { before }))) {
      let ids = [""];
      while (ids.length > 0 && goOn()) {
        ids = await givenUp(team_id, before);
        for (const id of ids) await fileStorage.remove({ teamId: team_id, id });
        await forget(team_id, ids);
        removed += ids.length;
      }
    }
    return removed;
  };

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
