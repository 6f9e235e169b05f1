import type { EventName } from "@frontdesk/core/contract/events";
import { useId, useState } from "react";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.ts";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";
import { EventPicker } from "./event-picker.tsx";
import { type OneWebhook, webhooksChanged } from "./webhooks-query.ts";

/**
 * The form for a new or changed webhook.
 *
 * @param onMade called with the signing secret, which is shown only once
 */
export function WebhookForm({
  webhook,
  onClose,
  onMade,
}: {
  webhook?: OneWebhook;
  onClose(): void;
  onMade?(id: string, secret: string): void;
}) {
  const [events, setEvents] = useState((webhook?.events ?? []) as EventName[]);
  const formId = useId();
  const [asked, setAsked] = useState(false);
  const none = events.length === 0;
  const unsaved = useUnsaved(events);
  const form = useForm(async ({ name = "", endpoint_url = "" }) => {
    setAsked(true);
    if (none) return;
    const body = { endpoint_url: endpoint_url.trim(), events, ...(name.trim() && { name: name.trim() }) };
    if (webhook) {
      await unsaved.saving(rest.updateWebhook({ params: { webhook: webhook.id }, body }));
      await webhooksChanged();
      showToast(t("saved"));
      return onClose();
    }
    const { data } = await unsaved.saving(rest.createWebhook({ body }));
    await webhooksChanged();
    onMade?.(data.id, String(data.attributes[0]?.signing_secret));
  });
  return (
    <Dialog
      open
      onClose={() => unsaved.leave(onClose)}
      title={webhook ? t("change", { name: webhook.name }) : t("hooks.add")}
      text={t("hooks.formText")}
      width="wide"
      footer={
        <>
          <UnsavedMark unsaved={unsaved} />
          <Button type="submit" form={formId} look="primary" size="large" disabled={form.busy}>
            {webhook ? t("saveChanges") : t("hooks.create")}
          </Button>
        </>
      }
    >
      <form id={formId} {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("hooks.url")} hint={t("hooks.urlHint")} problem={form.problemOf("endpoint_url")}>
          <TextInput
            name="endpoint_url"
            type="url"
            dir="ltr"
            required
            autoFocus
            spellCheck={false}
            placeholder="https://"
            defaultValue={webhook?.endpoint_url ?? ""}
            className="font-mono"
          />
        </Field>
        <Field label={t("name")} hint={t("hooks.nameHint")} problem={form.problemOf("name")}>
          <TextInput name="name" dir="auto" maxLength={255} defaultValue={webhook?.name ?? ""} />
        </Field>
        <EventPicker
          value={events}
          problem={asked && none ? t("hooks.noEvents") : form.problemOf("events")}
          onChange={setEvents}
        />
        <FormProblem text={form.problem} />
        {unsaved.question}
      </form>
    </Dialog>
  );
}
