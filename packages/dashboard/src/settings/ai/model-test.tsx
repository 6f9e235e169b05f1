import type { AiFinding } from "@frontdesk/core/contract/rest/ai";
import { findingCodes } from "@frontdesk/core/domain/ai/model-findings";
import { CircleCheck, CircleX } from "lucide-react";
import { useState } from "react";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";
import { fieldReasonsIn } from "../../service/service-error.ts";
import { loadRefusalTexts, refusalText } from "../../texts/refusal-text.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { FormProblem } from "../../ui/form.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { EnglishSentence } from "../channels/channel-state.tsx";
import { type AiDraft, aiQuery, isAsRefused, keyOf } from "./ai-query.ts";

interface ModelTestState {
  busy: boolean;
  findings: readonly AiFinding[] | undefined;
  /** What was tested is not what is in the form any more. */
  isOutdated: boolean;
  /** An error that belongs to no field. */
  problem: string | undefined;
  problemOf(field: string): string | undefined;
  run(): void;
}

/** Tests the settings as they are typed; nothing is saved. */
export function useModelTest(draft: AiDraft): ModelTestState {
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<{ of: string; findings: readonly AiFinding[] }>();
  const [refused, setRefused] = useState<{ of: AiDraft; error: unknown }>();
  const reasons = fieldReasonsIn(refused?.error);
  const { base_url, model, second_model, embedding_model } = draft;
  const tested = { base_url, model, second_model, embedding_model };
  /** As the service stores it. */
  const about = JSON.stringify(Object.values(tested).map((text) => text?.trim().replace(/\/+$/, "") || null));
  const run = async () => {
    setBusy(true);
    setRefused(undefined);
    setFound(undefined);
    const api_key = keyOf(draft);
    try {
      const body = { ...tested, ...(api_key !== undefined && { api_key }) };
      const { data: findings } = await rest.testAi({ body });
      setFound({ of: about, findings });
      // A test of the saved settings that succeeds ends what is known of failures.
      void queries.invalidateQueries({ queryKey: aiQuery.queryKey });
    } catch (error) {
      await loadRefusalTexts().catch(() => {});
      setRefused({ of: draft, error });
    }
    setBusy(false);
  };
  return {
    ...{ busy, findings: found?.findings, run: () => void run() },
    // The key is left out: it leaves the form when it is saved.
    isOutdated: found !== undefined && found.of !== about,
    problem: refused === undefined || Object.keys(reasons).length > 0 ? undefined : problemText(refused.error),
    problemOf: (field) =>
      isAsRefused(refused?.of, draft, field) ? reasons[field]?.map(refusalText).join(" ") : undefined,
  };
}

/** The button and what was found. */
export function ModelTest({ test: { busy, findings, isOutdated, problem, run } }: { test: ModelTestState }) {
  return (
    <div className="flex flex-col gap-3 rounded-control border border-line bg-app p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button onClick={run} disabled={busy}>
          {t(busy ? "ai.testing" : "ai.test")}
        </Button>
        <p className="min-w-0 flex-1 basis-60 text-meta text-muted">{t("ai.testHint")}</p>
      </div>
      <FormProblem text={problem} />
      {isOutdated && <p className="text-meta text-warning">{t("ai.outdated")}</p>}
      <div aria-live="polite" className={findings ? undefined : "-mt-3"}>
        {findings && (
          <ul aria-label={t("ai.findings")} className="flex flex-col gap-2">
            {findings.map((finding) => {
              const { check, ok } = finding;
              const [Icon, tone] = ok ? [CircleCheck, "text-success"] : [CircleX, "text-danger"];
              return (
                <li key={check} className="flex items-start gap-2.5">
                  <Icon size={16} className={cx("mt-0.5 shrink-0", tone)} aria-hidden="true" />
                  <div className="wrap-anywhere min-w-0">
                    <p>
                      <span className="sr-only">{t(ok ? "ai.ok" : "ai.notOk")} </span>
                      {t(`ai.check.${check}`)}
                    </p>
                    <Found finding={finding} />
                  </div>
                </li>
              );
            })}
          </ul>
        )}
      </div>
    </div>
  );
}

/** In the agent's language, with the server's own words below; as the service says it where that is not known. */
function Found({ finding: { ok, code, values, message } }: { finding: AiFinding }) {
  if (!findingCodes.includes(code)) return <EnglishSentence text={message} />;
  return (
    <>
      <p className="text-meta">{t(`ai.finding.${code}`, values)}</p>
      {!ok && values.said !== undefined && <EnglishSentence text={String(values.said)} />}
    </>
  );
}
