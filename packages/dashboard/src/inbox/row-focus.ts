import type { LiveConversation } from "@frontdesk/core/contract/live";
import type { Virtualizer } from "@tanstack/react-virtual";
import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";

/**
 * The keyboard focus of a list that is one tab stop: arrows, Home and End move it from row to row, Space selects. Opening a
 * conversation scrolls to its row, and takes the focus there when it is in the list.
 */
export function useRowFocus(
  scroller: RefObject<HTMLDivElement | null>,
  rows: Virtualizer<HTMLDivElement, Element>,
  conversations: readonly LiveConversation[],
  activeId: string | undefined,
  onChoose: (id: string, range: boolean) => void,
) {
  /** The row that had the focus last. */
  const [focused, setFocused] = useState<string>();
  const shown = rows.getVirtualItems();
  const tabStop = shown.some(({ key }) => key === focused) ? focused : conversations[shown[0]?.index ?? 0]?.id;
  /** The row that gets the focus when it is rendered. */
  const toFocus = useRef<string>(undefined);
  useEffect(() => {
    if (toFocus.current === undefined) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-conversation="${toFocus.current}"] a`);
    if (!row) return;
    toFocus.current = undefined;
    // Not when something else has taken it meanwhile, as the reply does.
    const { activeElement } = document;
    if (activeElement === document.body || scroller.current?.contains(activeElement))
      row.focus({ preventScroll: true });
  });

  // Scroll to the open conversation when another one is opened, not when the list changes. The focus follows it in the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const activeIndex = conversations.findIndex(({ id }) => id === activeId);
    if (activeIndex < 0) return;
    rows.scrollToIndex(activeIndex, { align: "auto" });
    setFocused(activeId);
    if (scroller.current?.contains(document.activeElement)) toFocus.current = activeId;
  }, [activeId, rows]);

  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const id = rowOf(event.target);
    const at = conversations.findIndex((conversation) => conversation.id === id);
    if (id === undefined || at < 0) return;
    if (event.key === " " && event.target instanceof HTMLAnchorElement) {
      event.preventDefault();
      return onChoose(id, false);
    }
    const last = conversations.length - 1;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
    const next = to === undefined ? undefined : conversations[Math.min(last, Math.max(0, to))];
    if (!next) return;
    event.preventDefault();
    toFocus.current = next.id;
    setFocused(next.id);
    rows.scrollToIndex(conversations.indexOf(next), { align: "auto" });
  };
  const onFocus = ({ target }: FocusEvent) => setFocused(rowOf(target));
  return { tabStop, press, onFocus };
}

/** The conversation of the row that contains an element. */
const rowOf = (target: EventTarget): string | undefined =>
  (target as Element).closest<HTMLElement>("[data-conversation]")?.dataset.conversation;
