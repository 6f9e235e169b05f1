import type { AiCause, AiState } from "@frontdesk/core/domain/ai/ai-settings";
import type { Context } from "../../context.ts";
import type { AiSettingsRow } from "../../storage/tables.ts";
import { areAway, type Breakers, breakersOf } from "../model/breakers.ts";
import { hasModel } from "./open-ai-settings.ts";

export interface ShownState {
  state: AiState;
  /** Why it is away; while it is ready, which of its two models the server does not know. */
  cause: AiCause | null;
}

/** Whether the AI answers now; of a team that has set up nothing without a row. */
export function stateOf(ctx: Context, row: AiSettingsRow | undefined): ShownState {
  if (row?.is_active !== 1) return { state: "off", cause: null };
  if (!hasModel(ctx, row)) return { state: "away", cause: "no-model" };
  const breakers = breakersOf(row);
  return areAway(breakers, ctx.now)
    ? { state: "away", cause: whyAway(breakers) }
    : { state: "ready", cause: unknownModel(breakers) };
}

/** A model that is only failing is tried again, whatever the other one is. */
function whyAway({ first, second }: Breakers): AiCause {
  return first.state === "off" && (second?.state ?? "off") === "off" ? "model-refused" : "model-failing";
}

/** Where one of two models can be called, the other is off for its name alone: what is wrong with the server or the key counts for both. */
function unknownModel({ first, second }: Breakers): AiCause | null {
  if (first.state === "off") return "first-model-unknown";
  return second?.state === "off" ? "second-model-unknown" : null;
}
