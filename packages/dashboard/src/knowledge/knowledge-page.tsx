import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, Outlet, useMatch, useNavigate } from "@tanstack/react-router";
import { BookOpen, Library, Plus } from "lucide-react";
import { Suspense, useCallback, useState } from "react";
import { useMay } from "../service/me.ts";
import { rest } from "../service/rest.ts";
import { shortWhen } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { Badge } from "../ui/badge.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { MoreRows } from "../ui/more-rows.tsx";
import { Page } from "../ui/page.tsx";
import { problemText } from "../ui/problem-text.ts";
import { SearchField } from "../ui/search-field.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Switch } from "../ui/switch.tsx";
import { OriginMark, useOrigins } from "./article-origins.tsx";

const PAGE_SIZE = 50;

const SourcesDialog = lazyPart(() => import("./sources-dialog.tsx"), "SourcesDialog");

/** The articles of the knowledge base, which assistants and agents answer from. */
export function KnowledgePage() {
  const [q, setQ] = useState("");
  const [draftsOnly, setDraftsOnly] = useState(false);
  const [showsSources, setShowsSources] = useState(false);
  const mayAddSites = useMay("add-site");
  const navigate = useNavigate();
  const open = useMatch({ from: "/signed-in/knowledge/$articleId", shouldThrow: false })?.params.articleId;
  const found = useInfiniteQuery({
    queryKey: ["articles", q, draftsOnly],
    queryFn: ({ pageParam, signal }) =>
      rest.listArticles({
        query: { page: pageParam, limit: PAGE_SIZE, ...(q ? { search: q } : draftsOnly && { status: "draft" }) },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ links, meta }) => (links.next ? meta.pagination.current_page + 1 : undefined),
    placeholderData: (before) => before,
  });
  const more = useCallback(() => void found.fetchNextPage(), [found.fetchNextPage]);
  const add = () => navigate({ to: "/knowledge/$articleId", params: { articleId: "new" } });
  const articles = found.data?.pages.flatMap(({ data }) => data) ?? [];
  const origins = useOrigins(articles.map(({ id }) => id));
  return (
    <div className="flex h-full">
      {showsSources && (
        <Suspense>
          <SourcesDialog mayAddSites={mayAddSites} onClose={() => setShowsSources(false)} />
        </Suspense>
      )}
      <div className={cx("w-full shrink-0 md:w-80 md:border-line md:border-e", open && "max-md:hidden")}>
        <Page
          title={t("nav.knowledge")}
          actions={
            <>
              <IconButton label={t("sources.title")} onClick={() => setShowsSources(true)}>
                <Library size={16} />
              </IconButton>
              <Button size="compact" look="primary" onClick={add}>
                <Plus size={14} aria-hidden="true" />
                {t("knowledge.add")}
              </Button>
            </>
          }
        >
          <div className="flex flex-col gap-2 p-3">
            <SearchField label={t("knowledge.search")} value={q} onChange={setQ} />
            {!q && <Switch label={t("sources.drafts")} checked={draftsOnly} onChange={setDraftsOnly} />}
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
                    <OriginMark origin={origins.get(id)} />
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
