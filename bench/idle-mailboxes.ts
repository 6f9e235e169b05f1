/** What mailboxes cost to which nothing comes, and how soon a mail is seen that comes all the same. */
import { setTimeout as wait } from "node:timers/promises";
import { startDovecot } from "@frontdesk/testing/dovecot";
import { connectMailbox, conversationsOf, firstMail, NEAR, untilConversations } from "./mailboxes.ts";
import { type Place, setUpTeam, startOurs, stopAll } from "./processes.ts";
import { quantile } from "./quantile.ts";
import { metricsOf } from "./server-metrics.ts";

const MAILBOXES = 100;
const NEW_MAILS = 20;
const SETTLE_MS = 10_000;
const LOOK_MS = 10;
/** MB of the whole process; seconds until a mail is seen. */
const AIM = { memory: 150, seen: 2 };

export interface IdleResult {
  engine: string;
  mailboxes: number;
  /** Of the process, MB: with one mailbox, and with all. */
  memoryBefore: number;
  memory: number;
  /** Processor time of the process, ms a minute: without mailboxes, and with all. */
  cpuBefore: number;
  cpu: number;
  /** From the delivery of a mail to its conversation, ms. */
  seenP50: number;
  seenMost: number;
}

export async function measureIdle({ engine, newEnv }: Place, quick: boolean): Promise<IdleResult> {
  const mailboxes = quick ? 20 : MAILBOXES;
  const minutes = quick ? 0.1 : 1;
  const env = { ...(await newEnv()), ...NEAR };
  const { apiKey, widgetId } = await setUpTeam(env);
  const dovecot = await startDovecot();
  try {
    const port = await startOurs(env);
    const api = { port, apiKey };
    const spent = async () => {
      await wait(SETTLE_MS);
      const from = await metricsOf(port);
      await wait(minutes * 60_000);
      const to = await metricsOf(port);
      return { cpu: (to.cpu - from.cpu) / minutes, memory: to.memory };
    };
    const before = await spent();
    const users = Array.from({ length: mailboxes }, (_, n) => `shop${n}`);
    for (const user of users) {
      dovecot.deliver(user, firstMail(user, 0));
      await connectMailbox(api, dovecot, { user, widgetId });
    }
    // A mail that is there before the mailbox was connected to is not imported.
    const connected = async () =>
      Number(await dovecot.doveadm("who", "-1").then((said) => said.trim().split("\n").length - 1));
    while ((await connected()) < mailboxes) await wait(100);
    const idle = await spent();
    const waits: number[] = [];
    for (let n = 0; n < NEW_MAILS; n += 1) {
      const user = users[(n * 7) % users.length] as string;
      const count = await conversationsOf(api);
      const from = performance.now();
      dovecot.deliver(user, firstMail(user, n + 1));
      await untilConversations(api, count + 1, LOOK_MS);
      waits.push(performance.now() - from);
    }
    return {
      ...{ engine, mailboxes, memoryBefore: before.memory, memory: idle.memory, cpuBefore: before.cpu, cpu: idle.cpu },
      ...{ seenP50: quantile(waits, 0.5), seenMost: Math.max(...waits) },
    };
  } finally {
    await stopAll();
    await dovecot.stop();
  }
}

export function printIdle(result: IdleResult): void {
  const { engine, mailboxes, memoryBefore, memory, cpuBefore, cpu, seenP50, seenMost } = result;
  console.log(
    `${engine.padEnd(9)}${mailboxes} idle mailboxes: memory ${memoryBefore.toFixed(0)} -> ${memory.toFixed(0)} MB (aim: ${AIM.memory})` +
      `, ${(((memory - memoryBefore) / mailboxes) * 1_000).toFixed(0)} KB each` +
      `; processor ${cpuBefore.toFixed(0)} -> ${cpu.toFixed(0)} ms a minute` +
      `; a new mail after ${seenP50.toFixed(0)} ms, at most ${seenMost.toFixed(0)} (aim: ${AIM.seen * 1_000})`,
  );
}
