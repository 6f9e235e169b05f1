import { aiCaps } from "@frontdesk/core/domain/ai/ai-settings";
import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import { searchesIn } from "@frontdesk/core/domain/ai/model-searches";
import type { FindForTurn } from "./find-for-turn.ts";
import type { InformedTurn, LoggedSearch, Passage } from "./turn.ts";

/** How many passages a search of the model adds at most. */
const ADDED_MAX = 5;
/** Of all passages together, by estimate: as of a knowledge base that is read whole. The best one of a search is always added. */
const PASSAGES_TOKENS = 8_000;

/** The model's own searches; the one for the visitor's words was made before. */
const searchesLeft = ({ searched }: InformedTurn): number => aiCaps.SEARCHES_A_TURN - 1 - searched.length;

/** Whether the model may search in a call: the articles that it has are not all, and another call can use what is found. */
export function maySearch(turn: InformedTurn, call: number): boolean {
  return !turn.isWholeBase && call < aiCaps.CALLS_A_TURN && searchesLeft(turn) > 0;
}

/**
 * Searches for what the model wants to know, and adds what is new to the passages, with numbers that go on: `[1]` stays what it was.
 *
 * @param text of a `SEARCH`
 * @param searches each search is added to it
 */
export async function searchAgain(
  find: FindForTurn,
  turn: InformedTurn,
  text: string,
  searches: LoggedSearch[],
): Promise<InformedTurn> {
  const passages = [...turn.passages];
  const searched: LoggedSearch[] = [];
  for (const query of searchesIn(text).slice(0, searchesLeft(turn))) {
    const { passages: found } = await find([query], ADDED_MAX);
    const added = fitting(passages, found);
    passages.push(...added);
    searched.push({ query, found: added.length });
  }
  searches.push(...searched);
  return { ...turn, passages, searched: [...turn.searched, ...searched] };
}

/** Those that are new, as many as there is room for. */
function fitting(known: readonly Passage[], found: readonly Passage[]): Passage[] {
  const added: Passage[] = [];
  let tokens = known.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  for (const passage of found.filter((each) => !known.some((one) => isSame(one, each)))) {
    tokens += estimateTokens(passage.text);
    if (added.length > 0 && tokens > PASSAGES_TOKENS) break;
    added.push(passage);
  }
  return added;
}

const isSame = (one: Passage, other: Passage): boolean => one.articleId === other.articleId && one.text === other.text;
