import type { SsoProvider, SsoSettings } from "@frontdesk/core/contract/session-sso";
import { useQuery } from "@tanstack/react-query";
import { ExternalLink, KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { ROOT_PATH } from "../../service/send.ts";
import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { SsoProviderDialog } from "./sso-provider-dialog.tsx";
import { changeSso, changingSso, ssoQuery } from "./sso-query.ts";

/** The providers whose accounts sign in to this team. */
export function SsoProviders() {
  const { data, error, refetch, isPending } = useQuery(ssoQuery);
  const [adding, setAdding] = useState<SsoSettings["next"]>();
  const add = data && (
    <Button look="primary" onClick={() => setAdding(data.next)}>
      <Plus size={14} aria-hidden="true" />
      {t("sso.add")}
    </Button>
  );
  return (
    <Section title={t("sso.title")} text={t("sso.text")} actions={add}>
      {isPending && <SkeletonRows rows={2} height={60} />}
      {error && !data && (
        <EmptyState icon={KeyRound} title={t("trouble.title")} text={problemText(error)}>
          <Button onClick={() => refetch()}>{t("tryAgain")}</Button>
        </EmptyState>
      )}
      {data?.providers.length === 0 && <EmptyState icon={KeyRound} title={t("sso.none")} text={t("sso.noneText")} />}
      <ul>
        {data?.providers.map((provider) => (
          <Row key={provider.id} provider={provider} />
        ))}
      </ul>
      {adding && <SsoProviderDialog addresses={adding} onClose={() => setAdding(undefined)} />}
    </Section>
  );
}

function Row({ provider }: { provider: SsoProvider }) {
  const { id, name, issuer, is_on } = provider;
  const [shown, setShown] = useState<"change" | "removal">();
  const close = () => setShown(undefined);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t py-3 first:border-t-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex items-center gap-2">
          <span dir="auto" className="truncate font-medium">
            {name}
          </span>
          <Badge tone={is_on ? "success" : "neutral"}>{t(is_on ? "sso.on" : "sso.off")}</Badge>
        </p>
        <p dir="ltr" className="aligned truncate text-meta text-muted">
          {issuer}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <a
          href={`${ROOT_PATH}/app/sso/${id}/test`}
          target="_blank"
          rel="noopener"
          className="inline-flex h-8 items-center gap-2 rounded-control border border-line bg-surface px-3 hover:bg-hover"
        >
          {t("sso.test")}
          <ExternalLink size={14} aria-hidden="true" />
          <span className="sr-only">{t("sso.newWindow")}</span>
        </a>
        <Button
          aria-label={t(is_on ? "sso.turnOffName" : "sso.turnOnName", { name })}
          onClick={() => changeSso(askSession("updateSsoProvider", { params: { id }, body: { is_on: !is_on } }))}
        >
          {t(is_on ? "sso.turnOff" : "sso.turnOn")}
        </Button>
        <Button aria-label={t("sso.changeName", { name })} onClick={() => setShown("change")}>
          {t("sso.change")}
        </Button>
        <Button look="quietDanger" aria-label={t("sso.removeName", { name })} onClick={() => setShown("removal")}>
          {t("sso.remove")}
        </Button>
      </div>
      {shown === "change" && <SsoProviderDialog addresses={provider} provider={provider} onClose={close} />}
      {shown === "removal" && (
        <ConfirmDialog
          title={t("sso.removeTitle", { name })}
          text={t("sso.removeText")}
          action={t("sso.remove")}
          onConfirm={() => changingSso(askSession("deleteSsoProvider", { params: { id } }))}
          onClose={close}
        />
      )}
    </li>
  );
}
