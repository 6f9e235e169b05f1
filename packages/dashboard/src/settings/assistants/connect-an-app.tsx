import { useQuery } from "@tanstack/react-query";
import { askSession } from "../../service/ask-session.ts";
import { t } from "../../texts/texts.ts";
import { CodeToCopy } from "../../ui/copy-button.tsx";
import { Section } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { AppReach } from "./app-reach.tsx";
import { appSetUps } from "./app-set-ups.ts";

/** Apps that need nothing but an address: what to paste, and where. */
export function ConnectAnApp() {
  const { data: addresses } = useQuery({
    queryKey: ["app-addresses"],
    queryFn: () => askSession("getAppAddresses"),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!addresses) return null;
  const { off, public_url, mcp, readonly, is_public } = addresses;
  if (off !== null || mcp === null || readonly === null) {
    return <Section title={t("apps.title")} text={t(`apps.off.${off ?? "not-https"}`, { url: public_url })} />;
  }
  return (
    <Section title={t("apps.title")} text={t("apps.text")}>
      {!is_public && (
        <p role="note" className="mb-4 rounded-control bg-note px-3 py-2 text-note-ink">
          {t("apps.notPublic")}
        </p>
      )}
      <div className="mb-6 grid gap-4 md:grid-cols-2">
        <Address label={t("apps.address")} address={mcp} />
        <Address label={t("apps.readonly")} address={readonly} />
      </div>
      {is_public && <AppReach />}
      <Tabs
        label={t("apps.title")}
        tabs={appSetUps(mcp).map(({ name, label, text, code }) => ({
          name,
          label,
          content: (
            <>
              <p className="mb-3 text-muted">{t(text)}</p>
              {code !== undefined && <CodeToCopy label={label} text={code} look="plain" />}
            </>
          ),
        }))}
      />
    </Section>
  );
}

function Address({ label, address }: { label: string; address: string }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1.5 font-medium">{label}</h3>
      <CodeToCopy label={label} text={address} look="plain" />
    </div>
  );
}
