import type { AiCause, AiState } from "@frontdesk/core/domain/ai/ai-settings";
import type { Context } from "../../context.ts";
import type { AiSettingsRow } from "../../storage/tables.ts";
import { areAway, breakersOf } from "../model/breakers.ts";
import { hasModel } from "./open-ai-settings.ts";

export interface ShownState {
  state: AiState;
  /** Why it is away. */
  cause: AiCause | null;
}

/** Whether the AI answers now; of a team that has set up nothing without a row. */
export function stateOf(ctx: Context, row: AiSettingsRow | undefined): ShownState {
  if (row?.is_active !== 1) return { state: "off", cause: null };
  const cause = hasModel(ctx, row) ? modelTrouble(row, ctx.now) : "no-model";
  return { state: cause === null ? "ready" : "away", cause };
}

/** Null while a model can be called. One that is only failing is tried again, whatever the other one is. */
function modelTrouble(row: AiSettingsRow, now: number): AiCause | null {
  const breakers = breakersOf(row);
  if (!areAway(breakers, now)) return null;
  const isRefused = breakers.first.state === "off" && (breakers.second?.state ?? "off") === "off";
  return isRefused ? "model-refused" : "model-failing";
}
