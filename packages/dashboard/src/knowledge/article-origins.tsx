import type { ArticleOrigin } from "@frontdesk/core/contract/session-sources";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { askSession } from "../service/ask-session.ts";
import { t } from "../texts/texts.ts";

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

/** The page, the file or the conversation that an article was made from; nothing for one that was written here. */
export function OriginMark({ origin }: { origin: ArticleOrigin | undefined }) {
  const of = origin?.source === "conversation" ? t("sources.conversation") : undefined;
  const name = origin?.file_name ?? origin?.address?.replace(/^https:\/\//, "") ?? of;
  if (!name) return null;
  return (
    <span dir="auto" title={name} className="min-w-0 flex-1 truncate">
      {name}
    </span>
  );
}

/** For the reviewer of an article from a conversation: the way there, until that is erased. */
export function ConversationOrigin({ articleId }: { articleId: string }) {
  const origin = useOrigins([articleId]).get(articleId);
  if (origin?.source !== "conversation") return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-meta text-muted">
      {t("sources.fromConversation")}
      {origin.conversation_id && (
        <Link
          to="/inbox/$conversationId"
          params={{ conversationId: origin.conversation_id }}
          search={{ view: "all" }}
          className="text-accent-text underline-offset-2 hover:underline"
        >
          {t("openConversation")}
        </Link>
      )}
    </p>
  );
}
