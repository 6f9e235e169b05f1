import type { AiEpisodeOutcome, LastWord } from "@frontdesk/core/domain/ai/ai-episode";
import { sql } from "kysely";
import { statement, wholeRow } from "../../storage/statement.ts";
import type { AiEpisodeRow } from "../../storage/tables.ts";

type Key = Pick<AiEpisodeRow, "team_id" | "conversation_id" | "number">;

export const aiEpisodeByKey = statement<Key, AiEpisodeRow>((db, param) =>
  db
    .selectFrom("ai_episodes")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("number", "=", param("number")),
);

export const insertAiEpisode = statement<AiEpisodeRow>((db, param) =>
  db.insertInto("ai_episodes").values(wholeRow(param, "ai_episodes")),
);

export const setAiSpoken = statement<Key & Pick<AiEpisodeRow, "last_word" | "last_at" | "answers" | "answer_ms">>(
  (db, param) =>
    db
      .updateTable("ai_episodes")
      .set({
        ...{ last_word: param("last_word"), last_at: param("last_at") },
        ...{ answers: param("answers"), answer_ms: param("answer_ms") },
      })
      .where("team_id", "=", param("team_id"))
      .where("conversation_id", "=", param("conversation_id"))
      .where("number", "=", param("number")),
);

export const setVisitorSpoken = statement<Key & Pick<AiEpisodeRow, "last_at">>((db, param) =>
  db
    .updateTable("ai_episodes")
    .set({ last_word: sql.lit("visitor" satisfies LastWord), last_at: param("last_at") })
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("number", "=", param("number"))
    .where("outcome", "=", sql.lit("open" satisfies AiEpisodeOutcome)),
);

export const addAiEpisodeTokens = statement<Key & Pick<AiEpisodeRow, "tokens_in" | "tokens_out">>((db, param) =>
  db
    .updateTable("ai_episodes")
    .set({
      tokens_in: sql<number>`tokens_in + ${param("tokens_in")}`,
      tokens_out: sql<number>`tokens_out + ${param("tokens_out")}`,
    })
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("number", "=", param("number")),
);

/** Ends an open one; nothing happens to one that has ended, or in which the AI has not spoken. */
export const endOpenAiEpisode = statement<
  Key & { outcome: string; after_cited: string; after_uncited: string; reason: string | null } & {
    silent_since: number;
    ended_at: number;
  }
>((db, param) =>
  db
    .updateTable("ai_episodes")
    .set((row) => ({
      outcome: row
        .case()
        .when(
          row.or([
            row("last_at", ">", param("silent_since")),
            row("last_word", "=", sql.lit("visitor" satisfies LastWord)),
          ]),
        )
        .then(param("outcome"))
        .when("last_word", "=", sql.lit("cited" satisfies LastWord))
        .then(param("after_cited"))
        .else(param("after_uncited"))
        .end(),
      reason: param("reason"),
      ended_at: param("ended_at"),
    }))
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("number", "=", param("number"))
    .where("outcome", "=", sql.lit("open" satisfies AiEpisodeOutcome)),
);

/** What the AI has resolved since `since`: the visitor was not helped. Its reason is what it was before. */
export const reopenAiEpisode = statement<Key & { since: number }>((db, param) =>
  db
    .updateTable("ai_episodes")
    .set((row) => ({ reason: row.ref("outcome"), outcome: sql.lit("reopened" satisfies AiEpisodeOutcome) }))
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("number", "=", param("number"))
    .where(
      "outcome",
      "in",
      (["confirmed", "assumed"] satisfies AiEpisodeOutcome[]).map((each) => sql.lit(each)),
    )
    .where("ended_at", ">=", param("since")),
);
