/** What the tab is called by: the conversation, contact or article that is open, else the screen. */
import { useEffect, useSyncExternalStore } from "react";

export type TitleLevel = "screen" | "item";

const titles: Record<TitleLevel, readonly { text: string }[]> = { screen: [], item: [] };
const listeners = new Set<() => void>();

function change(level: TitleLevel, next: readonly { text: string }[]): void {
  titles[level] = next;
  for (const listener of listeners) listener();
}

/** Names the tab while the calling component is mounted; the one mounted last wins. */
export function usePageTitle(level: TitleLevel, text: string | undefined): void {
  useEffect(() => {
    if (!text) return;
    const entry = { text };
    change(level, [...titles[level], entry]);
    return () =>
      change(
        level,
        titles[level].filter((each) => each !== entry),
      );
  }, [level, text]);
}

export function useShownTitle(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (titles.item.at(-1) ?? titles.screen.at(-1))?.text,
  );
}

const PRODUCT = "Frontdesk";

/** "(29) Vera – Frontdesk". */
export function tabTitle(shown: string | undefined, unread = 0): string {
  const count = unread > 0 ? `(${unread}) ` : "";
  return count + (shown ? `${shown} – ${PRODUCT}` : PRODUCT);
}
