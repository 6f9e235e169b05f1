import {
  addCustomData,
  removeCustomData,
  updateCustomData,
  viewCustomFields,
} from "@frontdesk/core/contract/tools/custom-data";
import { planDataRemoval } from "../assistants/plans.ts";
import { listCustomFields } from "../custom-data/list-custom-fields.ts";
import { removeCustomData as removeOperation } from "../custom-data/remove-custom-data.ts";
import { type CustomDatum, setCustomData } from "../custom-data/set-custom-data.ts";
import { fitting } from "./fitting.ts";
import { serve, serveConfirmed } from "./served-tool.ts";

export const customDataTools = [
  serve(
    viewCustomFields,
    listCustomFields,
    () => ({}),
    (fields) => ({ custom_fields: fitting(fields.map(({ id, name }) => ({ id, name }))) }),
  ),
  serve(
    addCustomData,
    setCustomData,
    ({ visitor_id, name, value }) => ({ contactId: visitor_id, name, value, mustExist: false }),
    presentDatum,
  ),
  serve(
    updateCustomData,
    setCustomData,
    ({ visitor_id, name, value }) => ({ contactId: visitor_id, name, value, mustExist: true }),
    presentDatum,
  ),
  serveConfirmed(
    removeCustomData,
    removeOperation,
    planDataRemoval,
    ({ visitor_id, name }) => ({ contactId: visitor_id, name }),
    ({ contact, name }) => ({ visitor_id: contact.id, removed_field: name }),
  ),
];

function presentDatum({ contact, name, value }: CustomDatum) {
  return { visitor_id: contact.id, name, value };
}
