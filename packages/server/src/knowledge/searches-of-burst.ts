import { SEARCH_MAX } from "@frontdesk/core/contract/fields";
import { piecesOf } from "@frontdesk/core/domain/passages";

/** How many searches are made for one burst of messages: the latest messages, and all of them in one. */
const SEARCHES_MAX = 4;
/** A sentence that ends in a question mark of any script. It begins where one may, or a long text is gone through from each place. */
const ASKING = /(?<![^.!?。！？؟\n])[^.!?。！？؟\n]+[?？؟]/gu;

/**
 * What is searched for: all messages in one, when that is short; then the last ones, each alone. Of a long one its sentences that
 * ask come first: the words of the others would hide theirs.
 */
export function searchesOf(questions: readonly string[]): string[] {
  const asked = questions.map((question) => question.trim()).filter((question) => question !== "");
  const folded = asked.join("\n");
  const alone = asked.toReversed().flatMap((message) => {
    const isShort = message.length <= SEARCH_MAX;
    return isShort
      ? [message]
      : [...(message.match(ASKING) ?? []), message].flatMap((part) => piecesOf(part, SEARCH_MAX));
  });
  const searches = folded.length <= SEARCH_MAX ? [folded, ...alone] : alone;
  return [...new Set(searches)].filter((search) => search !== "").slice(0, SEARCHES_MAX);
}
