import type { EventName } from "@frontdesk/core/contract/events";
import { useNavigate } from "@tanstack/react-router";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { eventMeaning, eventNames } from "./webhook-events.ts";
import { type OneWebhook, webhooksChanged } from "./webhooks-query.ts";

/** Sends an example of an event, and shows the result. */
export function TestWebhook({ webhook: { id, events }, onClose }: { webhook: OneWebhook; onClose(): void }) {
  const navigate = useNavigate();
  const form = useForm(async ({ event }) => {
    const { data } = await rest.testWebhook({ params: { webhook: id }, query: { event: event as EventName } });
    onClose();
    await navigate({
      to: "/settings/$part/$item",
      params: { part: "webhooks", item: id },
      search: (before) => ({ ...before, delivery: data.id }),
    });
    await webhooksChanged();
  });
  // The events of the subscription first: those its receiver has to handle.
  const own = eventNames.filter((name) => events.includes(name));
  const others = eventNames.filter((name) => !events.includes(name));
  return (
    <Dialog open onClose={onClose} title={t("hooks.test")} text={t("hooks.testText")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("hooks.event")} problem={form.problemOf("event")}>
          <Select name="event" autoFocus defaultValue={own[0]}>
            {[...own, ...others].map((name) => (
              <option key={name} value={name}>
                {name} – {eventMeaning(name)}
              </option>
            ))}
          </Select>
        </Field>
        <FormProblem text={form.problem} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("hooks.test")}
        </Button>
      </form>
    </Dialog>
  );
}
