import { inNameOrder } from "@frontdesk/core/domain/name-order";
import type { Operation } from "../context.ts";
import { customFieldsInUse, type FieldInUse } from "./custom-data-store.ts";

/** The team's custom fields by name, each with how many contacts have a value of it: for admins who manage them. */
export const listFieldUse: Operation<Record<never, never>, FieldInUse[]> = {
  name: "list-field-use",
  mode: "read",
  run: async (ctx) => inNameOrder(await ctx.db.all(customFieldsInUse, { team_id: ctx.teamId })),
};
