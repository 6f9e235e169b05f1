import { languageOf } from "@frontdesk/core/domain/ai/script-language";
import type { Context } from "../context.ts";
import { countersOf } from "../teams/team-counters.ts";
import { newestChange, publishedSample } from "./passage-store.ts";

/** So many articles are looked at, evenly spread over all of them. */
const SAMPLE = 40;
/** A list of more would be of no use to who searches. */
const LANGUAGES_MAX = 5;
/** A change by a process whose clock is behind is not the newest one. It counts after this. */
const KNOWN_MS = 60_000;
/** A thousand teams take less than a megabyte. */
const TEAMS_MAX = 1_000;

interface Known {
  /** Of which articles. */
  as: string;
  at: number;
  languages: string[];
}

/** By team; the one that was told last is the last. */
const known = new Map<string, Known>();

/**
 * The languages of the published articles as BCP 47, the commonest first: those of a sample that are sure by their words or script.
 * They are kept until an article changes, in whichever process: telling them takes longer than a search.
 */
export async function articleLanguages(ctx: Context): Promise<string[]> {
  const [{ articles, published_articles: published }, newest] = await Promise.all([
    countersOf(ctx),
    ctx.db.first(newestChange, { team_id: ctx.teamId }),
  ]);
  const as = JSON.stringify([articles, published, newest]);
  const before = known.get(ctx.teamId);
  if (before?.as === as && ctx.now - before.at < KNOWN_MS) return before.languages;
  const languages = await languagesOfSample(ctx, articles);
  known.delete(ctx.teamId);
  known.set(ctx.teamId, { as, at: ctx.now, languages });
  for (const [oldest] of known) if (known.size > TEAMS_MAX) known.delete(oldest);
  return languages;
}

async function languagesOfSample(ctx: Context, articles: number): Promise<string[]> {
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
