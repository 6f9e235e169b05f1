import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { createAuthentication } from "./access/authenticate.ts";
import { unlockVault } from "./access/secret-key.ts";
import type { Settings } from "./config.ts";
import type { Machine } from "./context.ts";
import { type Bus, createBus } from "./events/bus.ts";
import { healthRoutes } from "./http/health-routes.ts";
import { createHttpServer } from "./http/http-server.ts";
import { joinRoutes } from "./http/join-routes.ts";
import { limitHeaders } from "./http/limit-headers.ts";
import { referenceRoutes } from "./http/reference-routes.ts";
import { REST_PREFIX, restApi } from "./http/rest-api.ts";
import { setupRoutes } from "./http/setup-routes.ts";
import { createJobRunner } from "./jobs/job-runner.ts";
import { sharedLimits } from "./limits/shared-limits.ts";
import { ownLimits } from "./limits/sliding-window.ts";
import { createMachine } from "./machine.ts";
import { createMailer, sendMailJob } from "./mail/send-mail.ts";
import { createMetrics } from "./metrics.ts";
import { createPerform, type Perform } from "./perform.ts";
import type { Storage } from "./storage/database.ts";
import { openStorage } from "./storage/open-storage.ts";

/** One minute, the span of the documented rate limits. */
const RATE_WINDOW_MS = 60_000;

export interface App {
  http: FastifyInstance;
  perform: Perform;
  bus: Bus;
  /** Starts to listen and to work; answers the address. */
  start(): Promise<string>;
  /** Finishes what has begun (requests, jobs, commits), then closes everything, the storage too. */
  close(): Promise<void>;
}

/**
 * Opens the data and starts the service on it.
 *
 * @throws OperatorError when the data does not fit this program or its key
 */
export async function startApp(settings: Settings, logger: Logger): Promise<{ url: string; close(): Promise<void> }> {
  const storage = openStorage(settings);
  let app: App | undefined;
  try {
    await storage.check();
    const machine = createMachine(await unlockVault(settings, storage));
    app = createApp({ settings, storage, machine, logger });
    return { url: await app.start(), close: app.close };
  } catch (error) {
    await (app ?? storage).close();
    throw error;
  }
}

/**
 * Puts the service together; the only place where its parts meet.
 *
 * @param storage migrated; the app closes it
 */
export function createApp(parts: { settings: Settings; storage: Storage; machine: Machine; logger: Logger }): App {
  const { settings, storage, machine, logger } = parts;
  const metrics = createMetrics();
  const bus = createBus();
  const mailer = settings.smtpUrl ? createMailer({ smtpUrl: settings.smtpUrl, from: settings.mailFrom }) : undefined;
  const jobs = createJobRunner({
    storage,
    machine,
    vault: machine.vault,
    handlers: { "send-mail": sendMailJob(mailer) },
    logger,
    onEnd: metrics.jobEnded,
  });
  const perform = createPerform(storage, machine, { news: bus.publish, jobs: jobs.wake });
  const http = createHttpServer({ logger, trustProxy: settings.trustProxy, onAnswer: metrics.httpAnswer });
  const limits = settings.redisUrl ? sharedLimits({ redisUrl: settings.redisUrl, logger }) : ownLimits();
  let stopping = false;

  http.register(restApi, {
    prefix: REST_PREFIX,
    perform,
    authenticate: createAuthentication(storage, machine.now, (error) =>
      logger.warn({ err: error }, "The last use of an API key could not be noted"),
    ),
    limit: limitHeaders(limits.limiter("rest", settings.restRateLimit, RATE_WINDOW_MS)),
    publicUrl: settings.publicUrl,
    mail: mailer !== undefined,
  });
  http.register(setupRoutes, { perform, newId: machine.newId, publicUrl: settings.publicUrl });
  http.register(joinRoutes, { perform });
  http.register(referenceRoutes, { publicUrl: settings.publicUrl });
  http.register(healthRoutes, { storage, metrics, stopping: () => stopping });

  return {
    http,
    perform,
    bus,
    async start() {
      await limits.open();
      await http.listen({ host: settings.host, port: settings.port });
      jobs.start();
      const { port } = http.server.address() as AddressInfo;
      return `http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${port}`;
    },
    async close() {
      stopping = true;
      await http.close();
      await jobs.stop();
      limits.close();
      await storage.close();
    },
  };
}
