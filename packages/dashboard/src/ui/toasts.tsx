import { Toast as Base } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useEffect } from "react";
import { t } from "../texts/texts.ts";
import { Button, IconButton } from "./button.tsx";
import { manager, showWaitingToasts } from "./toast.ts";
import { toastHost } from "./toast-place.tsx";

/** Renders the toasts. */
export function Toasts() {
  // After the provider's own effect, which starts listening.
  useEffect(showWaitingToasts, []);
  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal container={toastHost()}>
        <Base.Viewport
          aria-label={t("notify.title")}
          className="flex flex-col items-center gap-2 px-4 py-2 outline-none empty:p-0"
        >
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
      className="rises data-limited:hidden flex w-full max-w-md items-center gap-2 rounded-menu border border-line bg-raised py-1.5 ps-3 pe-1.5 shadow-menu data-[type=problem]:border-danger"
    >
      <Base.Content className="min-w-0 flex-1">
        {/* Also its accessible name: for a screen reader each toast is a dialog. */}
        <Base.Title render={<p />} className="break-words py-1" />
      </Base.Content>
      {toast.actionProps && (
        <Base.Action render={<Button look="quiet" size="compact" className="text-accent-text" />} />
      )}
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
