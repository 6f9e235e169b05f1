import { REPORT_DAYS, REPORT_DAYS_MAX } from "@frontdesk/core/contract/rest/ai-reports";
import { SILENT_AFTER_MS } from "@frontdesk/core/domain/ai/ai-episode";
import { because } from "@frontdesk/core/domain/reasons";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../../context.ts";
import { dayOf } from "../turn/usage-store.ts";
import { type AiOutcomeRow, aiAnswerTimes, aiOutcomes } from "./ai-report-store.ts";

const DAY_MS = 24 * 3_600_000;

export interface ShownAiReport {
  teamId: string;
  /** ms since the epoch; `to` is not included. */
  from: number;
  to: number;
  outcomes: AiOutcomeRow[];
  /** In any order; a time can be there for each day. */
  answerTimes: { answer_ms: number; episodes: number }[];
}

/**
 * How the conversations with the AI ended. The times are ISO 8601.
 *
 * @throws Refusal `invalid` on `to` for a time that is empty or too long
 */
export const getAiReport: Operation<{ from?: string; to?: string }, ShownAiReport> = {
  name: "get-ai-report",
  mode: "read",
  async run(ctx, input) {
    // The end is not included, and what ends now is.
    const to = input.to === undefined ? ctx.now + 1 : Date.parse(input.to);
    const from = input.from === undefined ? to - REPORT_DAYS * DAY_MS : Date.parse(input.from);
    if (to <= from) throw invalid({ to: "range-order" });
    if (to - from > REPORT_DAYS_MAX * DAY_MS)
      throw invalid({ to: because("range-too-long", { max: REPORT_DAYS_MAX }) });
    const between = { team_id: ctx.teamId, from, to, from_day: dayOf(from), to_day: dayOf(to - 1) };
    const [outcomes, answerTimes] = await Promise.all([
      ctx.db.all(aiOutcomes, { ...between, silent_since: ctx.now - SILENT_AFTER_MS }),
      ctx.db.all(aiAnswerTimes, between),
    ]);
    return { teamId: ctx.teamId, from, to, outcomes, answerTimes };
  },
};
