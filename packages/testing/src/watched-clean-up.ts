import { createCleanUp } from "@frontdesk/server/jobs/clean-up";
import type { Storage } from "@frontdesk/server/storage/database";
import { pino } from "pino";
import { vi } from "vitest";
import { PATIENT } from "./patient.ts";
import type { TestApp } from "./test-kit.ts";

const FIRST_AFTER_MS = 60_000;

/**
 * One whole clean-up, under fake timers (`setTimeout`).
 *
 * @returns its log, and the most rows deleted in one transaction
 */
export async function watchedCleanUp({ storage, clock }: Pick<TestApp, "storage" | "clock">) {
  const told: Record<string, number>[] = [];
  let [open, most] = [0, 0];
  const counted = async <T>(asked: Promise<T>): Promise<T> => {
    open += 1;
    return asked.finally(() => {
      open -= 1;
    });
  };
  const watched: Storage = {
    ...storage,
    read: (work) => counted(storage.read(work)),
    write(teamId, work) {
      const watchedWork: typeof work = (db) => {
        const run: typeof db.run = async (statement, params) => {
          const rows = await db.run(statement, params);
          most = Math.max(most, rows);
          return rows;
        };
        return work({ ...db, run });
      };
      return counted(storage.write(teamId, watchedWork));
    },
  };
  const logger = pino({ level: "info" }, { write: (line: string) => void told.push(JSON.parse(line)) });
  const cleanUp = createCleanUp({
    storage: watched,
    now: clock.now,
    logger,
    resumeErasures: async () => 0,
    forgetOldSpam: async () => 0,
    removeUnusedFiles: async () => 0,
  });
  cleanUp.start();
  vi.advanceTimersByTime(FIRST_AFTER_MS);
  await vi.waitUntil(() => open === 0, PATIENT);
  await cleanUp.stop();
  return { told: told[0] ?? {}, most };
}
