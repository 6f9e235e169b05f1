import type { LucideIcon } from "lucide-react";
import { type ReactNode, useCallback } from "react";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { MoreRows } from "../ui/more-rows.tsx";
import { problemText } from "../ui/problem-text.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";

/** What is used of a query with pages. */
interface Found {
  error: Error | null;
  isPending: boolean;
  isError: boolean;
  isSuccess: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch(): unknown;
  fetchNextPage(): unknown;
}

/** A list of emails while it is loaded, when it can't be, when there is none, and its further pages. */
export function MailList({
  found,
  rows,
  label,
  text,
  troubleIcon,
  empty,
}: {
  found: Found;
  rows: readonly ReactNode[];
  label: string;
  /** What the list is. */
  text: string;
  troubleIcon: LucideIcon;
  empty: { icon: LucideIcon; title: string };
}) {
  const { fetchNextPage } = found;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return (
    <>
      {found.isPending && <SkeletonRows rows={8} height={88} />}
      {found.isError && rows.length === 0 && (
        <EmptyState icon={troubleIcon} title={t("trouble.title")} text={problemText(found.error)}>
          <Button onClick={() => found.refetch()}>{t("tryAgain")}</Button>
        </EmptyState>
      )}
      {found.isSuccess && rows.length === 0 && !found.hasNextPage && <EmptyState {...empty} text={text} />}
      {rows.length > 0 && (
        <>
          <p className="max-w-3xl px-4 pb-3 text-muted">{text}</p>
          <ul aria-label={label}>{rows}</ul>
        </>
      )}
      <MoreRows shown={found.hasNextPage} busy={found.isFetchingNextPage} onMore={more} />
    </>
  );
}
