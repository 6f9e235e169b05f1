import type { TakenFor, UnderstoodWord } from "@frontdesk/core/domain/article-ranking";
import { type AskedWord, askedWords } from "@frontdesk/core/domain/text-words";
import {
  backward,
  formsAround,
  likeness,
  type Neighbourhood,
  SAME_WORD,
  typosAround,
} from "@frontdesk/core/domain/word-likeness";
import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { type KnownWord, knownWords, wordsBackwardBetween, wordsBetween } from "./word-store.ts";

/** How many words with one beginning or one end are compared, in alphabetical order; for two letters there may be more. */
const ALIKE_MAX = 2_000;
/** Greater than every character. */
const LAST = "\u{10ffff}";

/** The words of a question, each with the matching words of the team's published articles. */
export function understandQuestion(ctx: Context, question: string): Promise<UnderstoodWord[]> {
  return Promise.all(
    askedWords(question).map(async (word) => ({
      letters: word.letters,
      parts: await Promise.all(word.parts.map((part) => takenFor(ctx, word, part))),
    })),
  );
}

async function takenFor(ctx: Context, { takes, unfinished }: AskedWord, part: string): Promise<TakenFor[]> {
  switch (takes) {
    case "the like": {
      const forms = alike(part, unfinished, false, await look(ctx, formsAround(part, unfinished)));
      // A word that occurs in articles is spelled right.
      if (forms.some((form) => form.likeness >= SAME_WORD)) return forms;
      const typos = alike(part, unfinished, true, await look(ctx, typosAround(part)));
      return [...forms.filter(({ word }) => !typos.some((typo) => typo.word === word)), ...typos];
    }
    case "the same":
      return same(await look(ctx, { words: [part], beginnings: [], endings: [] }));
    case "what begins so":
      return same(await look(ctx, { words: [], beginnings: [part], endings: [] }));
    default:
      return takes satisfies never;
  }
}

const same = (words: readonly KnownWord[]): TakenFor[] => words.map((word) => ({ ...word, likeness: 1 }));

function alike(asked: string, unfinished: boolean, forgiving: boolean, words: readonly KnownWord[]): TakenFor[] {
  return words
    .map((known) => ({ ...known, likeness: likeness(asked, known.word, { unfinished, forgiving }) }))
    .filter((known) => known.likeness > 0);
}

/** The team's words in a neighbourhood, each once. */
async function look(ctx: Context, { words, beginnings, endings }: Neighbourhood): Promise<KnownWord[]> {
  const range = (from: string) => ({ team_id: ctx.teamId, from, to: from + LAST, limit: ALIKE_MAX });
  const found = await Promise.all([
    ...(words.length > 0 ? [ctx.db.all(knownWords, { team_id: ctx.teamId, words: listParam(words) })] : []),
    ...beginnings.map((beginning) => ctx.db.all(wordsBetween, range(beginning))),
    ...endings.map((ending) => ctx.db.all(wordsBackwardBetween, range(backward(ending)))),
  ]);
  return [...new Map(found.flat().map((known) => [known.word, known])).values()];
}
