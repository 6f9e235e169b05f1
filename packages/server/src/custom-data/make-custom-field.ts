import { CUSTOM_FIELD_NAME_MAX } from "@frontdesk/core/contract/fields";
import { boundedName } from "@frontdesk/core/domain/bounded-text";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Context } from "../context.ts";
import { customFieldByName, insertCustomField, type ShownField } from "./custom-data-store.ts";

/** @throws Refusal `invalid` on `name` */
export const customFieldName = (given: string): string => boundedName("name", given, CUSTOM_FIELD_NAME_MAX);

/** A new field of the team, with a name that is not used yet. */
export function makeCustomField(ctx: Context, name: string): ShownField {
  const field = { id: ctx.newId(), name };
  ctx.write(insertCustomField, { team_id: ctx.teamId, ...field, created_at: ctx.now });
  ctx.record({ name: "custom-field.created", field });
  return field;
}

/** @throws Refusal `invalid` on `name` when the team has a field of this name */
export async function refuseTakenName(ctx: Context, name: string): Promise<void> {
  if (await ctx.db.first(customFieldByName, { team_id: ctx.teamId, name })) {
    throw invalid({ name: "field-name-taken" });
  }
}
