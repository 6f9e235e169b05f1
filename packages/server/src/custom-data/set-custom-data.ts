import { CUSTOM_VALUE_MAX } from "@frontdesk/core/contract/fields";
import { boundedText } from "@frontdesk/core/domain/bounded-text";
import { type DetailSource, sourceAfter } from "@frontdesk/core/domain/detail-source";
import { notFound } from "@frontdesk/core/domain/refusal";
import { doer, type NamedDoer } from "../agents/acting-agent.ts";
import { findContact } from "../contacts/find-contact.ts";
import type { Context, Operation } from "../context.ts";
import type { Doer, NamedValue } from "../events/event.ts";
import type { ContactRow } from "../storage/tables.ts";
import {
  type CustomValueRow,
  customFieldByName,
  customValue,
  insertCustomValue,
  updateCustomValue,
} from "./custom-data-store.ts";
import { customFieldName, makeCustomField } from "./make-custom-field.ts";

export interface NewCustomData {
  contactId: string;
  /** 1 to 100 characters. Letter case matters, the white space around it does not. */
  name: string;
  /** Up to 1,000 characters, stored unchanged. */
  value: string;
  /** True: only an existing value is changed, and a missing one is refused (decision 55). */
  mustExist: boolean;
  by?: NamedDoer | undefined;
}

/** A value of a contact under its name. */
export interface CustomDatum extends CustomValueRow {
  contact: ContactRow;
}

/**
 * Sets custom data of a contact; the team gets a field of this name when it has none. An unchanged value records no second
 * event. Specification: the tools add-custom-data and update-custom-data; decisions 46, 55.
 *
 * @throws Refusal `invalid` on `name` or `value`, `not-found` for the contact, and for the data when it must exist
 */
export const setCustomData: Operation<NewCustomData, CustomDatum> = {
  name: "set-custom-data",
  mode: "write",
  async run(ctx, { contactId, name: given, value: wanted, mustExist, by }) {
    const name = customFieldName(given);
    const value = boundedText("value", wanted, CUSTOM_VALUE_MAX);
    const contact = await findContact(ctx, contactId);
    return setCustomValue(ctx, contact, { name, value }, { by: await doer(ctx, by), source: "team" }, mustExist);
  },
};

/**
 * The same for a contact that was found, with a validated name and value.
 *
 * @throws Refusal `not-found` when the value must exist and does not
 */
export async function setCustomValue(
  ctx: Context,
  contact: ContactRow,
  { name, value }: NamedValue,
  { by: assignedBy, source: given }: { by: Doer; source: DetailSource },
  mustExist = false,
): Promise<CustomDatum> {
  const known = await ctx.db.first(customFieldByName, { team_id: ctx.teamId, name });
  const key = { team_id: ctx.teamId, contact_id: contact.id };
  const before = known && (await ctx.db.first(customValue, { ...key, field_id: known.id }));
  if (mustExist && !before) throw notFound("custom-data");
  const isNew = before?.value !== value;
  const source = sourceAfter((before?.source ?? null) as DetailSource | null, given, { isNew });
  if (known && before && !isNew) {
    if (source !== before.source) ctx.write(updateCustomValue, { ...key, field_id: known.id, ...before, source });
    return { contact, field_id: known.id, name, ...before, source };
  }

  const field = known ?? makeCustomField(ctx, name);
  const row = { ...key, field_id: field.id, value, updated_at: ctx.now, source };
  ctx.write(before ? updateCustomValue : insertCustomValue, row);
  ctx.record({ name: "custom.data.assigned", contact, customData: { name, value }, assignedBy });
  return { contact, field_id: field.id, name, value, updated_at: ctx.now, source };
}
