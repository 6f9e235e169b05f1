import type { Operation } from "../context.ts";
import type { ShownField } from "./custom-data-store.ts";
import { customFieldName, makeCustomField, refuseTakenName } from "./make-custom-field.ts";

/**
 * Creates a field without any value. A repeat is refused, like any existing name.
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
