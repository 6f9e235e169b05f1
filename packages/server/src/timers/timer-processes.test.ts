/** Timers over crashes and several processes: two real processes on one set of data. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { deep, inDepth } from "@frontdesk/testing/depth";
import { addressOf, query } from "@frontdesk/testing/second-app";
import { engine, openTestStorage } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import type { SystemActor } from "../access/actor.ts";
import { openVault } from "../access/vault.ts";
import type { Operation } from "../context.ts";
import { createPerform } from "../perform.ts";
import { createRuntime } from "../runtime.ts";
import { createTeam } from "../teams/create-team.ts";

const TIMERS = inDepth(100, 200);
const TEAMS = 4;
/** Each process dies in the middle of so manyeth timer, and is followed by another one. */
const DIE_AT = inDepth(40, 8);
const PROGRAM = fileURLToPath(import.meta.resolve("@frontdesk/testing/fire-timers"));

const { storage } = await openTestStorage({ migrated: true });
const runtime = createRuntime(openVault(randomBytes(32)));
const perform = createPerform(storage, runtime);
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
});

/** `create-widget` stands for any operation. */
const setTimers: Operation<{ subjects: string[] }, void> = {
  name: "create-widget",
  mode: "write",
  async run(ctx, { subjects }) {
    for (const subjectId of subjects) ctx.setTimer({ kind: "end-snooze", subjectId, dueAt: ctx.now });
  },
};

async function startProcess(dieAt: number): Promise<ChildProcess> {
  const order = JSON.stringify({ ...(await addressOf(storage)), dieAt });
  const child = spawn(process.execPath, [PROGRAM, order], { stdio: ["pipe", "ignore", "inherit"] });
  running.add(child);
  return child;
}

const left = async (): Promise<number> => Number((await query(storage, "SELECT count(*) AS n FROM timers"))[0]?.n);

test.runIf(deep || engine === "sqlite")(
  `of two processes that are killed over and over between reading a timer and its commit, ${TIMERS} timers each fire once`,
  async () => {
    const subjects: string[] = [];
    for (let team = 0; team < TEAMS; team += 1) {
      const actor: SystemActor = { kind: "system", teamId: runtime.newId() };
      await perform(actor, createTeam, { name: "Acme" });
      const some = Array.from({ length: TIMERS / TEAMS }, () => runtime.newId());
      await perform(actor, setTimers, { subjects: some });
      subjects.push(...some);
    }
    let deaths = 0;
    /** One process after the other, until nothing is left. */
    const line = async () => {
      while ((await left()) > 0) {
        const child = await startProcess(DIE_AT);
        const died = once(child, "exit").then(([, signal]) => signal === "SIGKILL");
        const finished = expect
          .poll(left)
          .toBe(0)
          .then(() => child.stdin?.end());
        await Promise.race([died, finished]);
        if (await died) deaths += 1;
        running.delete(child);
      }
    };
    await Promise.all([line(), line()]);
    // The premise: processes did die in the middle.
    expect(deaths).toBeGreaterThanOrEqual(2);
    const fired = await query(storage, "SELECT cause, count(*) AS times FROM jobs GROUP BY cause");
    expect(fired.map(({ cause }) => String(cause).split(" ")[0]).toSorted()).toEqual(subjects.toSorted());
    expect(fired.filter(({ times }) => Number(times) !== 1)).toEqual([]);
  },
);
