import type { AiSettings } from "@frontdesk/core/domain/ai/ai-settings";
import type { ConnectionFinding } from "@frontdesk/core/domain/ai/model-findings";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../../context.ts";
import type { AiSettingsRow } from "../../storage/tables.ts";
import type { ModelClients, ModelConnection } from "../model/model-client.ts";
import { connectionTo } from "../model/second-model.ts";
import { testModel } from "../model/test-connection.ts";
import { setBreaker } from "../turn/usage-store.ts";
import { followAi } from "./agent-of-ai.ts";
import { aiKeyPlace, aiOfTeam } from "./ai-settings-store.ts";
import { connectionOf, modelOf, settingsOf } from "./open-ai-settings.ts";
import { settingsAfter } from "./update-ai.ts";

/** Tries a model server, outside of any transaction. Never rejects because of the other side. */
export type TestModel = (connection: ModelConnection, signal: AbortSignal) => Promise<ConnectionFinding[]>;

/** Random bytes of the word that the model has to find at the beginning of a long request. */
const CODE_BYTES = 6;

export function createModelTest({ clientFor }: ModelClients, random: (bytes: number) => Buffer): TestModel {
  return (connection, signal) => {
    const second = connection.secondModel === undefined ? undefined : clientFor(connectionTo(connection, "second"));
    const code = random(CODE_BYTES).toString("hex");
    return testModel(clientFor(connection), { connection, second, code, signal });
  };
}

/** For all that is tried of a server. */
export const MODEL_TEST_TIMEOUT_MS = 35_000;

/** A model server to try. */
export interface ModelToTest {
  connection: ModelConnection;
  /** When the settings were saved that it is of, ms; undefined for other ones. */
  savedAt: number | undefined;
}

/** Settings that are not saved; what is left out is as it is saved. */
export type AiToTest = Partial<Pick<AiSettings, "base_url" | "model" | "second_model" | "embedding_model">> & {
  api_key?: string | null | undefined;
};

/**
 * The model server to try. Changes nothing.
 *
 * @throws Refusal `invalid` by field: as `update-ai`, and where there is no model
 */
export const testAi: Operation<AiToTest, ModelToTest> = {
  name: "test-ai",
  mode: "read",
  async run(ctx, { api_key, ...given }) {
    const row = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
    const before = settingsOf(row);
    const settings = await settingsAfter(ctx, before, given);
    const saved = row?.api_key_sealed ? ctx.vault.open(row.api_key_sealed, aiKeyPlace(row)) : undefined;
    // A test leaves no line in the audit log: it takes the saved key to no other server.
    const isSameServer = originOf(settings.base_url) === originOf(before.base_url);
    const ownKey = api_key === undefined ? (isSameServer ? saved : undefined) : (api_key ?? undefined);
    const connection = connectionOf(ctx.operatorModel, { ...settings, ownKey });
    if (connection) return { connection, savedAt: row && isSaved(ctx, row, connection) ? row.updated_at : undefined };
    throw invalid({
      ...(settings.base_url === null && { base_url: "schema.required" }),
      ...(settings.model === null && { model: "schema.required" }),
    });
  },
};

/** Whether it is the server that is called, with its key and its model. */
function isSaved(ctx: Context, row: AiSettingsRow, { baseUrl, model, apiKey }: ModelConnection): boolean {
  const saved = modelOf(ctx, row);
  return saved?.baseUrl === baseUrl && saved.model === model && saved.apiKey === apiKey;
}

/**
 * A test of saved settings has found that the model answers: what is known of failures is over, so the AI answers again at once.
 * Nothing after the settings were changed.
 */
export const endModelTrouble: Operation<{ savedAt: number }, void> = {
  name: "end-model-trouble",
  mode: "write",
  async run(ctx, { savedAt }) {
    const row = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
    if (row?.breaker == null || row.updated_at !== savedAt) return;
    ctx.write(setBreaker, { team_id: ctx.teamId, breaker: null });
    await followAi(ctx, { ...row, breaker: null });
  },
};

const originOf = (url: string | null): string | undefined => (url === null ? undefined : URL.parse(url)?.origin);
