import type { SpamItem } from "@frontdesk/core/contract/inbox-spam";
import { type RefObject, useEffect, useRef } from "react";

/**
 * Where the focus goes when the row that had it is gone: to the row after it, else the one before, else to the page. Not when something
 * else has the focus.
 */
export function useRowAfter(rows: readonly SpamItem[]): {
  place: RefObject<HTMLDivElement | null>;
  /** Call it before a row goes. */
  goesFrom(item: SpamItem): void;
} {
  const place = useRef<HTMLDivElement>(null);
  /** The row that gets the focus; null: none is left. */
  const next = useRef<string | null>(undefined);
  useEffect(() => {
    if (next.current === undefined || document.activeElement !== document.body) return;
    const row = place.current?.querySelector<HTMLElement>(`[data-spam="${next.current}"] button`);
    (row ?? place.current)?.focus();
    next.current = undefined;
  });
  // An agent who goes on elsewhere in the list stays there.
  useEffect(() => {
    const list = place.current;
    const stay = () => {
      next.current = undefined;
    };
    list?.addEventListener("focusin", stay);
    return () => list?.removeEventListener("focusin", stay);
  }, []);
  return {
    place,
    goesFrom({ id }) {
      const at = rows.findIndex((row) => row.id === id);
      next.current = (rows[at + 1] ?? rows[at - 1])?.id ?? null;
    },
  };
}
