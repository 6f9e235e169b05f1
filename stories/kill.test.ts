/** Reference rows 1 to 3 and 38, in small; `npm run soak` kills 200 times. */
import { expect, inject, onTestFinished, test } from "vitest";
import {
  type Fault,
  type KillReport,
  killedServer,
  killWhileWriting,
  seeded,
} from "../packages/server/test/attack/kill-while-writing.ts";
import { newServerProcess } from "../packages/server/test/attack/server-process.ts";
import { startPostgres } from "../packages/server/test/postgres-cluster.ts";

const KILLS = 10;
const POWER_CUTS = 2;
/** Starting again is reading the log and opening a port, whatever has happened before. */
const LONGEST_MEND_MS = 10_000;

test.each(["sqlite", "postgres"] as const)(
  "a server killed outright in the middle of many writes has kept every answered one, and no half of any (%s)",
  async (engine) => {
    const server = await newServerProcess(engine === "postgres" ? inject("postgresUrl") : undefined);
    onTestFinished(() => server.remove());
    const random = seeded(Date.now());
    const team = await server.team("Acme");
    await server.start();
    const fault = killedServer(server, random);
    expectAllKept(await killWhileWriting(server, team, { faults: KILLS, fault, random }), KILLS);
  },
  120_000,
);

test("a PostgreSQL that loses its power in the middle of many writes has kept every answered one, and no half of any", async () => {
  const cluster = await startPostgres({ fsync: true });
  onTestFinished(() => cluster.stop());
  const server = await newServerProcess(cluster.url);
  const random = seeded(Date.now());
  const team = await server.team("Acme");
  await server.start();
  const fault: Fault = {
    strike: () => cluster.kill(),
    async mend() {
      const from = performance.now();
      await cluster.restart();
      await expect
        .poll(async () => (await fetch(`${server.origin}/health/ready`)).status, { timeout: 10_000 })
        .toBe(200);
      return performance.now() - from;
    },
  };
  const report = await killWhileWriting(server, team, { faults: POWER_CUTS, fault, random });
  await server.remove();
  expectAllKept(report, POWER_CUTS);
}, 120_000);

function expectAllKept(report: KillReport, faults: number): void {
  expect(report.problems).toEqual([]);
  expect(report.faults).toBe(faults);
  expect(report.slowestMendMs).toBeLessThan(LONGEST_MEND_MS);
  // The premise: there was much to lose.
  expect(report.acknowledged).toBeGreaterThan(faults * 10);
  expect(report.repeated).toBeGreaterThan(faults);
}
