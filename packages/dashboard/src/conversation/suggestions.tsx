/**
 * Suggestions in the composer: `/` canned replies, `#` articles, `@` agents, `:` emoji. The list is above the field; arrows move, Enter or
 * Tab inserts, Esc closes it. The focus never leaves the field.
 */
import { foldText } from "@frontdesk/core/domain/folded-text";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
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
  /** Which typed text opens the list; without it, any. Its button opens it in any case. */
  opensFor?(typed: string): boolean;
  /** The suggestions are found elsewhere, in their order: called with the typed text. */
  search?(typed: string): void;
  /** Whether such a search runs. */
  searching?: boolean;
  /** Shown when its button was pressed and there are no suggestions. */
  none?: string;
  suggestions: readonly Suggestion[];
}

const SHOWN = 8;

interface Asked {
  source: SuggestionSource;
  /** The position of the sign, and the end of the typed text after it. */
  from: number;
  to: number;
  typed: string;
  found: Suggestion[];
}

/** Enter, pressed while a search ran: it acts on what the search finds. */
interface HeldEnter {
  text: string;
  /** What Enter does without a suggestion. */
  otherwise(): void;
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
  /** The position of the sign that a button has inserted. Events that come before the next rendering read it too. */
  const [begunAt, showBegunAt] = useState(-1);
  const begunNow = useRef(-1);
  const setBegunAt = (position: number) => {
    begunNow.current = position;
    showBegunAt(position);
  };
  const [held, setHeld] = useState<HeldEnter>();
  const asked = at < 0 ? undefined : askedFor(sources, text, at, begunAt);
  const open = asked !== undefined && asked.found.length > 0;
  const searching = asked?.source.searching === true;
  const active = Math.min(chosen, (asked?.found.length ?? 1) - 1);

  const close = () => {
    setAt(-1);
    setBegunAt(-1);
  };
  const look = () => {
    const place = field.current;
    if (!place || place.selectionStart !== place.selectionEnd) return close();
    // Most key presses need no suggestions, so nothing is rendered.
    const next = askedFor(sources, place.value, place.selectionStart, begunNow.current);
    if ((next?.to ?? -1) !== at) setChosen(0);
    setAt(next?.to ?? -1);
    next?.source.search?.(next.typed);
  };
  /** At once, with the cursor after it: the next key may have been pressed already. One step of the field's undo. */
  const put = (from: number, to: number, insert: string) => {
    field.current?.focus();
    field.current?.setSelectionRange(from, to);
    if (document.execCommand("insertText", false, insert)) return;
    flushSync(() => onText(text.slice(0, from) + insert + text.slice(to)));
    field.current?.setSelectionRange(from + insert.length, from + insert.length);
  };
  const take = (suggestion: Suggestion) => {
    if (!asked) return;
    put(asked.from, asked.to, suggestion.insert);
    suggestion.onTake?.();
    close();
  };
  useEffect(() => {
    if (!held || searching) return;
    setHeld(undefined);
    if (held.text !== text || !asked) return;
    const first = asked.found[active];
    // Not within the effect: it changes the text at once.
    queueMicrotask(() => (first ? take(first) : held.otherwise()));
  });
  return {
    listId,
    open,
    /** Why there is no list, when its button was pressed. */
    none: asked && !open && !searching && asked.from === begunAt && asked.typed === "" ? asked.source.none : undefined,
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
      const begun = before === "" || /\s$/.test(before) ? sign : ` ${sign}`;
      setBegunAt(place + begun.length - sign.length);
      put(place, place, begun);
      setAt(place + begun.length);
      sources.find((source) => source.sign === sign)?.search?.("");
    },
    /**
     * Returns whether the list handled the key.
     *
     * @param otherwise what Enter does without a suggestion; undefined for other keys
     */
    onKey(event: KeyboardEvent, otherwise: (() => void) | undefined): boolean {
      const takes = event.key === "Enter" || event.key === "Tab";
      if (searching && (otherwise || (open && takes))) {
        setHeld({ text, otherwise: otherwise ?? (() => {}) });
        event.preventDefault();
        return true;
      }
      if (!open || !asked) return false;
      const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (steps !== undefined) setChosen((active + steps + asked.found.length) % asked.found.length);
      else if (takes) take(asked.found[active] as Suggestion);
      else if (event.key === "Escape") close();
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

/** The query at the cursor: the last sign at the start of a word, and the typed text after it. */
export function askedFor(
  sources: readonly SuggestionSource[],
  text: string,
  at: number,
  begunAt = -1,
): Asked | undefined {
  const before = text.slice(0, at);
  let last: Pick<Asked, "source" | "from" | "typed"> | undefined;
  for (const source of sources) {
    const from = before.lastIndexOf(source.sign);
    if (from < 0 || (last && from < last.from)) continue;
    const typed = before.slice(from + source.sign.length);
    const startsWord = from === 0 || /\s/.test(before[from - 1] ?? "");
    if (!startsWord || typed.includes("\n") || typed.startsWith(" ") || typed.length > 40) continue;
    if (source.onlyAtStart && before.slice(0, from).trim() !== "") continue;
    if (from !== begunAt && source.opensFor?.(typed) === false) continue;
    last = { source, from, typed };
  }
  if (!last) return undefined;
  const { suggestions, search } = last.source;
  const found = search ? suggestions : matching(suggestions, last.typed);
  return { ...last, to: at, found: found.slice(0, SHOWN) };
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

const BOX =
  "absolute start-0 bottom-full z-20 mb-1 w-96 max-w-full rounded-menu border border-line bg-raised text-ink shadow-menu";

export function SuggestionList({
  listId,
  open,
  none,
  active,
  found,
  take,
}: Pick<ReturnType<typeof useSuggestions>, "listId" | "open" | "none" | "active" | "found" | "take">) {
  if (none !== undefined) {
    return (
      <p role="status" className={cx(BOX, "px-3 py-2")}>
        {none}
      </p>
    );
  }
  if (!open) return null;
  return (
    <div id={listId} role="listbox" aria-label={t("composer.suggestions")} className={cx(BOX, "p-1")}>
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
          <bdi className="max-w-3/4 shrink-0 truncate font-medium">{suggestion.label}</bdi>
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
