/** The REST operations on custom data of contacts, ours beside the tools for it (decisions 46, A35, A57). */
import { Type } from "typebox";
import { customData, customField, ids, listOfOne } from "../examples.ts";
import { CUSTOM_FIELD_NAME_MAX, CUSTOM_VALUE_MAX, idOf, pageQuery, text } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { CustomDatum, CustomField, listOf, messageAlone, messageAndDataOf } from "../resources.ts";

const pages = pageQuery({ default: 20, max: 100 });
const contactParams = Type.Object({ id: idOf("the contact") });
const dataParams = Type.Object({
  id: idOf("the contact"),
  name: text(CUSTOM_FIELD_NAME_MAX, {
    minLength: 1,
    description: "Case-sensitive. Surrounding white space is ignored.",
  }),
});

export const listCustomFields = {
  id: "listCustomFields",
  performs: "list-custom-fields",
  method: "GET",
  path: "/custom-fields",
  tag: "Contacts",
  summary: "List custom fields",
  description: "The names of your team's custom fields, sorted by name.",
  query: Type.Object(pages),
  responses: { 200: { description: "A page of custom fields.", body: listOf(CustomField) } },
  errors: [422],
  example: { query: { page: 1, limit: 20 }, response: listOfOne("/custom-fields", customField, 20) },
} as const satisfies RestOperation;

export const listContactCustomData = {
  id: "listContactCustomData",
  performs: "list-custom-data",
  method: "GET",
  path: "/contacts/{id}/custom-data",
  tag: "Contacts",
  summary: "List custom data",
  description: "Custom data of a contact, sorted by name.",
  params: contactParams,
  query: Type.Object(pages),
  responses: { 200: { description: "A page of custom data.", body: listOf(CustomDatum) } },
  errors: [404, 422],
  example: {
    params: { id: ids.vera },
    query: { page: 1, limit: 20 },
    response: listOfOne(`/contacts/${ids.vera}/custom-data`, customData, 20),
  },
} as const satisfies RestOperation;

export const setCustomData = {
  id: "setCustomData",
  performs: "set-custom-data",
  method: "PUT",
  path: "/contacts/{id}/custom-data/{name}",
  tag: "Contacts",
  summary: "Set custom data",
  description:
    "Sets a value for a contact. A new name creates a custom field. If the value is unchanged, nothing is recorded.",
  params: dataParams,
  body: Type.Object({ value: text(CUSTOM_VALUE_MAX, { description: "Stored as it is. An empty string is a value." }) }),
  responses: { 200: { description: "The updated value.", body: messageAndDataOf(CustomDatum) } },
  errors: [404, 422],
  example: {
    params: { id: ids.vera, name: "plan" },
    body: { value: "Business" },
    response: { message: "Custom data set.", data: customData },
  },
} as const satisfies RestOperation;

export const removeCustomData = {
  id: "removeCustomData",
  performs: "remove-custom-data",
  method: "DELETE",
  path: "/contacts/{id}/custom-data/{name}",
  tag: "Contacts",
  summary: "Remove custom data",
  description: "Your team keeps the custom field. A missing value returns 404, so a repeated request does too.",
  params: dataParams,
  responses: { 200: { description: "The value is removed.", body: messageAlone } },
  errors: [404, 422],
  example: { params: { id: ids.vera, name: "plan" }, response: { message: "Custom data removed." } },
} as const satisfies RestOperation;
