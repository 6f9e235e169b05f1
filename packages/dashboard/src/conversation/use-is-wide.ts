import { useSyncExternalStore } from "react";

const wide = matchMedia("(min-width: 1100px)");

/** Whether there is room for details beside the thread; otherwise they open over it. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      wide.addEventListener("change", listener);
      return () => wide.removeEventListener("change", listener);
    },
    () => wide.matches,
  );
}
