import type { Response } from "@frontdesk/core/contract/operation";
import type { sessionOperations } from "@frontdesk/core/contract/session";
import { type ApiKeyScope, scopesOf } from "@frontdesk/core/domain/policy";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { useMe } from "../../service/me.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";
import { ScopePicker } from "./scope-picker.tsx";

export type MadeKey = Response<(typeof sessionOperations)["createApiKey"]>;

const DAY_MS = 86_400_000;
const LIVES_DAYS = [30, 90, 365];

/** @param onMade called with the key's value, which is shown only once */
export function NewKeyForm({ onClose, onMade }: { onClose(): void; onMade(made: MadeKey): void }) {
  const all = scopesOf(useMe().agent.role);
  // A key gets what was ticked for it, never everything by default.
  const [scopes, setScopes] = useState<ApiKeyScope[]>([]);
  const [life, setLife] = useState(String(LIVES_DAYS[1]));
  const [asked, setAsked] = useState(false);
  const none = scopes.length === 0;
  const unsaved = useUnsaved([scopes, life]);
  const form = useForm(async ({ name = "", until = "" }) => {
    setAsked(true);
    if (none) return;
    const body = { name: name.trim(), scopes, expires_at: endOf(life, until) };
    onMade(await unsaved.saving(askSession("createApiKey", { body })));
  });
  return (
    <Dialog open onClose={() => unsaved.leave(onClose)} title={t("apiKeys.add")} text={t("apiKeys.addText")}>
      <form {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("name")} hint={t("apiKeys.nameHint")} problem={form.problemOf("name")}>
          <TextInput name="name" dir="auto" required autoFocus maxLength={100} />
        </Field>
        <ScopePicker
          all={all}
          value={scopes}
          problem={asked && none ? t("apiKeys.noScopes") : form.problemOf("scopes")}
          onChange={setScopes}
        />
        <Field label={t("apiKeys.expires")} problem={life === "own" ? undefined : form.problemOf("expires_at")}>
          <Select value={life} onChange={({ target }) => setLife(target.value)}>
            {LIVES_DAYS.map((days) => (
              <option key={days} value={days}>
                {t("apiKeys.inDays", { count: days })}
              </option>
            ))}
            <option value="own">{t("apiKeys.onDate")}</option>
            <option value="never">{t("apiKeys.never")}</option>
          </Select>
        </Field>
        {life === "own" && (
          <Field label={t("apiKeys.lastDay")} problem={form.problemOf("expires_at")}>
            <TextInput name="until" type="date" required />
          </Field>
        )}
        <FormProblem text={form.problem} />
        <UnsavedMark unsaved={unsaved} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("apiKeys.create")}
        </Button>
        {unsaved.question}
      </form>
    </Dialog>
  );
}

/** @param until the last calendar day on which it works */
function endOf(life: string, until: string): string | null {
  if (life === "never") return null;
  if (life === "own") return new Date(`${until}T23:59:59`).toISOString();
  return new Date(Date.now() + Number(life) * DAY_MS).toISOString();
}
