/** A small `npm run soak -- chat`: a visitor's browser and an agent, while everything between them breaks. */

import { inDepth } from "@frontdesk/testing/depth";
import { expect, onTestFinished, test } from "vitest";
import { chatWhileCut } from "../packages/server/test/attack/chat-while-cut.ts";
import { seeded } from "../packages/server/test/attack/kill-while-writing.ts";
import { killAndStart, newServerProcess } from "../packages/server/test/attack/server-process.ts";

/** Each kind of fault happens once. */
const { seed, ...volume } = inDepth(
  { rounds: 5, messages: 8, longestPauseMs: 500, seed: 25 },
  { rounds: 10, messages: 15, longestPauseMs: 1_500, seed: 11 },
);

test("a visitor's browser and an agent miss nothing and see nothing twice, while lines are cut and the server is killed", async () => {
  const server = await newServerProcess(undefined);
  onTestFinished(() => server.remove());
  const team = await server.team("Acme");
  await server.start();
  const report = await chatWhileCut({
    ...{ visitorAt: server, agentAt: server, team, faults: [() => killAndStart(server)] },
    ...{ ...volume, random: seeded(seed), isToldInTheEnd: true },
  });
  expect(report.problems).toEqual([]);
  // The premise: there were messages to lose, and disconnects to lose them in.
  expect(Math.min(report.byVera, report.byAda)).toBeGreaterThanOrEqual(volume.messages);
  expect(report.agentCuts).toBeGreaterThan(1);
});
