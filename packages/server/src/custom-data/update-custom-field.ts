import type { Operation } from "../context.ts";
import { renameCustomField, type ShownField } from "./custom-data-store.ts";
import { findCustomField } from "./find-custom-field.ts";
import { customFieldName, refuseTakenName } from "./make-custom-field.ts";

/**
 * Renames a field; its values stay. The present name changes nothing and records nothing. The name of another field is refused:
 * a contact may have a value of both.
 *
 * @throws Refusal `not-found`, `invalid` on `name`
 */
export const updateCustomField: Operation<{ fieldId: string; name: string }, ShownField> = {
  name: "update-custom-field",
  mode: "write",
  async run(ctx, { fieldId, name: given }) {
    const before = await findCustomField(ctx, fieldId);
    const name = customFieldName(given);
    if (name === before.name) return before;
    await refuseTakenName(ctx, name);
    const field: ShownField = { id: before.id, name };
    ctx.write(renameCustomField, { team_id: ctx.teamId, ...field });
    ctx.record({ name: "custom-field.updated", field, before });
    return field;
  },
};
