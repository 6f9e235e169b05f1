import { FrontdeskError } from "@frontdesk/client";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type AiRun, aiRun, handoffRun, type ModelCall } from "../service/ai-runs.ts";
import { momentOf, numberOf } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { problemText } from "../ui/problem-text.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { inLines } from "./in-lines.ts";
import { useNameOfAi } from "./name-of-ai.ts";
import type { AskedRun } from "./opened-run.ts";
import { inWords } from "./reason-in-words.ts";
import { SourceLink } from "./source-link.tsx";

const NOT_FOUND = 404;

/** What the built-in AI did, why, and what it asked its model. */
export function RunView({ asked, onClose }: { asked: AskedRun; onClose(): void }) {
  const name = useNameOfAi();
  const { data, error } = useQuery({
    queryKey: ["ai-run", asked],
    queryFn: async () =>
      ("id" in asked ? aiRun(asked.id) : handoffRun(asked.conversationId, asked.handedOverAt)) ?? null,
  });
  const isGone = data === null || (error instanceof FrontdeskError && error.status === NOT_FOUND);
  return (
    <Dialog open onClose={onClose} title={t("runs.title", { name })} width="wide" isText>
      {isGone ? (
        <p className="text-muted">{t("runs.gone")}</p>
      ) : error ? (
        <p role="alert" className="text-danger">
          {problemText(error)}
        </p>
      ) : data ? (
        <Run run={data} name={name} />
      ) : (
        <SkeletonRows rows={4} height={40} />
      )}
    </Dialog>
  );
}

function Run({ run: { attributes: run }, name }: { run: AiRun; name: string }) {
  const why = inWords(run.reason);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-pretty">
        <strong className="font-semibold">{t(`runs.did.${run.outcome}`, { name })}</strong>
        {why && <> {why}</>}
        {run.rule && <> {t(`runs.rule.${run.rule.field}`, { value: run.rule.value })}</>}
      </p>
      <Part title={t("ai.sources")}>
        {run.sources.length === 0 ? (
          <p className="text-muted">{t("runs.noSources")}</p>
        ) : (
          <ul className="flex flex-col gap-1">
            {run.sources.map((source) => (
              <li key={source.article_id} className="flex">
                <SourceLink source={source} />
              </li>
            ))}
          </ul>
        )}
      </Part>
      {run.searches.length > 0 && (
        <Part title={t("runs.searches")}>
          <ul className="flex flex-col gap-1">
            {run.searches.map(({ query, found }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the searches of a run never change
              <li key={index} className="wrap-anywhere">
                <bdi>{query}</bdi>{" "}
                <span className="numbers text-muted">· {t("runs.found", { count: numberOf(found) })}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title={t("runs.costs")}>
        <p className="numbers text-muted">
          {t("runs.tokens", { read: numberOf(run.tokens_in), written: numberOf(run.tokens_out) })} ·{" "}
          {t("runs.took", { ms: numberOf(run.milliseconds) })} · {momentOf(run.created_at)}
        </p>
      </Part>
      <Part title={t("runs.calls")}>
        {run.calls.length === 0 ? (
          <p className="text-muted">{t("runs.noCalls")}</p>
        ) : (
          <ol className="flex flex-col gap-2">
            {run.calls.map((call, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the calls of a run never change
              <li key={index}>
                <Call call={call} number={index + 1} />
              </li>
            ))}
          </ol>
        )}
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 font-medium text-meta text-subtle">{title}</h3>
      {children}
    </section>
  );
}

function Call({ call, number }: { call: ModelCall; number: number }) {
  const ended = call.status === null ? t("runs.noAnswer") : `HTTP ${call.status}`;
  // Of a server that failed, its answer says more.
  const unused = call.check?.startsWith("model-") ? undefined : inWords(call.check);
  return (
    <details className="rounded-control border border-line">
      <summary className="numbers cursor-pointer px-3 py-2 pointer-coarse:py-3">
        {t("runs.call", { number })}
        {call.model !== null && (
          <>
            {" · "}
            <bdi>{call.model}</bdi>
          </>
        )}{" "}
        · <bdi>{ended}</bdi> · {t("runs.took", { ms: numberOf(call.milliseconds) })}
      </summary>
      <div className="flex flex-col gap-3 border-line border-t p-3">
        {unused && <p className="text-warning">{unused}</p>}
        <Sent title={t("runs.request")} body={call.request} />
        <Sent title={t("runs.answer")} body={call.response} />
      </div>
    </details>
  );
}

/** Plain text, as all that the AI has said: nothing in it is a link, an image or markup. It is copied as it was sent. */
function Sent({ title, body }: { title: string; body: string }) {
  return (
    <section>
      <header className="mb-1 flex items-center justify-between gap-2">
        <h4 className="font-medium text-meta text-subtle">{title}</h4>
        <CopyButton text={body} />
      </header>
      <pre
        dir="ltr"
        // Scrollable content has to be reachable by keyboard.
        tabIndex={0}
        className="max-h-72 overflow-auto whitespace-pre-wrap wrap-anywhere rounded-control bg-app p-3 font-mono text-meta"
      >
        {inLines(body)}
      </pre>
    </section>
  );
}
