import type { CustomDatum, CustomField } from "@frontdesk/core/contract";
import { isoTime } from "../timestamp.ts";
import type { CustomValueRow, ShownField } from "./custom-data-store.ts";

/** A custom field as the REST API shows it (decision A57). */
export function presentCustomField({ id, name }: ShownField): CustomField {
  return { type: "custom-field", id, attributes: { name } };
}

/** A value of a contact; within the contact its id is its field's. */
export function presentCustomData({ field_id, name, value, updated_at }: CustomValueRow): CustomDatum {
  return { type: "custom-data", id: field_id, attributes: { name, value, updated_at: isoTime(updated_at) } };
}
