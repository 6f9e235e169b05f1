import { type Highlight, highlightsOf, type Marked } from "@frontdesk/core/domain/highlights";
import { searchWords } from "@frontdesk/core/domain/search-text";

/** A text with what was found in it. The marks are around plain text: nothing in it is read as HTML. */
export function MarkedText({ text, marks }: { text: string; marks: readonly Highlight[] }) {
  const parts: React.ReactNode[] = [];
  let end = 0;
  for (const mark of marks) {
    parts.push(text.slice(end, mark.start));
    parts.push(
      <mark key={mark.start} className="rounded-tag bg-note text-note-ink">
        {text.slice(mark.start, mark.end)}
      </mark>,
    );
    end = mark.end;
  }
  return [...parts, text.slice(end)];
}

/** The same for the words of a search; none mark nothing. */
export function FoundText({ text, marked }: { text: string; marked: Marked }) {
  return marked.words.length === 0 ? text : <MarkedText text={text} marks={highlightsOf(text, marked)} />;
}

/** What a search looks for, when it is plain text. */
export const markedBy = (search: string): Marked => ({ words: searchWords(search), forgiving: false });
