import { useEffect } from "react";

/** Closes a layer when the browser navigates, as by its Back button. */
export function useCloseOnNavigation(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    addEventListener("popstate", close);
    return () => removeEventListener("popstate", close);
  }, [isOpen, close]);
}
