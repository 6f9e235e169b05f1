import type { ModelMessage } from "@frontdesk/core/domain/ai/model-prompt";
import { Refusal } from "@frontdesk/core/domain/refusal";
import type { Context } from "../../context.ts";
import type { FoundPassage } from "../../knowledge/find-passages.ts";
import type { ModelConnection } from "../model/model-client.ts";

/** What the model is to be asked for an agent; read in one transaction, sent after it. */
export interface CopilotRequest {
  connection: ModelConnection;
  /** When the settings were saved that `connection` is of, ms; undefined: the team has set up nothing. */
  savedAt: number | undefined;
  messages: ModelMessage[];
  /** The passages that the model is given: `[1]` is the first one. */
  passages: readonly FoundPassage[];
  /** The most tokens of the answer. */
  maxTokens: number;
  /** Puts details of people back into the answer that were replaced in what is asked. */
  restore(text: string): string;
}

/** @throws Refusal `invalid` without a field: neither the team nor the operator has set up a model */
export function withoutModel(): Refusal {
  return new Refusal({ name: "invalid", errors: {} }, "no-model");
}

const FENCE_BYTES = 6;

/** A word that no text can foresee: what stands between two of it is data. */
export const fenceWord = (ctx: Pick<Context, "random">): string => ctx.random(FENCE_BYTES).toString("hex");
