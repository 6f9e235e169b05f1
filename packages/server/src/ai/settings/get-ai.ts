import type { AiCause, AiSettings, AiState } from "@frontdesk/core/domain/ai/ai-settings";
import type { Context, Operation } from "../../context.ts";
import type { AiSettingsRow } from "../../storage/tables.ts";
import { dayOf, firstOfMonth, usageBetween } from "../turn/usage-store.ts";
import { aiOfTeam } from "./ai-settings-store.ts";
import { stateOf } from "./ai-state.ts";
import { settingsOf } from "./open-ai-settings.ts";

/** The AI of a team as its settings show it. */
export interface ShownAi {
  teamId: string;
  settings: AiSettings;
  /** The last characters of the key; null without one. */
  keyLast: string | null;
  hasKey: boolean;
  /** The agent who speaks; null until it is set up. */
  agentId: string | null;
  state: AiState;
  /** Also while it is ready, of a model that its server does not know. */
  cause: AiCause | null;
  /** The name of the operator's model; null when there is none. */
  operatorModel: string | null;
  tokensToday: number;
  tokensThisMonth: number;
}

/** The settings of the built-in AI; the defaults of a team that has set up nothing. */
export const getAi: Operation<Record<string, never>, ShownAi> = {
  name: "get-ai",
  mode: "read",
  run: async (ctx) => showAi(ctx, await ctx.db.first(aiOfTeam, { team_id: ctx.teamId })),
};

export async function showAi(ctx: Context, row: AiSettingsRow | undefined): Promise<ShownAi> {
  const { tokensToday, tokensThisMonth } = await spent(ctx, row);
  const settings = settingsOf(row);
  const shown = stateOf(ctx, row);
  const isSpent =
    (settings.tokens_a_day !== null && tokensToday >= settings.tokens_a_day) ||
    (settings.tokens_a_month !== null && tokensThisMonth >= settings.tokens_a_month);
  return {
    teamId: ctx.teamId,
    settings,
    keyLast: row?.api_key_last ?? null,
    hasKey: (row?.api_key_sealed ?? null) !== null,
    agentId: row?.agent_id ?? null,
    ...(shown.state === "ready" && isSpent ? { state: "away", cause: "tokens-spent" } : shown),
    operatorModel: ctx.operatorModel?.model ?? null,
    tokensToday,
    tokensThisMonth,
  };
}

async function spent(ctx: Context, row: AiSettingsRow | undefined) {
  if (!row) return { tokensToday: 0, tokensThisMonth: 0 };
  const today = dayOf(ctx.now);
  const days = await ctx.db.all(usageBetween, { team_id: ctx.teamId, from: firstOfMonth(today), to: today });
  const sumOf = (rows: typeof days) => rows.reduce((sum, { tokens }) => sum + tokens, 0);
  return { tokensToday: sumOf(days.filter(({ day }) => day === today)), tokensThisMonth: sumOf(days) };
}
