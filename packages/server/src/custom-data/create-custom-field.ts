import type { Operation } from "../context.ts";
import type { ShownField } from "./custom-data-store.ts";
import { customFieldName, makeCustomField, refuseTakenName } from "./make-custom-field.ts";

/**
 * Makes a field that no contact has a value of yet. A repeat is refused, as any name is that the team has.
 *
 * @throws Refusal `invalid` on `name`
 */
export const createCustomField: Operation<{ name: string }, ShownField> = {
  name: "create-custom-field",
  mode: "write",
  async run(ctx, { name: given }) {
    const name = customFieldName(given);
    await refuseTakenName(ctx, name);
    return makeCustomField(ctx, name);
  },
};
