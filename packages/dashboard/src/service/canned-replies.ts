import { queryOptions } from "@tanstack/react-query";
import { askInbox } from "./ask-inbox.ts";
import { queries } from "./queries.ts";

export const cannedRepliesQuery = queryOptions({
  queryKey: ["canned-replies"],
  queryFn: () => askInbox("listCannedReplies").then(({ canned_replies }) => canned_replies),
  staleTime: 60_000,
});

export const cannedRepliesChanged = () => queries.invalidateQueries({ queryKey: cannedRepliesQuery.queryKey });
