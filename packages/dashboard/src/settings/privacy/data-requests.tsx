import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { useMe } from "../../service/me.ts";
import { queries } from "../../service/queries.ts";
import { t } from "../../texts/texts.ts";
import { ValueToCopy } from "../../ui/copy-button.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { Switch } from "../../ui/switch.tsx";
import { showProblem } from "../../ui/toast.ts";
import { MailOff } from "../mail-off.tsx";
import { dataRequestsQuery } from "./privacy-queries.ts";

/** Whether visitors may ask for their data, and where they do. */
export function DataRequests() {
  const { may, sends_mail: sendsMail } = useMe();
  const { data, error } = useQuery(dataRequestsQuery);
  const [busy, setBusy] = useState(false);
  const allow = async (allowed: boolean) => {
    setBusy(true);
    try {
      queries.setQueryData(dataRequestsQuery.queryKey, await askSession("setDataRequests", { body: { allowed } }));
    } catch (problem) {
      showProblem(problemText(problem));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={t("privacy.requests")} text={t("privacy.requestsText")}>
      {error && <p className="text-danger">{problemText(error)}</p>}
      {data && (
        <>
          <MailOff text={t("privacy.requestsMailOff")} />
          <div className="max-w-lg">
            <Switch
              label={t("privacy.requestsAllow")}
              hint={t("privacy.requestsHint")}
              checked={data.allowed && sendsMail}
              disabled={busy || !sendsMail || !may.includes("set-data-requests")}
              onChange={allow}
            />
          </div>
          {data.allowed && sendsMail && (
            <ul aria-label={t("privacy.requestsPages")} className="mt-4 flex flex-col gap-3">
              {data.pages.map(({ widget, url }) => (
                <li key={url}>
                  <p dir="auto" className="aligned font-medium">
                    {widget ?? "…"}
                  </p>
                  <ValueToCopy value={url} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Section>
  );
}
