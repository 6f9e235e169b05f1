import { Dialog } from "@base-ui/react/dialog";
import { type ReactNode, useEffect, useRef } from "react";
import { t } from "../texts/texts.ts";
import { Picker } from "../ui/picker.tsx";
import { useReturnFocus } from "../ui/return-focus.ts";
import { useAllCommands } from "./commands.ts";

/** All commands, with a search. */
export function CommandPalette({ open, onClose }: { open: boolean; onClose(): void }) {
  const commands = useAllCommands();
  const chosen = useRef<() => void>(undefined);
  // Once the palette is gone and has returned the focus, so that the command may take it.
  useEffect(
    () => () => {
      if (chosen.current) setTimeout(chosen.current);
    },
    [],
  );
  return (
    <FloatingPicker open={open} onClose={onClose} title={t("palette.title")}>
      <Picker
        large
        label={t("nav.find")}
        choices={commands
          .filter(({ id }) => id !== "palette")
          .map((command) => ({
            ...command,
            onSelect: () => {
              chosen.current = command.run;
              onClose();
            },
          }))}
      />
    </FloatingPicker>
  );
}

/** A list in the middle of the page. */
export function FloatingPicker({
  open,
  onClose,
  title,
  children,
}: {
  open: boolean;
  onClose(): void;
  title: string;
  children: ReactNode;
}) {
  const returnFocus = useReturnFocus(open);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          {...returnFocus}
          className="fixed inset-x-4 top-[12vh] z-40 mx-auto max-w-xl overflow-hidden rounded-card border border-line bg-raised shadow-dialog outline-none"
        >
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
