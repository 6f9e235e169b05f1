import type { SpamItem } from "@frontdesk/core/contract/inbox-spam";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ShieldCheck, ShieldX } from "lucide-react";
import { useCallback, useState } from "react";
import { usePeople } from "../inbox/live-inbox.ts";
import { askInbox } from "../service/ask-inbox.ts";
import { ServiceError } from "../service/service-error.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { MoreRows } from "../ui/more-rows.tsx";
import { problemText } from "../ui/problem-text.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { showNews, showProblem, showToast } from "../ui/toast.ts";
import { mailboxName, subjectOf } from "./mail-lines.tsx";
import { spamHandled, spamQuery } from "./spam-queries.ts";
import { SpamRow } from "./spam-row.tsx";
import { useRowAfter } from "./use-row-after.ts";

/** The emails that the mail servers of the team's mailboxes call spam. */
export function SpamList() {
  const navigate = useNavigate();
  const people = usePeople();
  const found = useInfiniteQuery(spamQuery);
  const more = useCallback(() => void found.fetchNextPage(), [found.fetchNextPage]);
  const rows = found.data?.pages.flatMap(({ spam }) => spam) ?? [];
  const { place, goesFrom } = useRowAfter(rows);
  const [asking, setAsking] = useState<SpamItem>();

  const handled = async (item: SpamItem) => {
    goesFrom(item);
    await spamHandled(item);
  };
  const allow = async (item: SpamItem) => {
    const values = { subject: subjectOf(item) };
    try {
      const { is_paused } = await askInbox("markNotSpam", { params: { id: item.id } });
      const text = is_paused
        ? t("spam.movedLater", { ...values, mailbox: mailboxName(item, people) })
        : t("spam.moved", values);
      showNews(text, { label: t("nav.inbox"), run: () => void navigate({ to: "/inbox" }) });
    } catch (error) {
      showProblem(problemText(error));
      if (!isGone(error)) return;
    }
    await handled(item);
  };
  const remove = async (item: SpamItem) => {
    try {
      await askInbox("deleteSpam", { params: { id: item.id } });
      showToast(t("spam.deleted", { subject: subjectOf(item) }));
    } catch (error) {
      if (!isGone(error)) throw error;
      showProblem(problemText(error));
    }
    await handled(item);
  };

  return (
    <>
      <div ref={place} tabIndex={-1} className="flex flex-1 flex-col outline-none">
        {found.isPending && <SkeletonRows rows={8} height={88} />}
        {found.isError && rows.length === 0 && (
          <EmptyState icon={ShieldX} title={t("trouble.title")} text={problemText(found.error)}>
            <Button onClick={() => found.refetch()}>{t("tryAgain")}</Button>
          </EmptyState>
        )}
        {found.isSuccess && rows.length === 0 && !found.hasNextPage && (
          <EmptyState icon={ShieldCheck} title={t("spam.none")} text={t("spam.text")} />
        )}
        {rows.length > 0 && (
          <>
            <p className="max-w-3xl px-4 pb-3 text-muted">{t("spam.text")}</p>
            <ul aria-label={t("nav.spam")}>
              {rows.map((item) => (
                <SpamRow key={item.id} item={item} onAllow={() => allow(item)} onDelete={() => setAsking(item)} />
              ))}
            </ul>
          </>
        )}
        <MoreRows shown={found.hasNextPage} busy={found.isFetchingNextPage} onMore={more} />
      </div>
      {asking && (
        <ConfirmDialog
          title={t("spam.deleteTitle")}
          text={t("spam.deleteText", { subject: subjectOf(asking) })}
          action={t("spam.delete")}
          onConfirm={() => remove(asking)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

/** Another agent was faster. */
const isGone = (error: unknown): boolean => error instanceof ServiceError && error.status === 404;
