import type { TagInUse } from "@frontdesk/core/contract/session";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { t } from "../../texts/texts.ts";
import { TagBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.ts";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";
import { TagColorField } from "./tag-color-field.tsx";

/** The form for a new tag, or a tag's name and color. The name of another tag merges the two, after a warning. */
export function TagDialog({
  tag,
  others,
  onChanged,
  onClose,
}: {
  tag: TagInUse | undefined;
  others: readonly TagInUse[];
  onChanged(): Promise<unknown>;
  onClose(): void;
}) {
  const [name, setName] = useState(tag?.name ?? "");
  const [color, setColor] = useState(tag ? tag.color : "#4f46e5");
  const folded = foldText(name.trim());
  const other = others.find((each) => foldText(each.name) === folded);
  const unsaved = useUnsaved([name, color]);
  const form = useForm(async () => {
    const body = { name: name.trim(), color };
    const change = other ? { name: other.name, merge: true } : body;
    await unsaved.saving(
      tag ? askSession("updateTag", { params: { id: tag.id }, body: change }) : askSession("createTag", { body }),
    );
    await onChanged();
    showToast(tag && other ? t("tags.merged", { gone: tag.name, name: other.name }) : t("saved"));
    onClose();
  });
  const merges = tag && other;
  const taken = !tag && other ? t("tags.taken", { name: other.name }) : undefined;
  return (
    <Dialog open onClose={() => unsaved.leave(onClose)} title={tag ? t("change", { name: tag.name }) : t("tags.add")}>
      <form {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("name")} problem={form.problemOf("name") ?? taken}>
          <TextInput
            value={name}
            required
            autoFocus
            maxLength={100}
            dir="auto"
            onValueChange={(next) => setName(String(next))}
          />
        </Field>
        {merges ? (
          <p role="status" className="rounded-control bg-note px-3 py-2 text-note-ink">
            {t("tags.mergeText", { gone: tag.name, name: other.name })}
          </p>
        ) : (
          <>
            <TagColorField value={color} problem={form.problemOf("color")} onChange={setColor} />
            <span className="flex h-7">{name.trim() && <TagBadge name={name.trim()} color={color} />}</span>
          </>
        )}
        <FormProblem text={form.problem} />
        <UnsavedMark unsaved={unsaved} />
        <Button type="submit" look="primary" size="large" disabled={form.busy || taken !== undefined}>
          {merges ? t("tags.merge") : t("save")}
        </Button>
        {unsaved.question}
      </form>
    </Dialog>
  );
}
