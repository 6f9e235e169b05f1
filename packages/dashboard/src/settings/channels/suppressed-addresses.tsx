import type { Channel } from "@frontdesk/core/contract/rest/channels";
import type { ShownSuppression } from "@frontdesk/core/contract/session-channels";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { askSession } from "../../service/ask-session.ts";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";
import { dateOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { MoreRows } from "../../ui/more-rows.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { showProblem, showToast } from "../../ui/toast.ts";
import { suppressionReason } from "./channel-reasons.ts";

const PAGE_SIZE = 25;

const keyOf = (id: string) => ["channels", id, "suppressions"];

/** The addresses that nothing is sent to, because a mail to them has bounced for good. */
export function SuppressedAddresses({ channel: { id } }: { channel: Channel }) {
  const found = useInfiniteQuery({
    queryKey: keyOf(id),
    queryFn: ({ pageParam, signal }) =>
      askSession("listSuppressions", { params: { id }, query: { page: pageParam, limit: PAGE_SIZE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ total }, _pages, page) => (page * PAGE_SIZE < total ? page + 1 : undefined),
  });
  const more = useCallback(() => void found.fetchNextPage(), [found.fetchNextPage]);
  const rows = found.data?.pages.flatMap(({ suppressions }) => suppressions) ?? [];
  return (
    <Section title={t("channels.suppressed")} text={t("channels.suppressedText")}>
      <FormProblem text={found.isError ? problemText(found.error) : undefined} />
      {found.isSuccess && rows.length === 0 && <p className="text-muted">{t("channels.suppressedNone")}</p>}
      {rows.length > 0 && (
        <ul aria-label={t("channels.suppressed")}>
          {rows.map((row) => (
            <Row key={row.address} channelId={id} suppression={row} />
          ))}
        </ul>
      )}
      <MoreRows shown={found.hasNextPage} busy={found.isFetchingNextPage} onMore={more} />
    </Section>
  );
}

function Row({ channelId, suppression }: { channelId: string; suppression: ShownSuppression }) {
  const { address, reason, named_reason, created_at } = suppression;
  const allow = async () => {
    try {
      await rest.deleteSuppression({ params: { id: channelId, address } });
      showToast(t("channels.allowed", { address }));
    } catch (error) {
      showProblem(problemText(error));
    }
    await queries.invalidateQueries({ queryKey: keyOf(channelId) });
  };
  return (
    <li className="flex items-start gap-3 border-line border-t py-2.5 first:border-t-0">
      <div className="min-w-0 flex-1">
        <p dir="ltr" className="aligned break-all font-medium">
          {address}
        </p>
        <p className="text-meta text-subtle">
          <bdi className="break-words">{suppressionReason(named_reason) ?? reason}</bdi>
          {" · "}
          <span className="numbers">{dateOf(created_at)}</span>
        </p>
      </div>
      <Button aria-label={t("channels.allowName", { address })} onClick={allow}>
        {t("channels.allow")}
      </Button>
    </li>
  );
}
