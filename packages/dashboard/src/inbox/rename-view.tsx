import type { SavedView } from "@frontdesk/core/contract/inbox";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { renameSavedView } from "./saved-views.ts";

export function RenameView({ view, onClose }: { view: SavedView; onClose(): void }) {
  const form = useForm(async ({ name = "" }) => {
    await renameSavedView(view.id, name.trim());
    onClose();
  });
  return (
    <Dialog open onClose={onClose} title={t("savedView.rename")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("filter.nameIt")} problem={form.problemOf("name")}>
          <TextInput name="name" dir="auto" required autoFocus maxLength={100} defaultValue={view.name} />
        </Field>
        <FormProblem text={form.problem} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("save")}
        </Button>
      </form>
    </Dialog>
  );
}
