/** The whole service on a store that is thrown away, with teams whose AI is on. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { type App, createApp } from "@frontdesk/server";
import type { SystemActor } from "@frontdesk/server/access/actor";
import { createApiKey } from "@frontdesk/server/access/create-api-key";
import { openVault } from "@frontdesk/server/access/vault";
import { createAgent } from "@frontdesk/server/agents/create-agent";
import type { ModelConnection } from "@frontdesk/server/ai/model/model-client";
import { updateAi } from "@frontdesk/server/ai/settings/update-ai";
import { readSettings } from "@frontdesk/server/config";
import { addArticle } from "@frontdesk/server/knowledge/add-article";
import { createRuntime } from "@frontdesk/server/runtime";
import type { Storage } from "@frontdesk/server/storage/database";
import { openStorage } from "@frontdesk/server/storage/open-storage";
import { createTeam } from "@frontdesk/server/teams/create-team";
import { createWidget } from "@frontdesk/server/widgets/create-widget";
import { updateWidget } from "@frontdesk/server/widgets/update-widget";
import { pino } from "pino";
import type { Article } from "./question.ts";
import { type SkippingClock, skippingClock } from "./skipping-clock.ts";

export interface TemporaryApp {
  app: App;
  storage: Storage;
  clock: SkippingClock;
  /** @param tokens the most that its AI may use */
  addTeam(articles: readonly Article[], tokens: number, own?: OwnSettings): Promise<EvalTeam>;
  /** Ends the service and deletes its data. */
  close(): Promise<void>;
}

/** What a team has set that its AI answers by. */
export interface OwnSettings {
  instructions: string;
  widget: Partial<Pick<WidgetSettings, "hours" | "sites">>;
}

export interface EvalTeam {
  actor: SystemActor;
  widgetId: string;
  apiKey: string;
  articles: readonly Article[];
  /** What articles may be called in a file of questions, by the id that they have here. */
  namesOf: ReadonlyMap<string, readonly string[]>;
  /** The number of the last event that was read. */
  lastEvent: number;
}

const DAY_MS = 24 * 3_600_000;

export async function startTemporaryApp(connection: ModelConnection): Promise<TemporaryApp> {
  const dataDir = mkdtempSync(join(tmpdir(), "frontdesk-eval-"));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  process.once("exit", remove);
  const storage = openStorage({ databaseUrl: undefined, dataDir });
  await storage.migrate();
  // Noon: caps of a day hold for the whole run, and the prompt tells the same day to each question.
  const clock = skippingClock(Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2);
  // Leases and the breaker's peers are of the time that has really passed.
  const runtime = createRuntime(openVault(randomBytes(32)), clock.now, () => Math.round(performance.now()));
  const settings = readSettings({
    ...{ DATA_DIR: dataDir, HOST: "127.0.0.1", PORT: "0", PUBLIC_URL: "http://127.0.0.1", REST_RATE_LIMIT: "1000000" },
    ...{ AI_BASE_URL: connection.baseUrl, AI_MODEL: connection.model, AI_API_KEY: connection.apiKey },
  });
  const logger = pino({ level: "silent" });
  const app = createApp({ settings, storage, runtime, logger, timeouts: clock.timeouts });
  await app.start();

  return {
    ...{ app, storage, clock },
    async addTeam(articles, tokens, own) {
      const actor: SystemActor = { kind: "system", teamId: runtime.newId() };
      await app.perform(actor, createTeam, { name: "Eval" });
      const owner = { name: "Owner", email: `${actor.teamId}@eval.test`, passwordHash: null } as const;
      await app.perform(actor, createAgent, { ...owner, role: "CHAT_AGENT_OWNER" });
      const widget = await app.perform(actor, createWidget, { name: "Website" });
      const { value: apiKey } = await app.perform(actor, createApiKey, { name: "eval" });
      const { instructions = "", widget: settings = {} } = own ?? {};
      if (Object.keys(settings).length > 0) {
        await app.perform(actor, updateWidget, { widgetId: widget.id, change: { settings } });
      }
      const ai = { is_active: true, tokens_a_day: tokens, keeps_runs: true, instructions };
      await app.perform(actor, updateAi, ai);
      const namesOf = new Map<string, readonly string[]>();
      for (const { id, question, answer, address } of articles) {
        const from = address === undefined ? {} : { from: { source: "site" as const, address } };
        const added = await app.perform(actor, addArticle, { question, answer, isPublished: true, ...from });
        namesOf.set(added.id, [question, ...(id === null ? [] : [id])]);
      }
      return { actor, widgetId: widget.id, apiKey, articles, namesOf, lastEvent: 0 };
    },
    async close() {
      await app.close();
      process.off("exit", remove);
      remove();
    },
  };
}
