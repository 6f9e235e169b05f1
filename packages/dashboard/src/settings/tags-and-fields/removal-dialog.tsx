import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";

/** Asks before an irreversible removal, and names what is removed with it. */
export function RemovalDialog({
  title,
  text,
  keep = t("tags.keep"),
  go = t("knowledge.remove"),
  remove,
  onClose,
}: {
  title: string;
  text: string;
  /** The two buttons, unless they are "Keep it" and "Remove". */
  keep?: string;
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
            {keep}
          </Button>
          <Button type="submit" look="danger" size="large" disabled={form.busy}>
            {go}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
