import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import { useState } from "react";
import { durationOf, numberOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { aiResultsQuery, outcomes, type Period, periods, type Results } from "./ai-results-query.ts";
import { handoffsInWords } from "./handoffs-in-words.ts";
import { ResultsByDay } from "./results-by-day.tsx";

/** What became of the conversations that the AI answered in (docs/decisions/0083-ai-outcomes.md). */
export function AiResults() {
  const [days, setDays] = useState<Period>(30);
  const { data: results, error } = useQuery(aiResultsQuery(days));
  return (
    <Section
      title={t("ai.results")}
      text={t("ai.resultsText")}
      actions={
        <Field label={t("ai.results.period")} hideLabel>
          <Select value={days} onChange={({ target }) => setDays(Number(target.value) as Period)}>
            {periods.map((period) => (
              <option key={period} value={period}>
                {t(`ai.results.last.${period}`)}
              </option>
            ))}
          </Select>
        </Field>
      }
    >
      {results ? (
        <Shown results={results} />
      ) : error ? (
        <p role="alert" className="text-danger">
          {problemText(error)}
        </p>
      ) : (
        <SkeletonRows rows={2} height={72} />
      )}
    </Section>
  );
}

function Shown({ results }: { results: Results }) {
  if (results.conversations === 0) {
    return <EmptyState icon={ChartColumn} title={t("ai.results.none")} text={t("ai.results.noneText")} />;
  }
  return (
    <div className="flex flex-col gap-6">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-3">
        {outcomes.map(({ name, color }) => (
          <div key={name} className="flex flex-col">
            <dt className="flex items-center gap-1.5 font-medium">
              <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-tag bg-current ${color}`} />
              {t(`ai.results.${name}`)}
            </dt>
            <dd className="numbers order-first font-semibold text-page">{numberOf(results[name])}</dd>
            <dd className="text-pretty text-muted">{t(`ai.results.${name}.means`)}</dd>
          </div>
        ))}
      </dl>
      <ResultsByDay days={results.days} />
      <Handoffs handoffs={results.handoffs} />
      <Costs results={results} />
    </div>
  );
}

function Handoffs({ handoffs }: Pick<Results, "handoffs">) {
  if (handoffs.length === 0) return null;
  return (
    <section>
      <h3 className="mb-1 font-medium">{t("ai.results.handoffs")}</h3>
      <ul className="flex flex-col gap-1">
        {handoffsInWords(handoffs).map(({ words, conversations }) => (
          <li key={words} className="flex gap-2 text-muted">
            <span className="numbers min-w-8 shrink-0 text-end font-medium text-ink">{numberOf(conversations)}</span>
            {words}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Costs({ results: { answers, answer_time, tokens_in, tokens_out } }: { results: Results }) {
  const { p50_ms, p95_ms } = answer_time;
  const time = p50_ms !== null && p95_ms !== null && { half: durationOf(p50_ms), most: durationOf(p95_ms) };
  return (
    <ul className="numbers flex flex-col gap-1 text-muted">
      <li>{t("ai.results.answers", { number: numberOf(answers) })}</li>
      {time && <li>{t("ai.results.time", time)}</li>}
      <li>{t("runs.tokens", { read: numberOf(tokens_in), written: numberOf(tokens_out) })}</li>
    </ul>
  );
}
