import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { t } from "../texts/texts.ts";
import { Nav } from "./nav.tsx";

/** The navigation as a drawer, where there is no room beside the screen. */
export function NavLayer({ open, onClose }: { open: boolean; onClose(): void }) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="rises fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup className="fixed inset-y-0 start-0 z-40 w-72 max-w-[85vw] border-line border-e bg-app shadow-dialog outline-none">
          <Dialog.Title className="sr-only">{t("nav.open")}</Dialog.Title>
          <Nav wide onGo={onClose} />
          <Dialog.Close
            aria-label={t("close")}
            className="absolute end-2 top-2 inline-flex size-11 items-center justify-center rounded-control text-muted"
          >
            <X size={16} />
          </Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
