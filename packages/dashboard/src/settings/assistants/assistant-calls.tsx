import type { AssistantCall } from "@frontdesk/core/contract/resources";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronRight, History } from "lucide-react";
import { useCallback } from "react";
import { rest } from "../../service/rest.ts";
import { durationOf, momentOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { MoreRows } from "../../ui/more-rows.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { byPages } from "./assistants-query.ts";

const PAGE_SIZE = 50;
/** Polling interval while a new assistant has not made its first call. */
const LOOK_AGAIN_MS = 5_000;

const TONES = { done: "success", confirmation: "note", refused: "warning", failed: "danger" } as const;

/** The calls of an assistant, newest first, each with its stored arguments. */
export function AssistantCalls({ id, ended }: { id: string; ended: boolean }) {
  const found = useInfiniteQuery({
    queryKey: ["assistants", id, "calls"],
    queryFn: ({ pageParam }) =>
      rest.listAssistantCalls({ params: { assistant: id }, query: { page: pageParam, limit: PAGE_SIZE } }),
    ...byPages,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 && !ended ? LOOK_AGAIN_MS : false),
  });
  const more = useCallback(() => void found.fetchNextPage(), [found.fetchNextPage]);
  // A call that came meanwhile moves another onto the next page.
  const calls = new Map(found.data?.pages.flatMap(({ data }) => data).map((call) => [call.id, call]));
  // Reading calls are logged slightly later than changes.
  const newestFirst = [...calls.values()].sort((one, other) =>
    other.attributes.called_at.localeCompare(one.attributes.called_at),
  );
  return (
    <Section title={t("assistants.calls")} text={t("assistants.callsText")}>
      {found.isPending && <SkeletonRows rows={4} height={40} />}
      {found.isError && (
        <EmptyState icon={History} title={t("trouble.title")} text={problemText(found.error)}>
          <Button onClick={() => found.refetch()}>{t("tryAgain")}</Button>
        </EmptyState>
      )}
      {found.isSuccess && calls.size === 0 && (
        <EmptyState
          icon={History}
          title={t("assistants.noCalls")}
          text={ended ? undefined : t("assistants.noCallsText")}
        />
      )}
      <ul className="-mx-2">
        {newestFirst.map((call) => (
          <li key={call.id} className="border-line border-t first:border-t-0">
            <Call call={call} />
          </li>
        ))}
      </ul>
      <MoreRows shown={found.hasNextPage} busy={found.isFetchingNextPage} onMore={more} />
    </Section>
  );
}

function Call({ call: { attributes } }: { call: AssistantCall }) {
  const { tool, outcome, message, duration_ms, called_at } = attributes;
  return (
    <details className="group">
      <summary className="flex min-h-10 list-none flex-wrap items-center gap-x-2 gap-y-0.5 rounded-control px-2 py-1.5 hover:bg-hover pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          className="shrink-0 text-subtle transition-transform group-open:rotate-90 rtl:rotate-180 rtl:group-open:rotate-90"
          aria-hidden="true"
        />
        <code className="font-mono text-meta">{tool}</code>
        <Badge tone={TONES[outcome]}>{t(`assistants.outcome.${outcome}`)}</Badge>
        <span className="numbers ms-auto text-meta text-subtle">
          {durationOf(duration_ms)} · <time dateTime={called_at}>{momentOf(called_at)}</time>
        </span>
      </summary>
      <div className="ps-7 pe-2 pb-3">
        {message && (
          <p dir="auto" className="aligned mb-2">
            {message}
          </p>
        )}
        <p className="text-meta text-subtle">{t("assistants.arguments")}</p>
        {/* Scrollable content has to be reachable by keyboard. */}
        <section
          aria-label={t("assistants.arguments")}
          tabIndex={0}
          className="mt-1 max-h-80 overflow-y-auto rounded-control border border-line bg-app"
        >
          <pre dir="ltr" className="whitespace-pre-wrap break-words p-3 font-mono text-meta">
            {JSON.stringify(attributes.arguments, undefined, 2)}
          </pre>
        </section>
      </div>
    </details>
  );
}
