/**
 * Text in the form that is compared: two texts that differ only in letter case or in Unicode's compatibility forms fold to the
 * same (decision 2). Stored next to the original, so that both engines compare bytes and give the same result for any text.
 */
export function foldText(text: string): string {
  // Lower case has another sigma at the end of a word, and a search may end within a word.
  return text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ").normalize("NFKC");
}

/** Separates the fields of one searchable text; never inside a field, so that no match spans two of them. */
const FIELD_SEPARATOR = "\u001f";

/** Several fields folded into one searchable text. */
export function searchText(...fields: (string | null)[]): string {
  return fields.map((field) => foldSearch(field ?? "")).join(FIELD_SEPARATOR);
}

/** A search, folded as `searchText` folds. */
export function foldSearch(text: string): string {
  return foldText(text).replaceAll(FIELD_SEPARATOR, " ");
}
