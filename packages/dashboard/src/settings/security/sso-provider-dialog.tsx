import type { SsoProvider, SsoSettings } from "@frontdesk/core/contract/session-sso";
import { GOOGLE_ISSUER, SSO_SESSION_HOURS, type SsoPreset, ssoPresets } from "@frontdesk/core/domain/sso";
import { useId, useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ValueToCopy } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.ts";
import { SsoChoiceFields, type SsoChoices } from "./sso-choices.tsx";
import { changingSso } from "./sso-query.ts";

const NAMES: Record<SsoPreset, string> = {
  google: "Google",
  microsoft: "Microsoft",
  okta: "Okta",
  keycloak: "Keycloak",
  authentik: "Authentik",
  custom: "SSO",
};

const EXAMPLES: Record<SsoPreset, string> = {
  google: GOOGLE_ISSUER,
  microsoft: "https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000/v2.0",
  okta: "https://example.okta.com",
  keycloak: "https://sso.example.com/realms/example",
  authentik: "https://sso.example.com/application/o/frontdesk/",
  custom: "https://login.example.com",
};

/** A new provider, or one to change. Its addresses come first: the provider has to know them before it says its own. */
export function SsoProviderDialog({
  addresses: { id, redirect_uri, logout_uri },
  provider,
  onClose,
}: {
  addresses: SsoSettings["next"];
  provider?: SsoProvider;
  onClose(): void;
}) {
  const formId = useId();
  const [preset, setPreset] = useState<SsoPreset>(provider?.preset ?? "google");
  const [choices, setChoices] = useState<SsoChoices>({
    creates_agents: provider?.creates_agents ?? false,
    trusts_factors: provider?.trusts_factors ?? false,
    trusts_email: provider?.trusts_email ?? false,
  });
  const form = useForm(async ({ name = "", issuer, client_id = "", client_secret = "", admin_group, hours }) => {
    const typed = {
      ...{ name, client_id, issuer: preset === "google" ? GOOGLE_ISSUER : (issuer ?? "") },
      ...{ ...choices, trusts_email: choices.trusts_email && preset !== "google" },
      ...{ admin_group: admin_group || null, session_hours: Number(hours) },
    };
    if (provider) {
      const secret = client_secret === "" ? {} : { client_secret };
      await changingSso(askSession("updateSsoProvider", { params: { id }, body: { ...typed, ...secret } }));
    } else {
      await changingSso(askSession("createSsoProvider", { body: { id, preset, ...typed, client_secret } }));
    }
    onClose();
    showToast(t("saved"));
  });
  return (
    <Dialog
      open
      onClose={onClose}
      width="wide"
      title={provider ? t("sso.changeTitle", { name: provider.name }) : t("sso.add")}
      footer={
        <>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" form={formId} look="primary" disabled={form.busy}>
            {t(provider ? "saveChanges" : "sso.add")}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.send} className="flex flex-col gap-4">
        {!provider && (
          <Field label={t("sso.preset")} hint={t(`sso.presetHint.${preset}`)}>
            <Select value={preset} onChange={({ target }) => setPreset(target.value as SsoPreset)}>
              {ssoPresets.map((each) => (
                <option key={each} value={each}>
                  {each === "custom" ? t("sso.custom") : NAMES[each]}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <dl className="flex flex-col gap-2 rounded-control border border-line bg-app p-3">
          <Address label={t("sso.redirect")} value={redirect_uri} />
          <Address label={t("sso.logout")} value={logout_uri} />
        </dl>
        {preset !== "google" && (
          <Field
            label={t("sso.issuer")}
            hint={t("sso.issuerHint", { example: EXAMPLES[preset] })}
            problem={form.problemOf("issuer")}
          >
            <TextInput name="issuer" dir="ltr" required defaultValue={provider?.issuer ?? ""} autoComplete="off" />
          </Field>
        )}
        <Field label={t("sso.clientId")} problem={form.problemOf("client_id")}>
          <TextInput name="client_id" dir="ltr" required defaultValue={provider?.client_id ?? ""} autoComplete="off" />
        </Field>
        <Field
          label={t("sso.clientSecret")}
          hint={provider && t("sso.clientSecretKept")}
          problem={form.problemOf("client_secret")}
        >
          <TextInput name="client_secret" type="password" dir="ltr" required={!provider} autoComplete="new-password" />
        </Field>
        {/* Anew with the provider that is chosen: its name is proposed. */}
        <Field key={preset} label={t("sso.name")} hint={t("sso.nameHint")} problem={form.problemOf("name")}>
          <TextInput name="name" required defaultValue={provider?.name ?? NAMES[preset]} />
        </Field>
        <Field label={t("sso.hours")} hint={t("sso.hoursHint")} problem={form.problemOf("session_hours")}>
          <TextInput
            name="hours"
            type="number"
            min={SSO_SESSION_HOURS.min}
            max={SSO_SESSION_HOURS.max}
            required
            defaultValue={provider?.session_hours ?? SSO_SESSION_HOURS.default}
            className="w-28"
          />
        </Field>
        <SsoChoiceFields
          {...{ preset, choices }}
          onChange={setChoices}
          adminGroup={provider?.admin_group}
          problem={form.problemOf("admin_group")}
        />
        <FormProblem text={form.problem ?? form.problemOf("id")} />
      </form>
    </Dialog>
  );
}

function Address({ label, value }: { label: string; value: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-meta text-muted">{label}</dt>
      <dd>
        <ValueToCopy value={value} />
      </dd>
    </div>
  );
}
