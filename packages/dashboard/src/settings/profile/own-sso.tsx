import type { OwnSso as Own } from "@frontdesk/core/contract/session-sso";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { queries } from "../../service/queries.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { showProblem } from "../../ui/toast.ts";

const ownSsoQuery = { queryKey: ["own-sso"], queryFn: () => askSession("listOwnSso") };

/** The agent's accounts at providers of the team; nothing where the team has none. */
export function OwnSso() {
  const { data } = useQuery(ownSsoQuery);
  if (!data || data.providers.length === 0) return null;
  return (
    <Section title={t("sso.own")} text={t("sso.ownText")}>
      <ul>
        {data.providers.map((provider) => (
          <Row key={provider.id} provider={provider} />
        ))}
      </ul>
    </Section>
  );
}

function Row({ provider: { id, name, email, linked_at } }: { provider: Own["providers"][number] }) {
  const [asked, setAsked] = useState(false);
  const params = { id };
  const link = async () => location.assign((await askSession("linkOwnSso", { params })).url);
  const unlink = async () => {
    await askSession("unlinkOwnSso", { params });
    await queries.invalidateQueries({ queryKey: ownSsoQuery.queryKey });
  };
  const isLinked = linked_at !== null;
  return (
    <li className="flex flex-wrap items-center gap-3 border-line border-t py-2.5 first:border-t-0">
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate">
          {name}
        </span>
        <span dir="auto" className="block truncate text-meta text-subtle">
          {isLinked ? (email ?? t("sso.linked")) : t("sso.notLinked")}
        </span>
      </span>
      <Button
        size="compact"
        aria-label={t(isLinked ? "sso.unlinkName" : "sso.linkName", { name })}
        onClick={() => (isLinked ? setAsked(true) : link().catch((error) => showProblem(problemText(error))))}
      >
        {t(isLinked ? "sso.unlink" : "sso.link")}
      </Button>
      {asked && (
        <ConfirmDialog
          title={t("sso.unlinkTitle", { name })}
          text={t("sso.unlinkText")}
          action={t("sso.unlink")}
          onConfirm={unlink}
          onClose={() => setAsked(false)}
        />
      )}
    </li>
  );
}
