import { FRESH_MS } from "@frontdesk/core/domain/ways-in";
import type { Storage } from "@frontdesk/server/storage/database";
import { statement } from "@frontdesk/server/storage/statement";

const setVerifiedAt = statement<{ verified_at: number }>((db, param) =>
  db.updateTable("sessions").set({ verified_at: param("verified_at") }),
);

/** All sessions were proved so long ago that a fresh action asks again. */
export async function ageSessions(storage: Storage): Promise<void> {
  await storage.write(null, async (db) => {
    await db.run(setVerifiedAt, { verified_at: Date.now() - FRESH_MS - 1 });
    db.announce("access");
  });
}
