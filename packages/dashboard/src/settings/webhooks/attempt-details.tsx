import type { WebhookAttemptLog } from "@frontdesk/core/contract/resources";
import { ChevronRight } from "lucide-react";
import { momentOf, numberOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { attemptInWords } from "./attempt-in-words.ts";
import { Code } from "./code.tsx";

const TONES = { delivered: "success", failed: "danger", stopped: "neutral", underWay: "accent" } as const;

/** One attempt: its time, result and duration; expanded, its headers and the response. */
export function AttemptDetails({ attempt, of, open }: { attempt: WebhookAttemptLog; of: number; open: boolean }) {
  const { attempt: number, outcome, started_at, duration_ms, endpoint_url, request, response } = attempt;
  return (
    <details open={open} className="group rounded-control border border-line">
      <summary className="flex cursor-default flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 hover:bg-hover">
        <ChevronRight
          size={14}
          className="shrink-0 text-muted transition-transform group-open:rotate-90 rtl:rotate-180 rtl:group-open:rotate-90"
          aria-hidden="true"
        />
        <span className="font-medium">{t("hooks.attemptOf", { attempt: number, of })}</span>
        <Badge tone={TONES[outcome ?? "underWay"]}>{attemptInWords(attempt)}</Badge>
        <span className="numbers ms-auto flex flex-wrap gap-x-3 text-meta text-muted">
          {duration_ms !== null && <span>{t("hooks.took", { ms: numberOf(duration_ms) })}</span>}
          <time dateTime={started_at}>{momentOf(started_at)}</time>
        </span>
      </summary>
      <div className="grid gap-4 border-line border-t p-3 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-2">
          <h3 className="font-medium">{t("hooks.request")}</h3>
          <Code label={t("hooks.requestHeaders")} text={`POST ${endpoint_url}\n\n${headersText(request.headers)}`} />
          <p className="text-meta text-muted">{t("hooks.signaturesHidden")}</p>
        </div>
        <div className="flex min-w-0 flex-col gap-2">
          <h3 className="font-medium">{t("hooks.response")}</h3>
          {response ? (
            <>
              <Code label={t("hooks.responseHeaders")} text={`${attempt.status}\n\n${headersText(response.headers)}`} />
              {response.body === "" ? (
                <p className="text-meta text-muted">{t("hooks.noResponseBody")}</p>
              ) : (
                <Code label={t("hooks.responseBody")} text={response.body} />
              )}
            </>
          ) : (
            <p className="text-muted">{attemptInWords(attempt)}</p>
          )}
        </div>
      </div>
    </details>
  );
}

function headersText(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
