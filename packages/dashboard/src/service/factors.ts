import { queryOptions } from "@tanstack/react-query";
import { askSession } from "./ask-session.ts";
import { queries } from "./queries.ts";

/** What the agent signs in with besides the password. */
export const factorsQuery = queryOptions({ queryKey: ["factors"], queryFn: () => askSession("getOwnFactors") });

export const refreshFactors = () => queries.invalidateQueries({ queryKey: factorsQuery.queryKey });
