/** The keys that programs of the team work by. */
import { queryOptions } from "@tanstack/react-query";
import { askSession } from "./ask-session.ts";

export const apiKeysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: () => askSession("listApiKeys").then(({ keys }) => keys),
});
