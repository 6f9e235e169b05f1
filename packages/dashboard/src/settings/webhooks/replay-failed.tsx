import { useState } from "react";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.ts";
import { webhooksChanged } from "./webhooks-query.ts";

const HOUR_MS = 3_600_000;
/** Failed deliveries are stored for 30 days. */
const spans = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS } as const;
type Span = keyof typeof spans;

/** After an outage of the receiver: sends every delivery that failed since then again. */
export function ReplayFailed({ id, onClose }: { id: string; onClose(): void }) {
  const [span, setSpan] = useState<Span | "own">("day");
  const form = useForm(async ({ since = "" }) => {
    const start = span === "own" ? Date.parse(since) : Date.now() - spans[span];
    const { replayed } = await rest.replayFailedWebhookDeliveries({
      params: { webhook: id },
      body: { since: new Date(start).toISOString() },
    });
    onClose();
    await webhooksChanged();
    showToast(replayed === 0 ? t("hooks.replayedNone") : t("hooks.replayed", { count: replayed }));
  });
  return (
    <Dialog open onClose={onClose} title={t("hooks.replayFailed")} text={t("hooks.replayFailedText")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("hooks.span")}>
          <Select autoFocus value={span} onChange={({ target }) => setSpan(target.value as Span | "own")}>
            {(Object.keys(spans) as Span[]).map((each) => (
              <option key={each} value={each}>
                {t(`hooks.span.${each}`)}
              </option>
            ))}
            <option value="own">{t("hooks.span.own")}</option>
          </Select>
        </Field>
        {span === "own" && (
          <Field label={t("hooks.since")} problem={form.problemOf("since")}>
            <TextInput name="since" type="datetime-local" required />
          </Field>
        )}
        <FormProblem text={form.problem} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("hooks.replayFailed")}
        </Button>
      </form>
    </Dialog>
  );
}
