import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { t } from "../texts/texts.ts";

/** The details as a drawer over the thread, where there is no room beside it. */
export function DetailsLayer({ open, onClose, children }: { open: boolean; onClose(): void; children: ReactNode }) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="rises fixed inset-0 z-30 bg-scrim" />
        <Dialog.Popup className="fixed inset-y-0 end-0 z-30 w-full border-line border-s bg-surface shadow-dialog outline-none md:w-80">
          <Dialog.Title className="sr-only">{t("details")}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
