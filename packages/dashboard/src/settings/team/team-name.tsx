import { askSession } from "../../service/ask-session.ts";
import { meQuery, useMe } from "../../service/me.ts";
import { queries } from "../../service/queries.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { showToast } from "../../ui/toast.ts";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";

/** The team's name, in the widget, in mails, and in the dashboard. */
export function TeamName() {
  const { team } = useMe();
  const unsaved = useUnsaved();
  const form = useForm(async ({ name = "" }) => {
    await unsaved.saving(askSession("renameTeam", { body: { name: name.trim() } }));
    await queries.invalidateQueries({ queryKey: meQuery.queryKey });
    showToast(t("saved"));
  });
  return (
    <Section title={t("team.name")}>
      <form {...unsaved.form} onSubmit={form.send} className="flex max-w-md flex-col items-start gap-3">
        <div className="w-full">
          <Field label={t("name")} hint={t("team.nameHint")} problem={form.problemOf("name")}>
            <TextInput name="name" required maxLength={255} dir="auto" defaultValue={team.name} />
          </Field>
        </div>
        <FormProblem text={form.problem} />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" disabled={form.busy}>
            {t("saveChanges")}
          </Button>
          <UnsavedMark unsaved={unsaved} />
        </div>
        {unsaved.question}
      </form>
    </Section>
  );
}
