import { languageOf } from "@frontdesk/core/domain/ai/script-language";
import type { Context } from "../context.ts";
import { countersOf } from "../teams/team-counters.ts";
import { publishedSample } from "./passage-store.ts";

/** So many articles are looked at, evenly spread over all of them. */
const SAMPLE = 40;
/** A list of more would be of no use to who searches. */
const LANGUAGES_MAX = 5;

/** The languages of the published articles as BCP 47, the commonest first: those of a sample that are sure by their words or script. */
export async function articleLanguages(ctx: Context): Promise<string[]> {
  const { articles } = await countersOf(ctx);
  const step = Math.max(1, Math.floor(articles / SAMPLE));
  const sample = await ctx.db.all(publishedSample, { team_id: ctx.teamId, step });
  const counts = new Map<string, number>();
  for (const { question, beginning } of sample) {
    const language = languageOf(`${question}\n${beginning}`);
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, LANGUAGES_MAX)
    .map(([language]) => language);
}
