import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, Outlet, useMatch, useNavigate } from "@tanstack/react-router";
import { BookOpen, Plus } from "lucide-react";
import { useCallback, useState } from "react";
import { rest } from "../service/rest.ts";
import { shortWhen } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { MoreRows } from "../ui/more-rows.tsx";
import { Page } from "../ui/page.tsx";
import { problemText } from "../ui/problem-text.ts";
import { SearchField } from "../ui/search-field.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";

const PAGE_SIZE = 50;

/** The articles of the knowledge base, which assistants and agents answer from. */
export function KnowledgePage() {
  const [q, setQ] = useState("");
  const navigate = useNavigate();
  const open = useMatch({ from: "/signed-in/knowledge/$articleId", shouldThrow: false })?.params.articleId;
  const found = useInfiniteQuery({
    queryKey: ["articles", q],
    queryFn: ({ pageParam, signal }) =>
      rest.listArticles({ query: { page: pageParam, limit: PAGE_SIZE, ...(q && { search: q }) }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ links, meta }) => (links.next ? meta.pagination.current_page + 1 : undefined),
    placeholderData: (before) => before,
  });
  const more = useCallback(() => void found.fetchNextPage(), [found.fetchNextPage]);
  const add = () => navigate({ to: "/knowledge/$articleId", params: { articleId: "new" } });
  const articles = found.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="flex h-full">
      <div className={cx("w-full shrink-0 md:w-80 md:border-line md:border-e", open && "max-md:hidden")}>
        <Page
          title={t("nav.knowledge")}
          actions={
            <Button size="compact" look="primary" onClick={add}>
              <Plus size={14} aria-hidden="true" />
              {t("knowledge.add")}
            </Button>
          }
        >
          <div className="p-3">
            <SearchField label={t("knowledge.search")} value={q} onChange={setQ} />
          </div>
          {found.isPending && <SkeletonRows rows={8} height={56} />}
          {found.isError && <EmptyState icon={BookOpen} title={t("trouble.title")} text={problemText(found.error)} />}
          {found.isSuccess && articles.length === 0 && (
            <EmptyState
              icon={BookOpen}
              title={q ? t("nothingFound") : t("knowledge.none")}
              text={q ? undefined : t("knowledge.noneText")}
            />
          )}
          <ul>
            {articles.map(({ id, attributes: { question, is_published, updated_at } }) => (
              <li key={id} className="border-line border-b">
                <Link
                  to="/knowledge/$articleId"
                  params={{ articleId: id }}
                  className={cx("-outline-offset-2 block px-4 py-2.5", id === open ? "bg-active" : "hover:bg-hover")}
                >
                  <span dir="auto" className="aligned line-clamp-2 font-medium">
                    {question}
                  </span>
                  <span className="mt-1 flex items-center gap-2 text-meta text-subtle">
                    {!is_published && <Badge>{t("knowledge.draft")}</Badge>}
                    <span className="numbers">{shortWhen(updated_at)}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          <MoreRows shown={found.hasNextPage} busy={found.isFetchingNextPage} onMore={more} />
        </Page>
      </div>
      <div className={cx("min-w-0 flex-1", !open && "max-md:hidden")}>
        {open ? (
          <Outlet />
        ) : (
          <EmptyState icon={BookOpen} title={t("knowledge.choose")} text={t("knowledge.chooseText")} />
        )}
      </div>
    </div>
  );
}
