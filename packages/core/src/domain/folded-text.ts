/**
 * Text in the form in which names are the same: two texts that differ only in letter case or in Unicode's compatibility forms
 * fold to the same (decision 2). A search is folded further, by `search-text.ts`.
 */
export function foldText(text: string): string {
  // Lower case has another sigma at the end of a word, and a search may end within a word.
  return text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ").normalize("NFKC");
}
