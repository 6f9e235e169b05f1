import { inNameOrder } from "@frontdesk/core/domain/name-order";
import type { Operation } from "../context.ts";
import { allTags, type ShownTag } from "./tag-store.ts";

/** The team's tags by name. Specification: the tool view-tags. */
export const listTags: Operation<Record<never, never>, ShownTag[]> = {
  name: "list-tags",
  mode: "read",
  run: async (ctx) => inNameOrder(await ctx.db.all(allTags, { team_id: ctx.teamId })),
};
