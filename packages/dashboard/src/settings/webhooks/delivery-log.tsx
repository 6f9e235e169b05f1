import type { EventName } from "@frontdesk/core/contract/events";
import type { WebhookDelivery } from "@frontdesk/core/contract/resources";
import { type DeliveryState, deliveryStates } from "@frontdesk/core/domain/delivery-state";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { RotateCcw, Send } from "lucide-react";
import { useCallback, useState } from "react";
import { rest } from "../../service/rest.ts";
import { ago, momentOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { MoreRows } from "../../ui/more-rows.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { attemptInWords } from "./attempt-in-words.ts";
import { DeliveryBadge } from "./delivery-badge.tsx";
import { ReplayFailed } from "./replay-failed.tsx";
import { eventNames } from "./webhook-events.ts";
import { isOnItsWay, type OneWebhook } from "./webhooks-query.ts";

const PAGE_SIZE = 25;
/** Polling intervals of a list with pending deliveries, and without. */
const BUSY_MS = 2_000;
const QUIET_MS = 10_000;

/** The deliveries of a webhook, newest first, with updates while some are pending. */
export function DeliveryLog({ webhook: { id, is_active } }: { webhook: OneWebhook }) {
  const search = useSearch({ from: "/signed-in/settings/$part/$item" });
  const state = deliveryStates.find((each) => each === search.state);
  const event = eventNames.find((each) => each === search.event);
  const [replaying, setReplaying] = useState(false);
  const found = useInfiniteQuery({
    queryKey: ["webhooks", id, "deliveries", state, event],
    queryFn: ({ pageParam, signal }) =>
      rest.listWebhookDeliveries({
        params: { webhook: id },
        query: { page: pageParam, limit: PAGE_SIZE, ...(state && { state }), ...(event && { event }) },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ links, meta }) => (links.next ? meta.pagination.current_page + 1 : undefined),
    placeholderData: (before) => before,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(isOnItsWay)) ? BUSY_MS * data.pages.length : QUIET_MS,
  });
  const more = useCallback(() => void found.fetchNextPage(), [found.fetchNextPage]);
  const deliveries = found.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Section
      title={t("hooks.deliveries")}
      text={t("hooks.deliveriesText")}
      actions={
        <Button disabled={!is_active} onClick={() => setReplaying(true)}>
          <RotateCcw size={14} aria-hidden="true" />
          {t("hooks.replayFailed")}
        </Button>
      }
    >
      <Filters state={state} event={event} />
      {found.isPending && <SkeletonRows rows={4} height={48} />}
      {found.isError && deliveries.length === 0 && (
        <EmptyState icon={Send} title={t("trouble.title")} text={problemText(found.error)}>
          <Button onClick={() => found.refetch()}>{t("tryAgain")}</Button>
        </EmptyState>
      )}
      {found.isSuccess && deliveries.length === 0 && (
        <EmptyState
          icon={Send}
          title={state || event ? t("nothingFound") : t("hooks.noDeliveries")}
          text={state || event ? undefined : t("hooks.noDeliveriesText")}
        />
      )}
      {deliveries.length > 0 && <Rows deliveries={deliveries} />}
      <MoreRows shown={found.hasNextPage} busy={found.isFetchingNextPage} onMore={more} />
      {replaying && <ReplayFailed id={id} onClose={() => setReplaying(false)} />}
    </Section>
  );
}

/** The filters are in the URL. */
function Filters({ state, event }: { state: DeliveryState | undefined; event: EventName | undefined }) {
  const navigate = useNavigate({ from: "/settings/$part/$item" });
  const narrow = (name: "state" | "event", value: string) =>
    navigate({
      to: ".",
      search: ({ [name]: _, ...others }) => (value ? { ...others, [name]: value } : others),
      replace: true,
    });
  return (
    <div className="mb-2 flex flex-wrap gap-3 [&>*]:w-48 max-md:[&>*]:flex-1">
      <Field label={t("hooks.filterState")}>
        <Select value={state ?? ""} onChange={({ target }) => narrow("state", target.value)}>
          <option value="">{t("filter.any")}</option>
          {deliveryStates.map((each) => (
            <option key={each} value={each}>
              {t(`hooks.state.${each}`)}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t("hooks.event")}>
        <Select value={event ?? ""} onChange={({ target }) => narrow("event", target.value)}>
          <option value="">{t("filter.any")}</option>
          {eventNames.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}

function Rows({ deliveries }: { deliveries: readonly WebhookDelivery[] }) {
  return (
    <table className="w-full table-fixed border-collapse">
      <caption className="sr-only">{t("hooks.deliveries")}</caption>
      <thead className="text-meta text-subtle">
        <tr className="h-9 border-line border-b [&_th]:px-2 [&_th]:text-start [&_th]:font-medium">
          <th className="md:w-52">{t("hooks.event")}</th>
          <th className="w-28">{t("hooks.filterState")}</th>
          <th className="max-md:hidden">{t("hooks.answer")}</th>
          <th className="w-24 max-md:hidden">{t("hooks.when")}</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map(({ id, attributes }) => (
          <tr key={id} className="relative h-12 border-line border-b hover:bg-hover [&_td]:px-2">
            <td>
              <Link
                to="."
                search={(before) => ({ ...before, delivery: id })}
                dir="ltr"
                className="-outline-offset-2 aligned block truncate font-mono text-meta after:absolute after:inset-0"
              >
                {attributes.event}
              </Link>
              <span className="block truncate text-meta text-muted md:hidden">
                {[ago(attributes.created_at), answerOf(attributes)].filter(Boolean).join(" · ")}
              </span>
            </td>
            <td>
              <DeliveryBadge state={attributes.state} />
            </td>
            <td className="truncate text-muted max-md:hidden">{answerOf(attributes)}</td>
            <td className="numbers truncate text-muted max-md:hidden">
              <time dateTime={attributes.created_at} title={momentOf(attributes.created_at)}>
                {ago(attributes.created_at)}
              </time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The response, the number of the attempt, and when the next one follows. */
function answerOf(delivery: WebhookDelivery["attributes"]): string {
  const { last_attempt, next_attempt_at, max_attempts } = delivery;
  if (!last_attempt) return "";
  const parts = [attemptInWords(last_attempt)];
  if (last_attempt.attempt > 1 || next_attempt_at) {
    parts.push(t("hooks.attemptOf", { attempt: last_attempt.attempt, of: max_attempts }));
  }
  if (next_attempt_at) parts.push(t("hooks.nextTry", { when: ago(next_attempt_at) }));
  return parts.join(" · ");
}
