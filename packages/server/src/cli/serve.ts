import { once } from "node:events";
import { createLogger } from "../logger.ts";
import { newSetupToken } from "../setup/setup-token.ts";
import { defineCommand } from "./command.ts";
import { migrateStorage, withStorage } from "./with-storage.ts";

const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** `frontdesk serve`: brings the data up to date, serves until it is told to stop, then finishes what has begun. */
export const serve = defineCommand({
  name: "serve",
  summary: "Brings the data up to date and runs the server.",
  options: {},
  async run(_values, { settings, print }) {
    await migrateStorage(settings);
    // The other commands do without the server's code.
    const { startApp } = await import("../app.ts");
    const app = await startApp(settings, createLogger({ level: settings.logLevel }));
    const stop = stopSignal();
    try {
      // After the server listens: a start that fails must not cost a running one its set-up address.
      const token = await withStorage(settings, ({ storage, machine }) => newSetupToken(storage, machine));
      // PORT=0 has become a real port only now.
      const origin = new URL(settings.publicUrl).port === "0" ? app.url : settings.publicUrl;
      const setupUrl = token && `${origin}/setup?token=${token}`;
      print({
        json: { url: app.url, ...(setupUrl && { setup_url: setupUrl }) },
        text: `Frontdesk is listening on ${app.url}${setupUrl ? `\nSet it up here (works once): ${setupUrl}` : ""}`,
      });
      await stop;
    } finally {
      await app.close();
    }
  },
});

/** Resolves at the first signal to stop; a second one ends the process at once. */
async function stopSignal(): Promise<void> {
  await Promise.race(STOP_SIGNALS.map((signal) => once(process, signal)));
  for (const signal of STOP_SIGNALS) process.on(signal, () => process.exit(1));
}
