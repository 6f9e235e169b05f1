import { CUSTOM_FIELD_NAME_MAX } from "@frontdesk/core/contract/fields";
import { boundedName } from "@frontdesk/core/domain/bounded-text";
import { notFound } from "@frontdesk/core/domain/refusal";
import { doer, type NamedDoer } from "../agents/acting-agent.ts";
import { findContact } from "../contacts/find-contact.ts";
import type { Operation } from "../context.ts";
import { customFieldByName, customValue, deleteCustomValue } from "./custom-data-store.ts";
import type { CustomDatum } from "./set-custom-data.ts";

/**
 * Removes custom data of a contact, and returns what it was; the team keeps the field. A missing value is refused, and so is a
 * repeat. Specification: the tool remove-custom-data, "Event kinds".
 *
 * @throws Refusal `invalid` on `name`, `not-found` for the contact, and for the data
 */
export const removeCustomData: Operation<{ contactId: string; name: string; by?: NamedDoer | undefined }, CustomDatum> =
  {
    name: "remove-custom-data",
    mode: "write",
    async run(ctx, { contactId, name: given, by }) {
      const name = boundedName("name", given, CUSTOM_FIELD_NAME_MAX);
      const contact = await findContact(ctx, contactId);
      const removedBy = await doer(ctx, by);
      const field = await ctx.db.first(customFieldByName, { team_id: ctx.teamId, name });
      const key = field && { team_id: ctx.teamId, contact_id: contact.id, field_id: field.id };
      const before = key && (await ctx.db.first(customValue, key));
      if (!before) throw notFound("custom-data");

      ctx.write(deleteCustomValue, key);
      ctx.record({ name: "custom.data.removed", contact, customData: { name, value: before.value }, removedBy });
      return { contact, field_id: key.field_id, name, ...before };
    },
  };
