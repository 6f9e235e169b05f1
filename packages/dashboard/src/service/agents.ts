/** The people of the team, for settings and choices. */
import { eachItem } from "@frontdesk/client";
import { queryOptions } from "@tanstack/react-query";
import { rest } from "./rest.ts";

export type TeamMember = Awaited<ReturnType<typeof rest.listAgents>>["data"][number];

export const agentsQuery = queryOptions({
  queryKey: ["agents"],
  async queryFn() {
    const found: TeamMember[] = [];
    for await (const agent of eachItem(rest.listAgents, { query: { limit: 100 } })) found.push(agent);
    // The built-in AI has no role.
    return found.filter(({ attributes }) => attributes.role !== null);
  },
});
