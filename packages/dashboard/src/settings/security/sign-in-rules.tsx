import type { SignInRules as Rules } from "@frontdesk/core/contract/session-factors";
import { factorRules } from "@frontdesk/core/domain/factors";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { useMay } from "../../service/me.ts";
import { queries } from "../../service/queries.ts";
import { t } from "../../texts/texts.ts";
import { Field, Select } from "../../ui/field.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { Switch } from "../../ui/switch.tsx";
import { showProblem, showToast } from "../../ui/toast.ts";

const rulesQuery = queryOptions({ queryKey: ["sign-in-rules"], queryFn: () => askSession("getSignInRules") });

/** Who must have a second factor, and whether browsers may be trusted. */
export function SignInRules() {
  const { data, error } = useQuery(rulesQuery);
  const mayChange = useMay("update-sign-in-rules");
  const [busy, setBusy] = useState(false);
  const change = async (body: Partial<Rules>) => {
    setBusy(true);
    try {
      queries.setQueryData(rulesQuery.queryKey, await askSession("updateSignInRules", { body }));
      showToast(t("saved"));
    } catch (problem) {
      showProblem(problemText(problem));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={t("rules.title")} text={t("rules.text")}>
      {error && <FormProblem text={problemText(error)} />}
      {data && (
        <div className="flex max-w-md flex-col gap-5">
          <Field label={t("rules.required")} hint={t("rules.requiredHint")}>
            <Select
              value={data.required}
              disabled={busy || !mayChange}
              onChange={({ target }) => void change({ required: target.value as Rules["required"] })}
            >
              {factorRules.map((each) => (
                <option key={each} value={each}>
                  {t(`rules.required.${each}`)}
                </option>
              ))}
            </Select>
          </Field>
          <Switch
            label={t("rules.trust")}
            hint={t("rules.trustHint")}
            checked={data.trusts_browsers}
            disabled={busy || !mayChange}
            onChange={(trusts_browsers) => void change({ trusts_browsers })}
          />
        </div>
      )}
    </Section>
  );
}
