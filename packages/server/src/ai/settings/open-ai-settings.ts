import { type AiSettings, defaultAiSettings } from "@frontdesk/core/domain/ai/ai-settings";
import type { Context } from "../../context.ts";
import type { AiSettingsRow } from "../../storage/tables.ts";
import type { ModelConnection } from "../model/model-client.ts";
import { aiKeyPlace, aiOfTeam } from "./ai-settings-store.ts";

/** The AI of a team that is set up and has a model; it may be switched off. */
export interface OpenedAi {
  row: AiSettingsRow;
  settings: AiSettings;
  connection: ModelConnection;
}

/** Undefined until the AI is set up, and while it has no model. */
export async function openAiSettings(ctx: Context): Promise<OpenedAi | undefined> {
  const row = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
  const connection = row && modelOf(ctx, row);
  return connection && { row, settings: settingsOf(row), connection };
}

/** The model that the team may use, for what needs no answering AI: the operator's where the team has set up nothing. */
export async function openModel(ctx: Context): Promise<ModelConnection | undefined> {
  return modelOf(ctx, await ctx.db.first(aiOfTeam, { team_id: ctx.teamId }));
}

/** Whether there is a model to use, without opening its key. */
export const hasModel = (tools: Pick<Context, "operatorModel">, row: AiSettingsRow | undefined): boolean =>
  keylessModel(tools, row) !== undefined;

/** Whether there is a model that tells what articles mean, without opening its key. */
export const hasEmbeddingModel = (tools: Pick<Context, "operatorModel">, row: AiSettingsRow | undefined): boolean =>
  (keylessModel(tools, row)?.embeddingModel ?? "") !== "";

const keylessModel = ({ operatorModel }: Pick<Context, "operatorModel">, row: AiSettingsRow | undefined) =>
  row ? connectionOf(operatorModel, { ...row, ownKey: undefined }) : operatorModel;

type Tools = Pick<Context, "vault" | "operatorModel">;

/**
 * The model that a team uses: its own server with its own key, else the operator's server, where the team can name another model,
 * and its own key.
 */
export function modelOf({ vault, operatorModel }: Tools, row: AiSettingsRow | undefined): ModelConnection | undefined {
  if (!row) return operatorModel;
  const { base_url, model, second_model, embedding_model, api_key_sealed } = row;
  const ownKey = api_key_sealed === null ? undefined : vault.open(api_key_sealed, aiKeyPlace(row));
  return connectionOf(operatorModel, { base_url, model, second_model, embedding_model, ownKey });
}

/** @param own what the team has set; `ownKey`: undefined for none */
export function connectionOf(
  operatorModel: ModelConnection | undefined,
  own: Pick<AiSettings, "base_url" | "model" | "second_model" | "embedding_model"> & { ownKey: string | undefined },
): ModelConnection | undefined {
  const second = own.second_model === null ? {} : { secondModel: own.second_model };
  if (own.base_url !== null) {
    if (own.model === null) return undefined;
    // The operator's key goes to the operator's server alone.
    const { base_url: baseUrl, model, embedding_model, ownKey: apiKey = "" } = own;
    return { baseUrl, model, ...second, apiKey, embeddingModel: embedding_model ?? "" };
  }
  if (!operatorModel) return undefined;
  return {
    baseUrl: operatorModel.baseUrl,
    model: own.model ?? operatorModel.model,
    ...second,
    apiKey: own.ownKey ?? operatorModel.apiKey,
    embeddingModel: own.embedding_model ?? operatorModel.embeddingModel,
  };
}

/** The settings of a row; those of a team that has set up nothing without one. */
export function settingsOf(row: AiSettingsRow | undefined): AiSettings {
  if (!row) return defaultAiSettings;
  const { name, base_url, model, second_model, embedding_model, instructions } = row;
  const { resolve_after_minutes, tokens_a_day, tokens_a_month } = row;
  return {
    ...{ name, base_url, model, second_model, embedding_model, instructions },
    ...{ resolve_after_minutes, tokens_a_day, tokens_a_month },
    is_active: row.is_active === 1,
    widgets: JSON.parse(row.widgets),
    channels: JSON.parse(row.channels),
    when: row.answers_when as AiSettings["when"],
    resolves: row.resolves === 1,
    redacts: row.redacts === 1,
    keeps_runs: row.keeps_runs === 1,
    handoff_rules: JSON.parse(row.handoff_rules),
    streamed: row.streamed === 1,
    ghost_text: row.ghost_text === 1,
  };
}
