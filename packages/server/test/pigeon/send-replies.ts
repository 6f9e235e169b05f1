/**
 * A process that sends what waits in the outbox for pigeons, until it is killed.
 *
 *   node send-replies.ts '{"databaseUrl": …, "dataDir": …, "now": …, "dies": true}'
 *
 * `dies`: it kills itself (SIGKILL) as soon as a letter is accepted, before that is written.
 */
import { randomBytes } from "node:crypto";
import { PIGEON_CHANNEL } from "@frontdesk/testing/pigeon";
import { pino } from "pino";
import { openVault } from "../../src/access/vault.ts";
import { createChannelReceiver } from "../../src/channels/channel-receiver.ts";
import { createOutboxWorker } from "../../src/outbox/outbox-worker.ts";
import { createRuntime } from "../../src/runtime.ts";
import { openStorage } from "../../src/storage/open-storage.ts";
import { pigeonDriver } from "./pigeon-driver.ts";

const { now, dies, ...address } = JSON.parse(process.argv[2] ?? "") as {
  databaseUrl: string | undefined;
  dataDir: string;
  now: number;
  dies: boolean;
};
const clock = () => now;
const runtime = createRuntime(openVault(randomBytes(32)), clock, clock);

const deadly: typeof pigeonDriver = {
  ...pigeonDriver,
  async send(...asked) {
    const outcome = await pigeonDriver.send(...asked);
    if (outcome.outcome !== "accepted") throw new Error("The letter was not accepted.");
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => {});
  },
};

createOutboxWorker({
  storage: openStorage(address),
  runtime,
  receivers: {
    channel: createChannelReceiver({ drivers: new Map([[PIGEON_CHANNEL, dies ? deadly : pigeonDriver]]), runtime }),
  },
  logger: pino({ level: "warn" }, pino.destination(2)),
}).start();
// Lives until it kills itself, or its standard input ends.
process.stdin.resume();
