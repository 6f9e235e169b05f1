import { useEffect, useState } from "react";

/** How many dialogs are open, and what had the focus before the first of them. */
let shown = 0;
let opener: Element | null = null;

/**
 * Returns the focus to what had it before something was opened over the page. Where one dialog follows another, the last one
 * returns it to what opened the first.
 */
export function useReturnFocus(open: boolean): { finalFocus?: () => HTMLElement | boolean } {
  const [known, setKnown] = useState(false);
  const [before, setBefore] = useState<{ had: Element | null; first: Element | null }>();
  if (open !== known) {
    setKnown(open);
    if (open) {
      const had = document.activeElement;
      // During the first rendering, the dialog before it still counts.
      if (shown === 0) opener = had;
      setBefore({ had, first: opener });
    }
  }
  useEffect(() => {
    if (!open) return;
    shown += 1;
    return () => {
      shown -= 1;
    };
  }, [open]);
  if (!before) return {};
  const { had, first } = before;
  // Base UI reads the focus when a field with `autoFocus` has it already. Nothing had it while something was sent, and the
  // element that had it may be gone with its dialog.
  const places = [had, first].filter((place) => place instanceof HTMLElement && place !== document.body);
  // If nothing had the focus, nothing gets it: the next key must not be written into a field.
  return { finalFocus: () => (places.find((place) => place?.isConnected) as HTMLElement) ?? places.length > 0 };
}
