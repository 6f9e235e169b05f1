import { inNameOrder } from "@frontdesk/core/domain/name-order";
import type { Operation } from "../context.ts";
import { type TagInUse, tagsInUse } from "./tag-store.ts";

/** The team's tags by name, each with how many conversations have it: for admins who manage them. */
export const listTagUse: Operation<Record<never, never>, TagInUse[]> = {
  name: "list-tag-use",
  mode: "read",
  run: async (ctx) => inNameOrder(await ctx.db.all(tagsInUse, { team_id: ctx.teamId })),
};
