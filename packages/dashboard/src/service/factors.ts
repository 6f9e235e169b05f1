import { queryOptions } from "@tanstack/react-query";
import { askSession } from "./ask-session.ts";
import { queries } from "./queries.ts";

/** What the agent signs in with besides the password. */
export const factorsQuery = queryOptions({ queryKey: ["factors"], queryFn: () => askSession("getOwnFactors") });

/** The agents of the team who have a second factor. */
export const agentsWithFactorQuery = queryOptions({
  queryKey: ["agents", "with-factor"],
  queryFn: () => askSession("listAgentsWithFactor").then(({ agent_ids }) => new Set(agent_ids)),
});

export const refreshFactors = () => queries.invalidateQueries({ queryKey: factorsQuery.queryKey });
