import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { askInbox } from "../service/ask-inbox.ts";
import { t } from "../texts/texts.ts";
import type { SuggestionSource } from "./suggestions.tsx";

/** Published articles, searched by the service while an agent types after `#`. Their text is inserted. */
export function useArticleSuggestions(): SuggestionSource {
  const [typed, setTyped] = useState<string>();
  const { data, fetchStatus, isPending, isPlaceholderData } = useQuery({
    queryKey: ["articles", "suggested", typed],
    queryFn: ({ signal }) => askInbox("suggestArticles", { query: { q: typed ?? "" }, signal }),
    enabled: typed !== undefined,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    retry: false,
  });
  const searching = fetchStatus === "fetching" && (isPending || isPlaceholderData);
  // What was found for an earlier text is shown only until the answer is here, so not while offline.
  const found = isPlaceholderData && !searching ? undefined : data;
  return useMemo(
    () => ({
      sign: "#",
      opensFor: (text) => /^\p{L}/u.test(text),
      search: setTyped,
      searching,
      none: t("composer.noArticles"),
      suggestions: (found?.articles ?? []).map(({ id, question, text }) => ({
        id,
        label: question,
        hint: text.slice(question.length).trim(),
        insert: text,
      })),
    }),
    [found, searching],
  );
}
