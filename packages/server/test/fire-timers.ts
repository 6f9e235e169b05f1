/**
 * A process that fires timers, for tests: each leaves a job in its commit, which names the timer as its cause. It kills
 * itself (SIGKILL) in the middle of its `dieAt`th timer, after it was read and deleted, and before the commit; 0: never.
 *
 *   node fire-timers.ts '{"databaseUrl": …, "dataDir": …, "dieAt": 5}'
 */
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { openVault } from "../src/access/vault.ts";
import type { Context, Operation } from "../src/context.ts";
import { createMachine } from "../src/machine.ts";
import { createPerform } from "../src/perform.ts";
import { openStorage } from "../src/storage/open-storage.ts";
import { systemTimeouts } from "../src/timeouts.ts";
import type { FiredTimer, TimerKind } from "../src/timers/timer.ts";
import { timerByKey } from "../src/timers/timer-store.ts";
import { createTimerWorker } from "../src/timers/timer-worker.ts";

const { dieAt, ...address } = JSON.parse(process.argv[2] ?? "") as {
  databaseUrl: string | undefined;
  dataDir: string;
  dieAt: number;
};

const storage = openStorage(address);
const machine = createMachine(openVault(randomBytes(32)));
const perform = createPerform(storage, machine);
await storage.check();

let begun = 0;
const leavesMark = <Kind extends TimerKind>(kind: Kind): Operation<FiredTimer<Kind>, void> => ({
  name: kind,
  mode: "write",
  async run(ctx: Context, { subjectId, armedFor }) {
    ctx.enqueue({
      kind: "change-conversation",
      payload: { changeId: subjectId },
      cause: `${subjectId} ${armedFor}`,
    });
    begun += 1;
    if (begun !== dieAt) return;
    // Both are written by now, in this transaction: the timer is gone, and its job is there.
    const timer = await ctx.db.first(timerByKey, { team_id: ctx.teamId, kind, subject_id: subjectId });
    if (timer) throw new Error("The timer is still there.");
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  },
});

const worker = createTimerWorker({
  ...{ storage, machine, perform, timeouts: systemTimeouts },
  handlers: { "end-snooze": leavesMark("end-snooze"), "mail-replies": leavesMark("mail-replies") },
  logger: pino({ level: "warn" }, pino.destination(2)),
});
worker.start();
process.stdout.write("ready\n");
// Ends with its standard input.
process.stdin.resume().once("end", async () => {
  await worker.stop();
  await storage.close();
});
