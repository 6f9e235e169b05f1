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
    description: "Letter case matters, the white space around it does not.",
  }),
});

export const listCustomFields = {
  id: "listCustomFields",
  performs: "list-custom-fields",
  method: "GET",
  path: "/custom-fields",
  tag: "Contacts",
  summary: "List custom fields",
  description: "The names that your team's custom data goes by, by name.",
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
  description: "What your team knows of a contact besides its fields, by name.",
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
    "Sets a value of a contact. A name that your team does not use yet becomes a new custom field. A value that is so already stays, and nothing is recorded.",
  params: dataParams,
  body: Type.Object({ value: text(CUSTOM_VALUE_MAX, { description: "Kept as it is; an empty one is a value." }) }),
  responses: { 200: { description: "The value as it is now.", body: messageAndDataOf(CustomDatum) } },
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
  description: "Your team keeps the custom field. What is not there answers 404, so a repeat does.",
  params: dataParams,
  responses: { 200: { description: "The value is gone.", body: messageAlone } },
  errors: [404, 422],
  example: { params: { id: ids.vera, name: "plan" }, response: { message: "Custom data removed." } },
} as const satisfies RestOperation;
