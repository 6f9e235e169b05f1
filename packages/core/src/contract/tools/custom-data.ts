/** The tools on custom data of visitors and the team's custom fields (spec, "Assistant tool interface"; decisions 55, 72). */
import { Type } from "typebox";
import { ids } from "../examples.ts";
import { CUSTOM_FIELD_NAME_MAX, CUSTOM_VALUE_MAX, text, uuid } from "../fields.ts";
import { CHANGES, DESTROYS, READS, type Tool } from "../tool.ts";
import { exampleToken } from "../tool-examples.ts";
import { CONFIRMATION_SENTENCE, confirmationToken, toolInput } from "../tool-fields.ts";
import { ConfirmationRequired, oneShapeOf } from "../tool-resources.ts";

const plan = { name: "Plan", value: "Business" };

export const viewCustomFields = {
  name: "view-custom-fields",
  title: "View custom fields",
  description: "Lists the names of the custom fields that the team keeps about visitors, without any values.",
  permission: "view_custom_fields",
  annotations: READS,
  input: toolInput({}),
  output: Type.Object({ custom_fields: Type.Array(Type.Object({ id: uuid, name: Type.String() })) }),
  performs: "list-custom-fields",
  example: { input: {}, output: { custom_fields: [{ id: ids.customField, name: plan.name }] } },
} as const satisfies Tool;

const name = text(CUSTOM_FIELD_NAME_MAX, { minLength: 1 });
const datum = { visitor_id: uuid, name, value: text(CUSTOM_VALUE_MAX) };
const keptDatum = Type.Object({ visitor_id: uuid, name: Type.String(), value: Type.String() });

export const addCustomData = {
  name: "add-custom-data",
  title: "Add custom data",
  description:
    "Sets a visitor's value of a custom field, and replaces the one that is there. A field that the team does not have yet is created. For a value that must exist already, there is update-custom-data.",
  permission: "add_custom_data",
  annotations: CHANGES,
  input: toolInput(datum),
  output: keptDatum,
  performs: "set-custom-data",
  example: { input: { visitor_id: ids.vera, ...plan }, output: { visitor_id: ids.vera, ...plan } },
} as const satisfies Tool;

export const updateCustomData = {
  name: "update-custom-data",
  title: "Update custom data",
  description:
    "Changes a visitor's value of a custom field. It fails when the visitor has none; add-custom-data sets a first one.",
  permission: "update_custom_data",
  annotations: CHANGES,
  input: toolInput(datum),
  output: keptDatum,
  performs: "set-custom-data",
  example: {
    input: { visitor_id: ids.vera, name: plan.name, value: "Enterprise" },
    output: { visitor_id: ids.vera, name: plan.name, value: "Enterprise" },
  },
} as const satisfies Tool;

export const removeCustomData = {
  name: "remove-custom-data",
  title: "Remove custom data",
  description: `Removes a visitor's value of a custom field; the team keeps the field. ${CONFIRMATION_SENTENCE}`,
  permission: "remove_custom_data",
  annotations: DESTROYS,
  input: toolInput({ visitor_id: uuid, name, confirmation_token: confirmationToken }),
  output: oneShapeOf(ConfirmationRequired, Type.Object({ visitor_id: uuid, removed_field: Type.String() })),
  confirmed: true,
  performs: "remove-custom-data",
  example: {
    input: { visitor_id: ids.vera, name: plan.name, confirmation_token: exampleToken },
    output: { visitor_id: ids.vera, removed_field: plan.name },
  },
} as const satisfies Tool;
