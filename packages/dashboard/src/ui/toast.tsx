import { Toast as Base } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { t } from "../texts/texts.ts";
import { Button, IconButton } from "./button.tsx";

const manager = Base.createToastManager();
/** Long enough to read it and to change one's mind. */
const TOAST_MS = 6_000;

/** What Z takes back: the undo of the toast that was shown last. */
let lastUndo: (() => void) | undefined;

/** Says what was done, and offers to take it back where that can be. */
export function tell(text: string, undo?: () => void): void {
  const id = manager.add({
    description: text,
    timeout: TOAST_MS,
    priority: "low",
    ...(undo && { actionProps: { children: t("undo"), onClick: () => takeBack() } }),
    onClose: () => {
      if (lastUndo === takeBack) lastUndo = undefined;
    },
  });
  function takeBack() {
    manager.close(id);
    lastUndo = undefined;
    undo?.();
  }
  lastUndo = undo && takeBack;
}

/** Says what did not work. */
export function tellProblem(text: string): void {
  manager.add({ description: text, type: "problem", timeout: 10_000, priority: "high" });
}

export function undoLast(): void {
  lastUndo?.();
}

export function Toasts() {
  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal>
        <Base.Viewport className="fixed start-4 bottom-4 z-50 flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2">
          <List />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function List() {
  const { toasts } = Base.useToastManager();
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      className="rises data-limited:hidden flex items-center gap-2 rounded-menu border border-line bg-raised py-1.5 ps-3 pe-1.5 shadow-menu data-[type=problem]:border-danger"
    >
      <Base.Content className="min-w-0 flex-1">
        <Base.Description className="break-words py-1" />
      </Base.Content>
      {toast.actionProps && <Base.Action render={<Button look="quiet" size="compact" className="text-accent-text" />} />}
      <Base.Close
        render={
          <IconButton label={t("close")} className="size-7">
            <X size={14} />
          </IconButton>
        }
      />
    </Base.Root>
  ));
}
