import { foldSearch, searchable, searchWords } from "@frontdesk/core/domain/search-text";
import type { ReactNode } from "react";

/**
 * Filters choices: every typed word has to be contained; choices that begin with the whole text come first. Without a match,
 * the letters in order are enough: `rfd` finds `refund`.
 */
export function matching<C extends { label: ReactNode; also?: string | undefined }>(
  choices: readonly C[],
  typed: string,
): C[] {
  const words = searchWords(typed);
  if (words.length === 0) return [...choices];
  const found = choices.filter(({ label, also = "" }) => {
    const text = searchable(`${label} ${also}`);
    return words.every((word) => text.includes(word));
  });
  if (found.length === 0) {
    const letters = foldSearch(typed).replace(/\s+/g, "");
    return letters.length > 1 ? choices.filter(({ label }) => hasInOrder(foldSearch(String(label)), letters)) : [];
  }
  const whole = foldSearch(typed).trim();
  const begins = ({ label }: C) => foldSearch(String(label)).startsWith(whole);
  return [...found.filter(begins), ...found.filter((choice) => !begins(choice))];
}

function hasInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of text) if (letter === letters[at]) at += 1;
  return at === letters.length;
}
