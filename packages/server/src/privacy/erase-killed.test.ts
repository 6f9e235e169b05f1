/** A process that dies while it erases: the next one goes on with what is left, and the end is the same (docs/decisions/0053-erasing.md). */
import { everyRow } from "@frontdesk/testing/backups";
import { plantCanaries, plantNeighbour, vouchingSecret } from "@frontdesk/testing/canaries";
import { TO_MAILBOXES } from "@frontdesk/testing/milo-mails";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { diskFiles } from "../files/disk-files.ts";
import { createDrafts } from "../files/drafts.ts";
import { createRemoval } from "../files/remove-unused-files.ts";
import { createPerform } from "../perform.ts";
import type { Storage } from "../storage/database.ts";
import { eraseContact } from "./erase-contact.ts";
import { erase } from "./erase-job.ts";

const kit = await startTestApp(TO_MAILBOXES);
const { app, storage, runtime, clock, dataDir } = kit;
const base = await app.http.listen({ port: 0, host: "127.0.0.1" });

const DEAD = "The process is dead.";

/** A process that dies when its commit number `last` has gone through. */
function dyingAfter(last: number): Storage & { commits: number } {
  const dying = {
    ...storage,
    commits: 0,
    async write<T>(...asked: Parameters<typeof storage.write<T>>): Promise<T> {
      if (dying.commits === last) throw new Error(DEAD);
      const result = await storage.write(...asked);
      dying.commits += 1;
      if (dying.commits === last) throw new Error(DEAD);
      return result;
    },
  };
  return dying;
}

/** The job on a storage, until it ends or dies. */
async function run(on: Storage, teamId: string, erasureId: string): Promise<void> {
  const parts = { storage: on, fileStorage: diskFiles(dataDir), drafts: createDrafts(dataDir) };
  const removal = createRemoval(parts);
  const perform = createPerform(on, runtime);
  await erase(
    {
      ...{ storage: on, vault: runtime.vault, perform },
      record: () => Promise.resolve(),
      removeFiles: () => removal(clock.now(), () => true),
    },
    { teamId, erasureId },
  );
}

/**
 * Erases Vera, who chats, or Milo, who writes emails, while processes die: the first one after `last` commits, if it has so many:
 * the app may have removed a file before it. Returns whether it has died, the commits of both, and all rows of the team.
 */
async function erasedWith(
  who: "vera" | "milo",
  last: number,
): Promise<{ hasDied: boolean; commits: number; rows: string[] }> {
  const acme = await kit.team();
  await plantNeighbour(kit, acme);
  const { contacts, wordsOf } = await plantCanaries(kit, base, acme, await vouchingSecret(acme), {
    isSending: false,
  });
  // Not by the app, which would begin the job itself.
  const perform = createPerform(storage, runtime);
  const { id: erasureId } = await perform(acme.actor, eraseContact, { contactId: contacts[who] });
  const dying = dyingAfter(last);
  const hasDied = await run(dying, acme.teamId, erasureId).then(
    () => false,
    (error) => error.message === DEAD || Promise.reject(error),
  );
  const next = dyingAfter(Number.POSITIVE_INFINITY);
  if (hasDied) await run(next, acme.teamId, erasureId);
  const tables = await storage.read(everyRow);
  // Their rows say who does the work, and how often it was begun.
  const { jobs: _, outbox_queues: __, ...product } = tables;
  const rows = Object.entries(product).flatMap(([table, all]) =>
    all.filter((row) => row.includes(acme.teamId)).map((row) => `${table} ${row}`),
  );
  const left = rows.join("\n");
  expect(wordsOf[who].filter((word) => left.includes(word))).toEqual([]);
  return { hasDied, commits: dying.commits + next.commits, rows: rows.map(masked).toSorted() };
}

/** Without what differs between two teams. */
const masked = (row: string): string =>
  row
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/(evt|del|fd|whsec)_\w+/g, "TOKEN")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "HASH")
    .replaceAll(/canary\d+x\d+/gi, "WORD")
    // Ids as searches find them.
    .replaceAll(/\\u001f[0-9a-f-]+/g, "")
    .replaceAll(/4915\d{9,}/g, "PHONE")
    .replaceAll(/"(key_ending|token_ending|bgcolor|duration_ms)",("[^"]*"|\d+)/g, "CHANCE")
    .replaceAll(/v2\.[\w.+/=-]+/g, "SEALED")
    .replaceAll(/\br\.[a-z2-7]{26}@/g, "r.TOKEN@")
    .replaceAll(/[a-z2-7]{16}\.[a-z2-7]{26}@/g, "TOKEN@")
    .replaceAll(/port\\":\d+/g, "PORT")
    .replaceAll(/(ada|mia|letter)[-\w ]*@?[\w.]*/g, "SOMEONE");

test("the end is the same whichever commit a process dies after", async () => {
  const whole = {
    vera: await erasedWith("vera", Number.POSITIVE_INFINITY),
    milo: await erasedWith("milo", Number.POSITIVE_INFINITY),
  };
  expect(whole.vera.commits).toBeGreaterThan(5);
  expect(whole.milo.commits).toBeGreaterThan(5);
  // Of each every other commit, so that both take as long as one.
  for (const [who, first] of [
    ["vera", 1],
    ["milo", 2],
  ] as const) {
    let deaths = 0;
    for (let last = first; last <= whole[who].commits; last += 2) {
      const { hasDied, rows } = await erasedWith(who, last);
      if (hasDied) deaths += 1;
      expect({ who, last, rows }).toEqual({ who, last, rows: whole[who].rows });
    }
    expect(deaths).toBeGreaterThan(3);
  }
});
