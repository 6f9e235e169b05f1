import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";

/** Asks before an irreversible removal, and names what is removed with it. */
export function RemovalDialog({
  title,
  text,
  go = t("knowledge.remove"),
  remove,
  onClose,
}: {
  title: string;
  text: string;
  /** The button that removes, unless it is "Remove". */
  go?: string;
  remove(): Promise<unknown>;
  onClose(): void;
}) {
  const form = useForm(async () => {
    await remove();
    onClose();
  });
  return (
    <Dialog open onClose={onClose} title={title} text={text}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <FormProblem text={form.problem} />
        <div className="flex flex-wrap justify-end gap-2">
          {/* First, so that Enter alone removes nothing. */}
          <Button size="large" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" look="danger" size="large" disabled={form.busy}>
            {go}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
