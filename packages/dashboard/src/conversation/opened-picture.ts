/** The image shown over the page. It outlives the thread row that it was opened from. */
import { useSyncExternalStore } from "react";

export interface OpenedPicture {
  url: string;
  /** Where the focus returns to. */
  opener: HTMLElement;
}

/** A message that is confirmed while its image is open is rendered anew, and so is the button that has opened it. */
export function focusAfter({ opener }: OpenedPicture): HTMLElement | undefined {
  if (opener.isConnected) return opener;
  const buttons = [...document.querySelectorAll<HTMLElement>("[data-picture]")];
  return buttons.find(({ dataset }) => dataset.picture === opener.dataset.picture);
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
