import type { AiFigures, AiReport } from "@frontdesk/core/contract/rest/ai-reports";
import { type AiEpisodeOutcome, handoffBy } from "@frontdesk/core/domain/ai/ai-episode";
import { isoTime } from "../../timestamp.ts";
import { dayOf } from "../turn/usage-store.ts";
import type { AiOutcomeRow } from "./ai-report-store.ts";
import type { ShownAiReport } from "./get-ai-report.ts";

const DAY_MS = 24 * 3_600_000;

const NAMES = {
  confirmed: "confirmed",
  assumed: "assumed",
  "handed-over": "handed_over",
  abandoned: "abandoned",
  reopened: "reopened",
  open: "open",
} as const satisfies Record<AiEpisodeOutcome, keyof AiFigures>;

/** The results of the AI as the REST API shows them, with a row for each day. */
export function presentAiReport({ teamId, from, to, outcomes, answerTimes }: ShownAiReport): AiReport {
  return {
    type: "ai-reports",
    id: teamId,
    attributes: {
      from: isoTime(from),
      to: isoTime(to),
      ...figuresOf(outcomes),
      answer_time: answerTime(answerTimes),
      handoffs: handoffsOf(outcomes),
      days: daysOf(outcomes, from, to),
    },
  };
}

function figuresOf(rows: readonly AiOutcomeRow[]): AiFigures {
  const figures: AiFigures = {
    ...{ conversations: 0, confirmed: 0, assumed: 0, handed_over: 0, abandoned: 0, reopened: 0, open: 0 },
    ...{ answers: 0, tokens_in: 0, tokens_out: 0 },
  };
  for (const row of rows) {
    const [episodes, leftOpen] = [Number(row.episodes), Number(row.left_open)];
    figures.conversations += episodes;
    figures[NAMES[row.outcome as AiEpisodeOutcome]] += episodes - leftOpen;
    figures.abandoned += leftOpen;
    figures.answers += Number(row.answers);
    figures.tokens_in += Number(row.tokens_in);
    figures.tokens_out += Number(row.tokens_out);
  }
  return figures;
}

function daysOf(outcomes: readonly AiOutcomeRow[], from: number, to: number): AiReport["attributes"]["days"] {
  const byDay = Map.groupBy(outcomes, ({ day }) => day);
  const first = Math.floor(from / DAY_MS);
  const last = Math.floor((to - 1) / DAY_MS);
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const date = dayOf((first + index) * DAY_MS);
    return { date, ...figuresOf(byDay.get(date) ?? []) };
  });
}

function handoffsOf(outcomes: readonly AiOutcomeRow[]): AiReport["attributes"]["handoffs"] {
  const handedOver = outcomes.filter(({ outcome }) => outcome === ("handed-over" satisfies AiEpisodeOutcome));
  return [...Map.groupBy(handedOver, ({ reason }) => reason ?? "")]
    .map(([reason, rows]) => ({ reason, by: handoffBy(reason), conversations: sumOf(rows) }))
    .sort((a, b) => b.conversations - a.conversations || (a.reason < b.reason ? -1 : 1));
}

const sumOf = (rows: readonly { episodes: number }[]) => rows.reduce((sum, { episodes }) => sum + Number(episodes), 0);

function answerTime(times: ShownAiReport["answerTimes"]): AiReport["attributes"]["answer_time"] {
  const fastestFirst = times.toSorted((a, b) => Number(a.answer_ms) - Number(b.answer_ms));
  const count = sumOf(times);
  return { count, p50_ms: percentile(fastestFirst, count * 0.5), p95_ms: percentile(fastestFirst, count * 0.95) };
}

/** The time within which `rank` of them came, ms; null of none. */
function percentile(fastestFirst: ShownAiReport["answerTimes"], rank: number): number | null {
  let seen = 0;
  for (const { answer_ms, episodes } of fastestFirst) {
    seen += Number(episodes);
    if (seen >= rank) return Number(answer_ms);
  }
  return null;
}
