import type { AiRunReason } from "@frontdesk/core/domain/ai/ai-settings";
import { activeAdmins } from "../../agents/agent-store.ts";
import type { Context, Operation } from "../../context.ts";
import type { AiSettingsRow } from "../../storage/tables.ts";
import { teamById } from "../../teams/team-store.ts";
import { afterCall, type Breakers, beginWith, breakersOf, storedBreakers } from "../model/breakers.ts";
import type { ModelFailure } from "../model/model-errors.ts";
import type { ModelChoice } from "../model/second-model.ts";
import { followAi } from "../settings/agent-of-ai.ts";
import { aiOfTeam } from "../settings/ai-settings-store.ts";
import { reservedTokens, withoutReservation, withReservation } from "./reservations.ts";
import { tokensMail } from "./tokens-mail.ts";
import { addUsage, dayOf, firstOfMonth, monthOf, setBreaker, setWarned, usageBetween } from "./usage-store.ts";

/** The admins are told when so much of the tokens of a day or month is spent. */
export const WARNED_AT = 0.8;

/** Tokens that a call may cost, the day that they are taken from, and the model that the call goes to. */
export type Reservation =
  | { day: string; tokens: number; model: ModelChoice }
  | { refused: Extract<AiRunReason, "cap-team" | "model-away"> };

/**
 * Sets tokens aside before a call, by estimate: over all processes no team spends more than it wants, but for what an estimate was
 * too low. It also begins the call for the breaker of a model: the first, or the second when that is asked for, or while the first
 * is away.
 */
export const reserveTokens: Operation<{ tokens: number; model?: ModelChoice }, Reservation> = {
  name: "reserve-ai-tokens",
  mode: "write",
  async run(ctx, { tokens, model = "first" }) {
    const row = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
    // The operator's model, without limits of the team.
    if (!row) return { day: dayOf(ctx.now), tokens, model: "first" };
    const begun = beginWith(breakersOf(row), model, ctx.now);
    if (!begun) return { refused: "model-away" };
    const day = dayOf(ctx.now);
    const spent = await spentBy(ctx, day);
    const isOver = (cap: number | null, used: number) => cap !== null && used + tokens > cap;
    const over = { month: isOver(row.tokens_a_month, spent.month), day: isOver(row.tokens_a_day, spent.day) };
    if (over.month || over.day) {
      // Of a low limit less than a call may be left before the admins were told.
      await warnOnce(ctx, row, day, over);
      return { refused: "cap-team" };
    }
    keepBreakers(ctx, row, begun.breakers);
    const reservations = withReservation(spent.reservations, { now: ctx.now, tokens });
    ctx.write(addUsage, { team_id: ctx.teamId, day, tokens: 0, reservations });
    return { day, tokens, model: begun.model };
  },
};

/** What a call was made with is not what is set now, or the call was ended: nothing is known of the model. */
const UNTOLD = { kind: "aborted", status: null } as const;

/** How a call ended: what it has cost, and whether its model is well. */
export const settleCall: Operation<
  {
    day: string;
    reserved: number;
    tokens: number;
    model: ModelChoice;
    /** `unknown`: it has ended otherwise than by an answer or a failure of the server. */
    failed: Pick<ModelFailure, "kind" | "status"> | "unknown" | undefined;
    /** When the settings were saved that it was made with, ms; undefined: the team had none. */
    savedAt: number | undefined;
  },
  void
> = {
  name: "settle-ai-call",
  mode: "write",
  async run(ctx, { day, reserved, tokens, model, failed, savedAt }) {
    const row = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
    if (!row) return;
    const before = await spentBy(ctx, day, "settled");
    const reservations = withoutReservation(before.reservations, { now: ctx.now, tokens: reserved });
    ctx.write(addUsage, { team_id: ctx.teamId, day, tokens, reservations });
    // What another server, model or key has done says nothing of those that are set by now.
    const told = failed === "unknown" || savedAt !== row.updated_at ? UNTOLD : failed;
    const breakers = afterCall(breakersOf(row), { model, failed: told, now: ctx.now });
    await followAi(ctx, keepBreakers(ctx, row, breakers));
    const crosses = (cap: number | null, used: number) =>
      cap !== null && used < cap * WARNED_AT && used + tokens >= cap * WARNED_AT;
    const month = crosses(row.tokens_a_month, before.month);
    await warnOnce(ctx, row, day, { month, day: crosses(row.tokens_a_day, before.day) });
  },
};

/** What a team has spent on a day and in its month; with what is set aside for calls under way, unless only what is settled. */
async function spentBy(
  ctx: Context,
  day: string,
  what?: "settled",
): Promise<{ day: number; month: number; reservations: string | undefined }> {
  const rows = await ctx.db.all(usageBetween, { team_id: ctx.teamId, from: firstOfMonth(day), to: day });
  const spentOn = ({ tokens, reservations }: (typeof rows)[number]) =>
    tokens + (what ? 0 : reservedTokens(reservations, ctx.now));
  const sum = (days: typeof rows) => days.reduce((total, each) => total + spentOn(each), 0);
  const [today] = rows.filter((each) => each.day === day);
  return { day: today ? spentOn(today) : 0, month: sum(rows), reservations: today?.reservations };
}

function keepBreakers(ctx: Context, row: AiSettingsRow, breakers: Breakers): AiSettingsRow {
  const stored = storedBreakers(breakers);
  if (stored !== row.breaker) ctx.write(setBreaker, { team_id: ctx.teamId, breaker: stored });
  return { ...row, breaker: stored };
}

/** Tells the admins, once a day and once a month, and of both at once only of the month. */
async function warnOnce(
  ctx: Context,
  row: AiSettingsRow,
  day: string,
  is: { month: boolean; day: boolean },
): Promise<void> {
  const spans = { month: monthOf(day), day };
  const warned = (row.warned_on ?? "").split(" ").filter((span) => span === spans.month || span === spans.day);
  const due = (["month", "day"] as const).filter((span) => is[span] && !warned.includes(spans[span]));
  const [span] = due;
  if (span === undefined) return;
  const warned_on = [...warned, ...due.map((each) => spans[each])].join(" ");
  ctx.write(setWarned, { team_id: ctx.teamId, warned_on });
  if (!ctx.sendsMail) return;
  const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
  const about = { aiName: row.name, teamName: team?.name ?? "", url: `${ctx.publicUrl}/app/settings/ai`, span };
  for (const admin of await ctx.db.all(activeAdmins, { team_id: ctx.teamId })) {
    ctx.enqueue({ kind: "send-mail", payload: tokensMail(admin, about) });
  }
}
