import type { Assistant, CreatedAssistant } from "@frontdesk/core/contract/resources";
import { useId, useState } from "react";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.ts";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";
import { assistantsChanged } from "./assistants-query.ts";
import { type ChosenGrant, GrantFields, grantToSend } from "./grant-fields.tsx";

/** The defaults of a new connection: all widgets, no permissions. */
const NEW = { name: "", permissions: [], widgets: "all", channels: [], agent_id: null } as const;

type Grant = Pick<Assistant["attributes"], "name" | "permissions" | "widgets" | "channels" | "agent_id">;

/** The form of a connection: its name, its agent, its widgets and its permissions. */
export function AssistantDialog({
  assistant,
  onClose,
  onMade,
}: {
  /** The connection to change; undefined for a new one. */
  assistant?: Assistant;
  onClose(): void;
  onMade?(made: CreatedAssistant): void;
}) {
  const was: Grant = assistant?.attributes ?? { ...NEW, permissions: [], channels: [] };
  const { permissions, widgets, channels, agent_id } = was;
  const [chosen, setChosen] = useState<ChosenGrant>({ permissions, widgets, channels, speaker: agent_id ?? "" });
  const formId = useId();
  const unsaved = useUnsaved([chosen.permissions, chosen.widgets, chosen.channels, chosen.speaker]);
  const form = useForm(async ({ name = "" }) => {
    const now: Grant = { name: name.trim(), ...grantToSend(chosen) };
    if (assistant) await unsaved.saving(change(assistant, now));
    else onMade?.((await unsaved.saving(rest.createAssistant({ body: now }))).data);
    await assistantsChanged();
    onClose();
  });
  return (
    <Dialog
      open
      onClose={() => unsaved.leave(onClose)}
      width="wide"
      title={assistant ? t("change", { name: was.name }) : t("assistants.add")}
      footer={
        <>
          <UnsavedMark unsaved={unsaved} />
          <Button type="submit" form={formId} look="primary" size="large" disabled={form.busy}>
            {assistant ? t("saveChanges") : t("assistants.connect")}
          </Button>
        </>
      }
    >
      <form id={formId} {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-6">
        <GrantFields
          value={chosen}
          before={was.channels}
          first={
            <Field label={t("name")} hint={t("assistants.nameHint")} problem={form.problemOf("name")}>
              <TextInput name="name" required autoFocus autoComplete="off" defaultValue={was.name} />
            </Field>
          }
          speakerProblem={form.problemOf("agent_id")}
          onChange={(change) => setChosen({ ...chosen, ...change })}
        />
        <FormProblem
          text={form.problem ?? ["state", "permissions", "widgets", "channels"].map(form.problemOf).find(Boolean)}
        />
        {unsaved.question}
      </form>
    </Dialog>
  );
}

/** Sends only changed fields: what another agent has changed meanwhile stays. */
async function change({ id, attributes: was }: Assistant, now: Grant): Promise<void> {
  const body = Object.fromEntries(
    Object.entries(now).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(was[field as keyof Grant])),
  );
  if (Object.keys(body).length === 0) return;
  await rest.updateAssistant({ params: { assistant: id }, body });
  showToast(t("saved"));
}
