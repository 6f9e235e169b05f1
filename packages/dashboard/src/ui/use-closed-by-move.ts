import { useEffect } from "react";

/** What is open above a page closes when the browser moves to another one, as by its Back. */
export function useClosedByMove(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    addEventListener("popstate", close);
    return () => removeEventListener("popstate", close);
  }, [isOpen, close]);
}
