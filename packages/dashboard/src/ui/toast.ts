import { Toast as Base } from "@base-ui/react/toast";
import { t } from "../texts/texts.ts";

export const manager = Base.createToastManager();
/** Long enough to read it and to undo. */
const TOAST_MS = 6_000;

/** Toasts from before there was a place to show them, which is loaded a moment after the first screen. */
let waiting: (() => void)[] | undefined = [];
let toastCount = 0;

/** What Z undoes: the undo of the toast that was shown last. */
let lastUndo: (() => void) | undefined;

/** Says what was done, and offers to take it back where that can be. The returned function takes back the words: it was not done. */
export function showToast(text: string, undo?: () => void): () => void {
  const id = `toast-${++toastCount}`;
  whenShown(() =>
    manager.add({
      id,
      title: text,
      timeout: TOAST_MS,
      priority: "low",
      ...(undo && { actionProps: { children: t("undo"), onClick: () => takeBack() } }),
      onClose: () => {
        if (lastUndo === takeBack) lastUndo = undefined;
      },
    }),
  );
  function takeBack() {
    manager.close(id);
    lastUndo = undefined;
    undo?.();
  }
  lastUndo = undo && takeBack;
  return () => manager.close(id);
}

/** Says what did not work. Not with high priority: that is hidden from screen readers, though its buttons can be reached. */
export function showProblem(text: string): void {
  whenShown(() => manager.add({ title: text, type: "problem", timeout: 10_000, priority: "low" }));
}

/** There is a place for it now. */
export function showWaitingToasts(): void {
  for (const show of waiting ?? []) show();
  waiting = undefined;
}

function whenShown(show: () => void): void {
  if (waiting) waiting.push(show);
  else show();
}

export function undoLast(): void {
  lastUndo?.();
}
