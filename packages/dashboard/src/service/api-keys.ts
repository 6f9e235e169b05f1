/** The API keys of the team. */
import { queryOptions } from "@tanstack/react-query";
import { askSession } from "./ask-session.ts";

export const apiKeysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: () => askSession("listApiKeys").then(({ keys }) => keys),
});
