/**
 * Suggestions in the composer: `/` canned replies, `@` agents, `:` emoji. The list is above the field; arrows move, Enter or
 * Tab inserts, Esc closes it. The focus never leaves the field.
 */
import { foldText } from "@frontdesk/core/domain/folded-text";
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from "react";
import { flushSync } from "react-dom";
import { t } from "../texts/texts.ts";
import { cx } from "../ui/class-names.ts";
import { matching } from "../ui/matching.ts";

export interface Suggestion {
  id: string;
  label: string;
  also?: string;
  hint?: string | undefined;
  icon?: ReactNode;
  /** Replaces the sign and the typed text after it. */
  insert: string;
  onTake?(): void;
}

export interface SuggestionSource {
  sign: string;
  /** `/` counts only at the start of the text, where it is not part of a path. */
  onlyAtStart?: boolean;
  suggestions: readonly Suggestion[];
}

const SHOWN = 8;

interface Asked {
  source: SuggestionSource;
  /** The position of the sign, and the end of the typed text after it. */
  from: number;
  to: number;
  found: Suggestion[];
}

export function useSuggestions({
  sources,
  text,
  onText,
  field,
}: {
  sources: readonly SuggestionSource[];
  text: string;
  onText(text: string): void;
  field: RefObject<HTMLTextAreaElement | null>;
}) {
  const listId = useId();
  const [at, setAt] = useState(-1);
  const [chosen, setChosen] = useState(0);
  const asked = at < 0 ? undefined : askedFor(sources, text, at);
  const open = asked !== undefined && asked.found.length > 0;
  const active = Math.min(chosen, (asked?.found.length ?? 1) - 1);

  const close = () => setAt(-1);
  const look = () => {
    const place = field.current;
    if (!place || place.selectionStart !== place.selectionEnd) return close();
    // Most key presses need no suggestions, so nothing is rendered.
    const next = askedFor(sources, place.value, place.selectionStart) ? place.selectionStart : -1;
    if (next !== at) setChosen(0);
    setAt(next);
  };
  /** At once, with the cursor after it: the next key may have been pressed already. */
  const put = (before: string, after: string) => {
    flushSync(() => onText(before + after));
    field.current?.focus();
    field.current?.setSelectionRange(before.length, before.length);
  };
  const take = (suggestion: Suggestion) => {
    if (!asked) return;
    put(text.slice(0, asked.from) + suggestion.insert, text.slice(asked.to));
    suggestion.onTake?.();
    close();
  };
  return {
    listId,
    open,
    active,
    activeId: open ? `${listId}-${active}` : undefined,
    found: asked?.found ?? [],
    take,
    look,
    close,
    /** Inserts a sign at the cursor, when its button is pressed. */
    begin(sign: string) {
      const place = field.current?.selectionEnd ?? text.length;
      const before = text.slice(0, place);
      const begun = before + (before === "" || /\s$/.test(before) ? sign : ` ${sign}`);
      put(begun, text.slice(place));
      setAt(begun.length);
    },
    /** Returns whether the list handled the key. */
    onKey(event: KeyboardEvent): boolean {
      if (!open || !asked) return false;
      const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (steps !== undefined) setChosen((active + steps + asked.found.length) % asked.found.length);
      else if (event.key === "Enter" || event.key === "Tab") take(asked.found[active] as Suggestion);
      else if (event.key === "Escape") close();
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

/** The query at the cursor: a sign at the start of a word, and the typed text after it. */
export function askedFor(sources: readonly SuggestionSource[], text: string, at: number): Asked | undefined {
  const before = text.slice(0, at);
  for (const source of sources) {
    const from = before.lastIndexOf(source.sign);
    if (from < 0) continue;
    const typed = before.slice(from + source.sign.length);
    const startsWord = from === 0 || /\s/.test(before[from - 1] ?? "");
    if (!startsWord || typed.includes("\n") || typed.startsWith(" ") || typed.length > 40) continue;
    if (source.onlyAtStart && before.slice(0, from).trim() !== "") continue;
    return { source, from, to: at, found: matching(source.suggestions, typed).slice(0, SHOWN) };
  }
  return undefined;
}

/** The word of a mistyped canned reply at the start of a text, `/zzzz`; undefined for a path, and when there is such a reply. */
export function unknownSlashWord(text: string, names: readonly string[]): string | undefined {
  const typed = text.trimStart();
  const word = /^\/([\p{L}\p{N}][\p{L}\p{N}\p{M}_-]*)(?=\s|$)/u.exec(typed)?.[1];
  if (word === undefined) return undefined;
  const folded = foldText(typed.slice(1));
  const isNamed = (name: string) => folded.startsWith(name) && /^(\s|$)/.test(folded.slice(name.length));
  return names.some((name) => isNamed(foldText(name))) ? undefined : word;
}

export function SuggestionList({
  listId,
  open,
  active,
  found,
  take,
}: Pick<ReturnType<typeof useSuggestions>, "listId" | "open" | "active" | "found" | "take">) {
  if (!open) return null;
  return (
    <div
      id={listId}
      role="listbox"
      aria-label={t("composer.suggestions")}
      className="absolute start-0 bottom-full z-20 mb-1 w-96 max-w-full rounded-menu border border-line bg-raised p-1 text-ink shadow-menu"
    >
      {found.map((suggestion, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
        <div
          key={suggestion.id}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === active}
          // Before the field loses the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            take(suggestion);
          }}
          className={cx(
            "flex min-h-8 cursor-default items-center gap-2 rounded-control px-2 pointer-coarse:min-h-11",
            index === active && "bg-active",
          )}
        >
          {suggestion.icon && <span className="flex w-6 shrink-0 justify-center">{suggestion.icon}</span>}
          <bdi className="shrink-0 font-medium">{suggestion.label}</bdi>
          {suggestion.hint && (
            <span dir="auto" className="aligned min-w-0 flex-1 truncate text-muted">
              {suggestion.hint}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}
