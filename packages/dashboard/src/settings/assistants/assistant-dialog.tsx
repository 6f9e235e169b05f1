import type { Assistant, CreatedAssistant } from "@frontdesk/core/contract/resources";
import { canAct } from "@frontdesk/core/domain/agent";
import type { AssistantPermission } from "@frontdesk/core/domain/assistant-permissions";
import { type ChannelToGrant, channelsToOffer } from "@frontdesk/core/domain/channel";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { agentsQuery } from "../../service/agents.ts";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.ts";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";
import { widgetsQuery } from "../widgets/widgets-query.ts";
import { AssistantPermissions } from "./assistant-permissions.tsx";
import { assistantsChanged } from "./assistants-query.ts";
import { channelNames } from "./grant-in-words.ts";
import { GrantedChoice } from "./granted-choice.tsx";

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
  const [permissions, setPermissions] = useState<readonly AssistantPermission[]>(was.permissions);
  const [widgets, setWidgets] = useState<"all" | readonly string[]>(was.widgets);
  const [granted, setGranted] = useState<"all" | readonly ChannelToGrant[]>(was.channels);
  const [speaker, setSpeaker] = useState(was.agent_id ?? "");
  const { data: allWidgets = [] } = useQuery(widgetsQuery);
  const offered = channelsToOffer(was.channels);
  const formId = useId();
  const unsaved = useUnsaved([permissions, widgets, granted, speaker]);
  const form = useForm(async ({ name = "" }) => {
    const now: Grant = {
      name: name.trim(),
      permissions: [...permissions],
      widgets: listed(widgets),
      channels: listed(granted),
      agent_id: speaker || null,
    };
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
        <div className="grid gap-4 md:grid-cols-2">
          <Field label={t("name")} hint={t("assistants.nameHint")} problem={form.problemOf("name")}>
            <TextInput name="name" required autoFocus autoComplete="off" defaultValue={was.name} />
          </Field>
          <Speaker value={speaker} problem={form.problemOf("agent_id")} onChange={setSpeaker} />
        </div>
        <AssistantPermissions value={permissions} mute={speaker === ""} onChange={setPermissions} />
        <div className="grid gap-4 md:grid-cols-2">
          <GrantedChoice
            label={t("settings.widgets")}
            all={t("assistants.allWidgets")}
            among={allWidgets.map(({ id, attributes }) => ({ id, name: attributes.name ?? id }))}
            value={widgets}
            onChange={setWidgets}
          />
          {(offered.length > 0 || was.channels === "all") && (
            <GrantedChoice
              label={t("assistants.channels")}
              all={t("assistants.allChannels")}
              among={offered.map((id) => ({ id, name: channelNames[id] }))}
              value={granted}
              onChange={setGranted}
            />
          )}
        </div>
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

/** The agent it replies as: one who may reply, or the current one. */
function Speaker({
  value,
  problem,
  onChange,
}: {
  value: string;
  problem: string | undefined;
  onChange(id: string): void;
}) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const offered = agents.filter(({ id, attributes }) => id === value || canAct({ status: attributes.status ?? "" }));
  return (
    <Field label={t("assistants.speaker")} hint={t("assistants.speakerHint")} problem={problem}>
      <Select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{t("assistants.nobody")}</option>
        {offered.map(({ id, attributes }) => (
          <option key={id} value={id}>
            {attributes.name ?? attributes.email}
          </option>
        ))}
      </Select>
    </Field>
  );
}

const listed = <Name extends string>(granted: "all" | readonly Name[]): "all" | Name[] =>
  granted === "all" ? granted : [...granted];
