/** Which layer is open over the page: one at a time. */
import { useSyncExternalStore } from "react";

export type Layer = "palette" | "keys" | "search" | "nav" | "new-mail" | "verify";

let layer: Layer | undefined;
const listeners = new Set<() => void>();

export function showLayer(next: Layer | undefined): void {
  layer = next;
  for (const listener of listeners) listener();
}

export function useLayer(): Layer | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => layer,
  );
}

export const openSearch = () => showLayer("search");
export const openNav = () => showLayer("nav");
export const openNewMail = () => showLayer("new-mail");
