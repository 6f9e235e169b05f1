/** Architecture, 5: a commit of one process may count on a job that waits, while another process claims it. */
import { randomBytes } from "node:crypto";
import { openBeside, sqlText } from "@frontdesk/testing/second-app";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import type { SystemActor } from "../access/actor.ts";
import { openVault } from "../access/vault.ts";
import type { Operation } from "../context.ts";
import { importInOrder } from "../email/in/mail-import.ts";
import { createPerform } from "../perform.ts";
import { createRuntime } from "../runtime.ts";
import { createTeam } from "../teams/create-team.ts";
import { claimNextJob } from "./claim-job.ts";
import { enqueueUnlessWaiting } from "./enqueue-unless-waiting.ts";

const { storage } = await openTestStorage();
await storage.migrate();
const other = await openBeside(storage);
const runtime = createRuntime(openVault(randomBytes(32)));
const perform = createPerform(storage, runtime, { news: () => {}, jobs: () => {} });

/** `create-widget` stands for any operation that requests a job; it returns before its commit what `meanwhile` resolves with. */
const request: Operation<{ meanwhile(): Promise<void> }, void> = {
  name: "create-widget",
  mode: "write",
  async run(ctx, { meanwhile }) {
    await enqueueUnlessWaiting(ctx, importInOrder("stored", "account"));
    await meanwhile();
    await ctx.db.run(sqlText(`UPDATE jobs SET cause = 'committed' WHERE team_id = '${ctx.teamId}'`), {});
  },
};

const blocked = async () =>
  (
    await storage.read((db) =>
      db.all(
        sqlText("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"),
        {},
      ),
    )
  ).length;

test("a claim of another process begins after the commit that counts on the job", async () => {
  const acme: SystemActor = { kind: "system", teamId: runtime.newId() };
  await perform(acme, createTeam, { name: "Acme" });
  await perform(acme, request, { meanwhile: () => Promise.resolve() });
  await storage.write(acme.teamId, (db) => db.run(sqlText("UPDATE jobs SET cause = NULL"), {}));

  let claim: ReturnType<typeof claimNextJob> | undefined;
  await perform(acme, request, {
    async meanwhile() {
      claim = other.write(acme.teamId, (db) => claimNextJob(db, runtime, { teamId: acme.teamId, busy: [] }));
      await expect.poll(blocked).toBe(1);
    },
  });
  expect(await claim).toMatchObject({ kind: "import-mail", cause: "committed" });
  const stored = await storage.read((db) =>
    db.all(sqlText(`SELECT state FROM jobs WHERE team_id = '${acme.teamId}'`), {}),
  );
  expect(stored).toEqual([{ state: "running" }]);
  // One that runs may have looked already.
  await perform(acme, request, { meanwhile: () => Promise.resolve() });
  const both = await storage.read((db) =>
    db.all(sqlText(`SELECT state FROM jobs WHERE team_id = '${acme.teamId}' ORDER BY id`), {}),
  );
  expect(both).toEqual([{ state: "running" }, { state: "waiting" }]);
});
