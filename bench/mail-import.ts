/** How many mails a second come in through IMAP: to an idle server, and to one that has other work, beside the floor. */
import { startDovecot } from "@frontdesk/testing/dovecot";
import type { Api } from "./call-api.ts";
import { connectMailbox, conversationsOf, firstMail, NEAR, untilConversations, untilRead } from "./mailboxes.ts";
import { type OthersWait, othersLine, setUpOthers } from "./others.ts";
import { mailFloor, type Place, pidOf, setUpTeam, startOurs, stopAll } from "./processes.ts";
import { sampleMail } from "./sample-mails.ts";
import { forgetPeak, metricsOf, peakOf } from "./server-metrics.ts";

/** Mails a second while the server has other work. */
const AIM = 20;
const AIM_RATIO = 2;

interface Import {
  mails: number;
  perSecond: number;
  /** Processor time of the server, ms a mail. */
  cpu: number;
  memoryBefore: number;
  memoryMost: number;
  loopP99: number;
  loopMost: number;
}

export interface ImportResult {
  engine: string;
  floor: number;
  idle: Import;
  loaded: Import & OthersWait;
}

export async function measureImport({ engine, newEnv }: Place, quick: boolean): Promise<ImportResult> {
  const mails = quick ? 200 : 2_000;
  const env = { ...(await newEnv()), ...NEAR };
  const { apiKey, widgetId } = await setUpTeam(env);
  const others = await setUpOthers(env);
  const dovecot = await startDovecot();
  try {
    const port = await startOurs(env);
    const api = { port, apiKey };
    dovecot.deliver("shop", firstMail("shop", 0));
    const mailbox = await connectMailbox(api, dovecot, { user: "shop", widgetId });
    await untilRead(api, dovecot, mailbox);
    let delivered = 0;
    /** Mails that have come while the mailbox was paused. */
    const importSome = async (): Promise<Import> => {
      await mailbox.set("paused");
      for (let n = 0; n < mails; n += 1) dovecot.deliver("shop", sampleMail(delivered + n));
      delivered += mails;
      return takeIn(api, mails, () => mailbox.set("active"));
    };
    const idle = await importSome();
    let loaded: Import | undefined;
    const waits = await others.waitDuring(port, quick ? 2 : 20, async () => {
      loaded = await importSome();
    });
    if (!loaded) throw new Error("Nothing was imported.");
    await stopAll();
    for (let n = 0; n < mails; n += 1) dovecot.deliver("floor", sampleMail(n));
    const floor = await mailFloor(await newEnv(), { port: dovecot.port, user: "floor", password: dovecot.password });
    return { engine, floor: mails / floor, idle, loaded: { ...loaded, ...waits } };
  } finally {
    await dovecot.stop();
  }
}

async function takeIn(api: Api, mails: number, resume: () => Promise<void>): Promise<Import> {
  const pid = pidOf(api.port);
  const before = await conversationsOf(api);
  const from = await metricsOf(api.port);
  forgetPeak(pid);
  await resume();
  // Reading begins within a second after it.
  await untilConversations(api, before + 1);
  const began = performance.now();
  await untilConversations(api, before + mails);
  const seconds = (performance.now() - began) / 1_000;
  const to = await metricsOf(api.port);
  return {
    ...{ mails, perSecond: mails / seconds, cpu: (to.cpu - from.cpu) / mails },
    ...{ memoryBefore: from.memory, memoryMost: peakOf(pid), loopP99: to.loopP99, loopMost: to.loopMost },
  };
}

export function printImport({ engine, floor, idle, loaded }: ImportResult): void {
  const line = (name: string, one: Import) =>
    `${engine.padEnd(9)}${String(one.mails).padStart(5)} mails, ${name.padEnd(6)} ${one.perSecond.toFixed(1).padStart(6)}/s` +
    `  floor ${floor.toFixed(0)}/s  ratio ${(one.perSecond / floor).toFixed(2)}  ${one.cpu.toFixed(1)} ms a mail` +
    `  memory ${one.memoryBefore.toFixed(0)} -> ${one.memoryMost.toFixed(0)} MB` +
    `  event loop p99 ${one.loopP99.toFixed(1)}  most ${one.loopMost.toFixed(1)} ms`;
  console.log(line("idle", idle));
  console.log(`${line("loaded", loaded)}  (aim: ${AIM}/s)`);
  console.log(othersLine(loaded, AIM_RATIO));
}
