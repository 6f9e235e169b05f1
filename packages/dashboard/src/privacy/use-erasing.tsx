import { type ReactNode, useCallback, useState } from "react";
import { useMay } from "../service/me.ts";
import { type Asked, Erasing } from "./lazy-erasing.tsx";

/** Asks before something is erased; `ask` is undefined for those who may not. */
export function useErasing(onDone: (asked: Asked) => void): {
  ask: ((asked: Asked) => void) | undefined;
  dialog: ReactNode;
} {
  const may = useMay("erase-contact");
  const [asked, setAsked] = useState<Asked>();
  const close = useCallback(() => setAsked(undefined), []);
  // A menu returns the focus first, so that the dialog knows where to return it.
  const ask = useCallback((next: Asked) => void setTimeout(() => setAsked(next)), []);
  return {
    ask: may ? ask : undefined,
    dialog: <Erasing asked={asked} onDone={onDone} onClose={close} />,
  };
}
