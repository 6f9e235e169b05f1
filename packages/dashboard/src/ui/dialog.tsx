import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "../texts/texts.ts";
import { IconButton } from "./button.tsx";
import { cx } from "./class-names.ts";
import { useReturnFocus } from "./return-focus.ts";
import { ToastPlace } from "./toast-place.tsx";

const WIDTHS = { narrow: "max-w-md", wide: "max-w-2xl", huge: "max-w-5xl" };

/** A modal question or form. Esc closes it, and the focus returns to where it was. */
export function Dialog({
  open,
  onClose,
  title,
  text,
  width = "narrow",
  isText = false,
  children,
  footer,
}: {
  open: boolean;
  onClose(): void;
  title: string;
  text?: ReactNode;
  width?: keyof typeof WIDTHS;
  /** Nothing in it takes the focus. */
  isText?: boolean;
  children?: ReactNode;
  footer?: ReactNode;
}) {
  const returnFocus = useReturnFocus(open);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="rises fixed inset-0 z-40 bg-scrim" />
        <Base.Viewport className="fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center overflow-y-auto p-4">
          <Base.Popup
            {...returnFocus}
            className={cx(
              "rises relative flex max-h-full w-full flex-col rounded-card border border-line bg-raised shadow-dialog outline-none low:overflow-y-auto",
              WIDTHS[width],
            )}
          >
            <header className="ps-5 pe-14 pt-4">
              <Base.Title className="font-semibold text-title">{title}</Base.Title>
              {text && <Base.Description className="mt-1 text-muted">{text}</Base.Description>}
            </header>
            {/* In a low window all of the dialog scrolls: a toast would leave its content no room. */}
            <div
              className="min-h-0 flex-1 overflow-y-auto px-5 pt-3 pb-5 low:flex-none low:overflow-visible"
              tabIndex={isText ? 0 : undefined}
            >
              {children}
            </div>
            <ToastPlace of="dialog" />
            {footer && <footer className="flex justify-end gap-2 border-line border-t px-5 py-3">{footer}</footer>}
            {/* Last, so that the form gets the focus first. */}
            <Base.Close
              render={
                <IconButton label={t("close")} className="absolute end-3 top-3">
                  <X size={16} />
                </IconButton>
              }
            />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
