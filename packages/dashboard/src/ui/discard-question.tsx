import { t } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

/** Asks whether unsaved changes of a form may be lost. */
export function DiscardQuestion({ onAnswer }: { onAnswer(discard: boolean): void }) {
  return (
    <Dialog
      open
      onClose={() => onAnswer(false)}
      title={t("unsaved.title")}
      text={t("unsaved.text")}
      footer={
        <>
          <Button onClick={() => onAnswer(false)}>{t("unsaved.keep")}</Button>
          <Button look="danger" onClick={() => onAnswer(true)}>
            {t("unsaved.discard")}
          </Button>
        </>
      }
    />
  );
}
