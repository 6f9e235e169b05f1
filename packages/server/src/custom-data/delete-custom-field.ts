import type { Operation } from "../context.ts";
import { deleteCustomField as deleteRow, deleteValuesOfField, type ShownField } from "./custom-data-store.ts";
import { findCustomField } from "./find-custom-field.ts";

/**
 * Removes a field with all its values. A repeat is refused as not found. It records one event, and none for each value: there
 * may be as many as contacts.
 *
 * @returns what it was
 * @throws Refusal `not-found`
 */
export const deleteCustomField: Operation<{ fieldId: string }, ShownField> = {
  name: "delete-custom-field",
  mode: "write",
  async run(ctx, { fieldId }) {
    const field = await findCustomField(ctx, fieldId);
    ctx.write(deleteValuesOfField, { team_id: ctx.teamId, field_id: field.id });
    ctx.write(deleteRow, { team_id: ctx.teamId, id: field.id });
    ctx.record({ name: "custom-field.deleted", field });
    return field;
  },
};
