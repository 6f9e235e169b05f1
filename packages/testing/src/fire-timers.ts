/**
 * A process that fires timers, for tests: each adds a job in its commit, with the timer as its cause. It kills itself (SIGKILL)
 * during its `dieAt`th timer, after it was read and deleted, and before the commit; 0: never.
 *
 *   node fire-timers.ts '{"databaseUrl": …, "dataDir": …, "dieAt": 5}'
 */
import { randomBytes } from "node:crypto";
import { openVault } from "@frontdesk/server/access/vault";
import type { Context, Operation } from "@frontdesk/server/context";
import { createPerform } from "@frontdesk/server/perform";
import { createRuntime } from "@frontdesk/server/runtime";
import { openStorage } from "@frontdesk/server/storage/open-storage";
import { systemTimeouts } from "@frontdesk/server/timeouts";
import type { FiredTimer, TimerKind } from "@frontdesk/server/timers/timer";
import { timerByKey } from "@frontdesk/server/timers/timer-store";
import { createTimerWorker } from "@frontdesk/server/timers/timer-worker";
import { pino } from "pino";

const { dieAt, ...address } = JSON.parse(process.argv[2] ?? "") as {
  databaseUrl: string | undefined;
  dataDir: string;
  dieAt: number;
};

const storage = openStorage(address);
const runtime = createRuntime(openVault(randomBytes(32)));
const perform = createPerform(storage, runtime);
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
    // Both are written by now, in this transaction: the timer is deleted, and its job is added.
    const timer = await ctx.db.first(timerByKey, { team_id: ctx.teamId, kind, subject_id: subjectId });
    if (timer) throw new Error("The timer is still there.");
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  },
});

const worker = createTimerWorker({
  ...{ storage, runtime, perform, timeouts: systemTimeouts },
  handlers: {
    "end-snooze": leavesMark("end-snooze"),
    "mail-replies": leavesMark("mail-replies"),
    "fold-search-texts": leavesMark("fold-search-texts"),
    "send-held-reply": leavesMark("send-held-reply"),
    "apply-retention": leavesMark("apply-retention"),
    "expire-export": leavesMark("expire-export"),
    "read-site": leavesMark("read-site"),
    "report-channel-trouble": leavesMark("report-channel-trouble"),
    "resolve-ai-silence": leavesMark("resolve-ai-silence"),
  },
  logger: pino({ level: "warn" }, pino.destination(2)),
});
worker.start();
process.stdout.write("ready\n");
// Exits when its standard input closes.
process.stdin.resume().once("end", async () => {
  await worker.stop();
  await storage.close();
});
