import type { AiCause, AiState } from "@frontdesk/core/domain/ai/ai-settings";
import type { Context } from "../../context.ts";
import type { AiSettingsRow } from "../../storage/tables.ts";
import { type Breaker, isAway, newBreaker } from "../model/breaker.ts";
import { modelOf } from "./open-ai-settings.ts";

export interface ShownState {
  state: AiState;
  /** Why it is away. */
  cause: AiCause | null;
}

/** Whether the AI answers now; of a team that has set up nothing without a row. */
export function stateOf(ctx: Context, row: AiSettingsRow | undefined): ShownState {
  if (row?.is_active !== 1) return { state: "off", cause: null };
  const cause = modelOf(ctx, row) ? modelTrouble(row, ctx.now) : "no-model";
  return { state: cause === null ? "ready" : "away", cause };
}

/** Null while the model can be called. */
function modelTrouble({ breaker: stored }: AiSettingsRow, now: number): AiCause | null {
  const breaker: Breaker = stored === null ? newBreaker : JSON.parse(stored);
  if (breaker.state === "off") return "model-refused";
  return isAway(breaker, now) ? "model-failing" : null;
}
