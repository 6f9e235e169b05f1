import { expect, test } from "vitest";
import { chooseFields } from "./choose-fields.ts";
import { conversationDefaultFields, conversationFields } from "./resources.ts";

const choose = (query: { include_fields?: string; exclude_fields?: string }) =>
  chooseFields(conversationFields, conversationDefaultFields, query);

test("without a choice the default fields are answered", () => {
  expect(choose({})).toEqual(conversationDefaultFields);
});

test("include_fields answers those fields and no others", () => {
  expect(choose({ include_fields: "agents,is_resolved,agents" })).toEqual(["is_resolved", "agents"]);
});

test("exclude_fields takes away from the defaults and brings in nothing that must be asked for", () => {
  expect(choose({ exclude_fields: "contact_id,agents" })).toEqual(["is_resolved", "unread_messages", "created_at"]);
});

test("when both are sent, only include_fields applies", () => {
  expect(choose({ include_fields: "contact_id", exclude_fields: "contact_id" })).toEqual(["contact_id"]);
});
