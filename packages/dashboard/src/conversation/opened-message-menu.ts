/** The open message menu: one for the whole thread. */
import type { LiveMessage } from "@frontdesk/core/contract/live";
import { useSyncExternalStore } from "react";

export interface OpenedMessageMenu {
  message: LiveMessage;
  /** Its button: the menu is anchored to it, and the focus returns to it. */
  button: HTMLElement;
}

let opened: OpenedMessageMenu | undefined;
const listeners = new Set<() => void>();

export function openMessageMenu(next: OpenedMessageMenu | undefined): void {
  opened = next;
  for (const listener of listeners) listener();
}

export function useOpenedMessageMenu(): OpenedMessageMenu | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => opened,
  );
}
