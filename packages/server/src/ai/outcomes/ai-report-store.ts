import type { AiEpisodeOutcome, LastWord } from "@frontdesk/core/domain/ai/ai-episode";
import { sql } from "kysely";
import { statement } from "../../storage/statement.ts";

/** `from` to `to`, the latter not included, ms since the epoch; and the days, in UTC, on which they are. */
interface Between {
  team_id: string;
  from: number;
  to: number;
  from_day: string;
  to_day: string;
}

/** Episodes of one day, with one outcome and reason. */
export interface AiOutcomeRow {
  /** YYYY-MM-DD */
  day: string;
  outcome: string;
  reason: string | null;
  episodes: number;
  /** Those of them that are open, and that their visitors have left. */
  left_open: number;
  answers: number;
  tokens_in: number;
  tokens_out: number;
}

/** How the episodes ended in which the AI first spoke then, by day. Open ones whose visitor is silent since `silent_since` are left. */
export const aiOutcomes = statement<Between & { silent_since: number }, AiOutcomeRow>((db, param) =>
  db
    .selectFrom("ai_episodes")
    .select((row) => [
      "day",
      "outcome",
      "reason",
      sql<number>`count(*)`.as("episodes"),
      row.fn
        .count<number>(
          row
            .case()
            .when(
              row.and([
                row("outcome", "=", sql.lit("open" satisfies AiEpisodeOutcome)),
                row("last_word", "=", sql.lit("uncited" satisfies LastWord)),
                row("last_at", "<=", param("silent_since")),
              ]),
            )
            .then(sql.lit(1))
            .end(),
        )
        .as("left_open"),
      sql<number>`cast(sum(answers) as bigint)`.as("answers"),
      sql<number>`cast(sum(tokens_in) as bigint)`.as("tokens_in"),
      sql<number>`cast(sum(tokens_out) as bigint)`.as("tokens_out"),
    ])
    .where("team_id", "=", param("team_id"))
    .where("day", ">=", param("from_day"))
    .where("day", "<=", param("to_day"))
    .where("begun_at", ">=", param("from"))
    .where("begun_at", "<", param("to"))
    .groupBy(["day", "outcome", "reason"]),
);

/** How long the first answers took, by day: a row for each tenth of a second that was measured. */
export const aiAnswerTimes = statement<Between, { answer_ms: number; episodes: number }>((db, param) =>
  db
    .selectFrom("ai_episodes")
    .select(["answer_ms", sql<number>`count(*)`.as("episodes")])
    .$narrowType<{ answer_ms: number }>()
    .where("team_id", "=", param("team_id"))
    .where("day", ">=", param("from_day"))
    .where("day", "<=", param("to_day"))
    .where("begun_at", ">=", param("from"))
    .where("begun_at", "<", param("to"))
    .where("answer_ms", "is not", null)
    .groupBy(["day", "answer_ms"]),
);
