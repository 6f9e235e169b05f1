import { type ReactNode, useState } from "react";
import { t } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { problemText } from "./problem-text.ts";
import { showProblem } from "./toast.ts";

/**
 * Asks before an irreversible action.
 *
 * @param text what is lost
 * @param action the label of the button
 */
export function ConfirmDialog({
  title,
  text,
  action,
  look = "danger",
  onConfirm,
  onClose,
}: {
  title: string;
  text: ReactNode;
  action: string;
  look?: "danger" | "primary";
  onConfirm(): Promise<unknown>;
  onClose(): void;
}) {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      text={text}
      footer={
        <>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button
            look={look}
            disabled={busy}
            onClick={() => {
              setBusy(true);
              onConfirm()
                .then(onClose, (error) => showProblem(problemText(error)))
                .finally(() => setBusy(false));
            }}
          >
            {action}
          </Button>
        </>
      }
    />
  );
}
