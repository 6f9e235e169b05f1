import { inNameOrder } from "@frontdesk/core/domain/name-order";
import type { Operation } from "../context.ts";
import { allCustomFields, type ShownField } from "./custom-data-store.ts";

/** The team's custom fields, by name. Specification: the tool view-custom-fields. */
export const listCustomFields: Operation<Record<never, never>, ShownField[]> = {
  name: "list-custom-fields",
  mode: "read",
  run: async (ctx) => inNameOrder(await ctx.db.all(allCustomFields, { team_id: ctx.teamId })),
};
