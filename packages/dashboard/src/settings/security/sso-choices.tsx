import type { SsoProvider } from "@frontdesk/core/contract/session-sso";
import type { SsoPreset } from "@frontdesk/core/domain/sso";
import { t } from "../../texts/texts.ts";
import { CheckRow } from "../../ui/check-row.tsx";
import { Field, TextInput } from "../../ui/field.tsx";

/** What the team makes of a provider's accounts. */
export type SsoChoices = Pick<SsoProvider, "creates_agents" | "trusts_factors" | "trusts_email">;

export function SsoChoiceFields({
  preset,
  choices,
  onChange,
  adminGroup,
  problem,
}: {
  preset: SsoPreset;
  choices: SsoChoices;
  onChange(choices: SsoChoices): void;
  adminGroup: string | null | undefined;
  /** Of the group. */
  problem: string | undefined;
}) {
  return (
    <>
      <div>
        <CheckRow
          label={t("sso.creates")}
          hint={t("sso.createsHint")}
          checked={choices.creates_agents}
          onChange={(creates_agents) => onChange({ ...choices, creates_agents })}
        />
        <CheckRow
          label={t("sso.factors")}
          hint={t("sso.factorsHint")}
          checked={choices.trusts_factors}
          onChange={(trusts_factors) => onChange({ ...choices, trusts_factors })}
        />
        {preset !== "google" && (
          <CheckRow
            label={t("sso.trusts")}
            hint={t("sso.trustsHint")}
            checked={choices.trusts_email}
            onChange={(trusts_email) => onChange({ ...choices, trusts_email })}
          />
        )}
      </div>
      {choices.creates_agents && (
        <Field label={t("sso.adminGroup")} hint={t("sso.adminGroupHint")} problem={problem}>
          <TextInput name="admin_group" dir="auto" maxLength={255} defaultValue={adminGroup ?? ""} />
        </Field>
      )}
    </>
  );
}
