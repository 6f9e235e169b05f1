import type { ArticleOrigin } from "@frontdesk/core/contract/session-sources";
import { useQuery } from "@tanstack/react-query";
import { askSession } from "../service/ask-session.ts";

/** As many as one request can name. */
const ASKED_MAX = 100;

/** Where the articles come from, by their ids; of the first ones of a long list. */
export function useOrigins(ids: readonly string[]): ReadonlyMap<string, ArticleOrigin> {
  const articles = ids.slice(0, ASKED_MAX).join(",");
  const found = useQuery({
    queryKey: ["articles", "origins", articles],
    queryFn: () => askSession("listArticleOrigins", { query: { articles } }),
    enabled: articles !== "",
    placeholderData: (before) => before,
  });
  return new Map(found.data?.origins.map((origin) => [origin.article_id, origin]));
}

/** The page or the file that an article was made from; nothing for one that was written here. */
export function OriginMark({ origin }: { origin: ArticleOrigin | undefined }) {
  const name = origin?.file_name ?? origin?.address?.replace(/^https:\/\//, "");
  if (!name) return null;
  return (
    <span dir="auto" title={name} className="min-w-0 flex-1 truncate">
      {name}
    </span>
  );
}
