/** The picture that is looked at, over everything else. It outlives the row of the thread that it was opened in. */
import { useSyncExternalStore } from "react";

export interface OpenedPicture {
  url: string;
  /** Where the focus goes back to. */
  opener: HTMLElement;
}

let opened: OpenedPicture | undefined;
const listeners = new Set<() => void>();

export function openPicture(next: OpenedPicture | undefined): void {
  opened = next;
  for (const listener of listeners) listener();
}

export function useOpenedPicture(): OpenedPicture | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => opened,
  );
}
