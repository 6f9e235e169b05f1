import type { FieldInUse } from "@frontdesk/core/contract/session";
import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Rows3, Trash2 } from "lucide-react";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { queries } from "../../service/queries.ts";
import { t } from "../../texts/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { showToast } from "../../ui/toast.ts";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";
import { RemovalDialog } from "./removal-dialog.tsx";
import { fieldsQuery } from "./tags-and-fields-queries.ts";

/** The custom fields of contacts. */
const changed = () =>
  Promise.all([
    queries.invalidateQueries({ queryKey: fieldsQuery.queryKey }),
    queries.invalidateQueries({ queryKey: ["contact"] }),
  ]);

/** The names of contacts' custom data. */
export function CustomFieldsPart() {
  const { data: fields, isPending, error, refetch } = useQuery(fieldsQuery);
  const [editing, setEditing] = useState<FieldInUse | "new">();
  const [removing, setRemoving] = useState<FieldInUse>();
  const add = (
    <Button look="primary" onClick={() => setEditing("new")}>
      <Plus size={14} aria-hidden="true" />
      {t("fields.add")}
    </Button>
  );
  return (
    <Section title={t("fields.title")} text={t("fields.text")} actions={add}>
      {isPending && <SkeletonRows rows={4} height={49} />}
      {error && (
        <EmptyState icon={Rows3} title={t("trouble.title")} text={problemText(error)}>
          <Button onClick={() => refetch()}>{t("tryAgain")}</Button>
        </EmptyState>
      )}
      {fields?.length === 0 && <EmptyState icon={Rows3} title={t("fields.none")} text={t("fields.noneText")} />}
      <ul>
        {fields?.map((field) => (
          <li key={field.id} className="flex items-center gap-3 border-line border-t py-2 first:border-t-0">
            <span dir="auto" className="aligned min-w-0 flex-1 truncate font-medium">
              {field.name}
            </span>
            <span className="numbers shrink-0 text-meta text-subtle">{t("fields.use", { count: field.contacts })}</span>
            <IconButton label={t("change", { name: field.name })} onClick={() => setEditing(field)}>
              <Pencil size={14} />
            </IconButton>
            <IconButton label={t("removeData", { name: field.name })} onClick={() => setRemoving(field)}>
              <Trash2 size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      {editing && <FieldDialog field={editing === "new" ? undefined : editing} onClose={() => setEditing(undefined)} />}
      {removing && (
        <RemovalDialog
          title={t("fields.remove", { name: removing.name })}
          text={
            removing.contacts === 0 ? t("fields.removeUnused") : t("fields.removeText", { count: removing.contacts })
          }
          remove={async () => {
            await askSession("deleteCustomField", { params: { id: removing.id } });
            await changed();
            showToast(t("fields.removed", { name: removing.name }));
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Section>
  );
}

function FieldDialog({ field, onClose }: { field: FieldInUse | undefined; onClose(): void }) {
  const unsaved = useUnsaved();
  const form = useForm(async ({ name = "" }) => {
    const body = { name: name.trim() };
    await unsaved.saving(
      field
        ? askSession("updateCustomField", { params: { id: field.id }, body })
        : askSession("createCustomField", { body }),
    );
    await changed();
    showToast(t("saved"));
    onClose();
  });
  return (
    <Dialog
      open
      onClose={() => unsaved.leave(onClose)}
      title={field ? t("change", { name: field.name }) : t("fields.add")}
    >
      <form {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-4">
        <Field
          label={t("name")}
          hint={field ? t("fields.renameHint", { name: field.name }) : t("fields.nameHint")}
          problem={form.problemOf("name")}
        >
          <TextInput name="name" required autoFocus maxLength={100} dir="auto" defaultValue={field?.name ?? ""} />
        </Field>
        <FormProblem text={form.problem} />
        <UnsavedMark unsaved={unsaved} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("save")}
        </Button>
        {unsaved.question}
      </form>
    </Dialog>
  );
}
