import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Settings } from "../config.ts";
import { listenProblem } from "../listen-problem.ts";
import { createLogger } from "../logger.ts";
import { newSetupToken, setupLink } from "../setup/setup-token.ts";
import { defineCommand } from "./command.ts";
import { migrateStorage, withStorage } from "./with-storage.ts";

const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * By how much the heap may grow before old objects are collected. V8's own choice lets a flood of short connections grow the
 * process by 120 to 170 MB that nothing uses; with 40 % it is 15 MB, with 15 % none at a slightly longer p95 (`npm run soak --
 * flood`).
 */
const HEAP_GROWTH_PERCENT = 40;

/** `frontdesk serve`: migrates the data, serves until it is stopped, then finishes what is under way. */
export const serve = defineCommand({
  name: "serve",
  summary: "Migrates the data and starts the server.",
  options: {},
  async run(_values, { settings, print }) {
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
    await migrateStorage(settings);
    const app = await start(settings);
    giveBackMemory();
    const stop = stopSignal();
    try {
      // After the server listens: a start that fails must not invalidate the set-up address of a running one.
      const token = await withStorage(settings, ({ storage, runtime }) => newSetupToken(storage, runtime));
      // PORT=0 has become a real port only now.
      const origin = new URL(settings.publicUrl).port === "0" ? app.url : settings.publicUrl;
      const setupUrl = token && setupLink(origin, token);
      print({
        json: { url: app.url, ...(setupUrl && { setup_url: setupUrl }) },
        text: `Frontdesk is listening on ${app.url}${setupUrl ? `\nSet up your team with this one-time link: ${setupUrl}` : ""}`,
      });
      await stop;
    } finally {
      await app.close();
    }
  },
});

async function start(settings: Settings) {
  // The other commands do not load the server's code.
  const { startApp } = await import("../app.ts");
  try {
    return await startApp(settings, createLogger({ level: settings.logLevel }));
  } catch (error) {
    const { host, port } = settings;
    throw listenProblem(error, { host, port, hostSetting: "HOST", portSetting: "PORT" }) ?? error;
  }
}

/**
 * Loading the modules leaves a young heap of 62 MB that is all but empty, which V8 keeps until much has been allocated again: a collection
 * as if memory were short gives it back, in a tenth of a second.
 */
function giveBackMemory(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")({ type: "major", flavor: "last-resort" });
  setFlagsFromString("--no-expose-gc");
}

/** Resolves at the first signal to stop; a second one ends the process at once. */
async function stopSignal(): Promise<void> {
  await Promise.race(STOP_SIGNALS.map((signal) => once(process, signal)));
  for (const signal of STOP_SIGNALS) process.on(signal, () => process.exit(1));
}
