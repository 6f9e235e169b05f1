import type { SsoDomain, SsoSettings } from "@frontdesk/core/contract/session-sso";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ValueToCopy } from "../../ui/copy-button.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { Switch } from "../../ui/switch.tsx";
import { changeSso, changingSso, ssoQuery } from "./sso-query.ts";

/** The domains of the team's e-mails, and whether their people sign in by SSO alone; shown once there is a provider. */
export function SsoDomains() {
  const { data } = useQuery(ssoQuery);
  const [adds, setAdds] = useState(0);
  const form = useForm(async ({ domain = "" }) => {
    await changingSso(askSession("addSsoDomain", { body: { domain } }));
    setAdds((before) => before + 1);
  });
  if (!data || (data.providers.length === 0 && data.domains.length === 0)) return null;
  return (
    <>
      <Section title={t("sso.domains")} text={t("sso.domainsText")}>
        <ul>
          {data.domains.map((domain) => (
            <Domain key={domain.domain} domain={domain} />
          ))}
        </ul>
        <form key={adds} onSubmit={form.send} className="mt-3 flex max-w-md flex-col gap-3">
          <Field label={t("sso.domain")} problem={form.problemOf("domain")}>
            <TextInput name="domain" dir="ltr" required placeholder="example.com" autoComplete="off" />
          </Field>
          <FormProblem text={form.problem} />
          <Button type="submit" className="self-start" disabled={form.busy}>
            {t("sso.addDomain")}
          </Button>
        </form>
      </Section>
      {data.domains.some(({ is_proven }) => is_proven) && <Owners settings={data} />}
    </>
  );
}

function Domain({ domain: { domain, record_name, record_value, is_proven, is_required } }: { domain: SsoDomain }) {
  const [asked, setAsked] = useState<"requiring" | "removal">();
  const params = { domain };
  const prove = useForm(() => changingSso(askSession("proveSsoDomain", { params })));
  const require = (on: boolean) => askSession("requireSso", { params, body: { on } });
  return (
    <li className="flex flex-col gap-3 border-line border-t py-3 first:border-t-0">
      <div className="flex flex-wrap items-center gap-2">
        <span dir="ltr" className="font-medium">
          {domain}
        </span>
        <Badge tone={is_proven ? "success" : "warning"}>{t(is_proven ? "sso.proven" : "sso.unproven")}</Badge>
        <span className="flex-1" />
        <Button
          look="quietDanger"
          size="compact"
          aria-label={t("sso.removeName", { name: domain })}
          onClick={() => setAsked("removal")}
        >
          {t("sso.remove")}
        </Button>
      </div>
      {is_proven ? (
        <Switch
          label={t("sso.require", { domain })}
          hint={t("sso.requireHint")}
          checked={is_required}
          onChange={(on) => (on ? setAsked("requiring") : void changeSso(require(false)))}
        />
      ) : (
        <form onSubmit={prove.send} className="flex flex-col gap-2 rounded-control border border-line bg-app p-3">
          <p className="text-muted">{t("sso.proveText")}</p>
          <p className="text-meta text-muted">{t("sso.recordName")}</p>
          <ValueToCopy value={record_name} />
          <p className="text-meta text-muted">{t("sso.recordValue")}</p>
          <ValueToCopy value={record_value} />
          <FormProblem text={prove.problem ?? prove.problemOf("domain")} />
          <Button type="submit" look="primary" className="self-start" disabled={prove.busy}>
            {t("sso.prove")}
          </Button>
        </form>
      )}
      {asked === "requiring" && (
        <ConfirmDialog
          title={t("sso.require", { domain })}
          text={t("sso.requireAsk")}
          action={t("sso.requireDo")}
          look="primary"
          onConfirm={() => changingSso(require(true))}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === "removal" && (
        <ConfirmDialog
          title={t("sso.removeTitle", { name: domain })}
          text={t("sso.removeDomainText")}
          action={t("sso.remove")}
          onConfirm={() => changingSso(askSession("removeSsoDomain", { params }))}
          onClose={() => setAsked(undefined)}
        />
      )}
    </li>
  );
}

/** Owners who get in while the provider is away. */
function Owners({ settings: { owners, is_linked } }: { settings: SsoSettings }) {
  return (
    <Section title={t("sso.owners")} text={t("sso.ownersText")}>
      {!is_linked && (
        <p className="mb-3 max-w-prose rounded-control bg-note px-3 py-2 text-note-ink">{t("sso.linkFirst")}</p>
      )}
      <ul className="flex flex-col gap-3">
        {owners.map(({ id, name, has_password, keeps_password }) => (
          <li key={id}>
            <Switch
              label={name}
              hint={has_password ? undefined : t("sso.noPassword")}
              checked={keeps_password}
              disabled={!has_password && !keeps_password}
              onChange={(on) => void changeSso(askSession("setBreakGlass", { params: { id }, body: { on } }))}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
