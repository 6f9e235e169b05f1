/** The queries of spam, of held and of automatic emails. No live stream reports it: what waits there is no news. */
import type { SpamItem } from "@frontdesk/core/contract/inbox-spam";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { askInbox } from "../service/ask-inbox.ts";
import { queries } from "../service/queries.ts";

const COUNT_AGAIN_MS = 60_000;

/** For the navigation, up to `SPAM_COUNT_MAX`. */
export const spamCountQuery = queryOptions({
  queryKey: ["spam", "count"],
  queryFn: ({ signal }) => askInbox("listSpam", { query: { limit: 1 }, signal }).then(({ total }) => total),
  refetchInterval: COUNT_AGAIN_MS,
});

export const spamQuery = infiniteQueryOptions({
  queryKey: ["spam", "list"],
  queryFn: ({ pageParam, signal }) => askInbox("listSpam", { query: pageParam ? { before: pageParam } : {}, signal }),
  initialPageParam: "",
  getNextPageParam: ({ next }) => next ?? undefined,
});

export const heldQuery = infiniteQueryOptions({
  queryKey: ["held-mails"],
  queryFn: ({ pageParam, signal }) =>
    askInbox("listHeldMails", { query: pageParam ? { before: pageParam } : {}, signal }),
  initialPageParam: "",
  getNextPageParam: ({ next }) => next ?? undefined,
});

export const automaticQuery = infiniteQueryOptions({
  queryKey: ["automatic-mails"],
  queryFn: ({ pageParam, signal }) =>
    askInbox("listAutomaticMails", { query: pageParam ? { before: pageParam } : {}, signal }),
  initialPageParam: "",
  getNextPageParam: ({ next }) => next ?? undefined,
});

export const spamTextQuery = (id: string) =>
  queryOptions({
    queryKey: ["spam", "text", id],
    queryFn: ({ signal }) => askInbox("getSpamText", { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Takes it out of the list at once. */
export async function spamHandled({ id }: SpamItem): Promise<void> {
  queries.setQueryData(
    spamQuery.queryKey,
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({ ...page, spam: page.spam.filter((each) => each.id !== id) })),
      },
  );
  queries.removeQueries({ queryKey: spamTextQuery(id).queryKey });
  await Promise.all([
    queries.invalidateQueries({ queryKey: spamQuery.queryKey }),
    queries.invalidateQueries({ queryKey: spamCountQuery.queryKey }),
  ]);
}
