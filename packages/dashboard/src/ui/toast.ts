import { Toast as Base } from "@base-ui/react/toast";
import { t } from "../texts/texts.ts";

export const manager = Base.createToastManager();
/** Long enough to read it and to undo. */
const TOAST_MS = 6_000;

/** Toasts from before their component was mounted, which is loaded after the first screen. */
let waiting: (() => void)[] | undefined = [];
let toastCount = 0;

/** The undo of the latest toast, for the Z key. */
let lastUndo: (() => void) | undefined;

/** Shows what was done, with an undo where possible. The returned function closes the toast: the change was refused. */
export function showToast(text: string, undo?: () => void, timeout = TOAST_MS): () => void {
  const id = `toast-${++toastCount}`;
  whenShown(() =>
    manager.add({
      id,
      title: text,
      timeout,
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

/** Shows what has happened elsewhere, with a way there. */
export function showNews(text: string, action: { label: string; run(): void }): void {
  const id = `toast-${++toastCount}`;
  const onClick = () => {
    manager.close(id);
    action.run();
  };
  whenShown(() =>
    manager.add({
      id,
      title: text,
      timeout: 10_000,
      priority: "low",
      actionProps: { children: action.label, onClick },
    }),
  );
}

/** Shows an error. Not with high priority: that is hidden from screen readers, though its buttons can be focused. */
export function showProblem(text: string): void {
  whenShown(() => manager.add({ title: text, type: "problem", timeout: 10_000, priority: "low" }));
}

/** Called once the component is mounted. */
export function showWaitingToasts(): void {
  for (const show of waiting ?? []) show();
  waiting = undefined;
}

function whenShown(show: () => void): void {
  if (waiting) waiting.push(show);
  else show();
}

/** An undo without a toast, for the Z key. The returned function withdraws it. */
export function offerUndo(undo: () => void): () => void {
  const takeBack = () => {
    lastUndo = undefined;
    undo();
  };
  lastUndo = takeBack;
  return () => {
    if (lastUndo === takeBack) lastUndo = undefined;
  };
}

export function undoLast(): void {
  lastUndo?.();
}
