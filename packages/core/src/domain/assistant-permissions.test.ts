import { expect, test } from "vitest";
import { assistantPermissionNames, assistantPermissions, readingPermissions } from "./assistant-permissions.ts";

test("there are the 18 permissions of the specification, in its order", () => {
  expect(assistantPermissionNames).toEqual([
    "read_conversations",
    "read_conversation_messages",
    "read_visitor_details",
    "search_contacts",
    "search_knowledge_base",
    "view_tags",
    "view_custom_fields",
    "assign_conversations",
    "send_replies",
    "resolve_conversations",
    "unresolve_conversations",
    "add_notes",
    "add_tags",
    "remove_tags",
    "add_custom_data",
    "update_custom_data",
    "remove_custom_data",
    "request_human_handoff",
  ]);
});

test("seven of them only read", () => {
  expect(readingPermissions).toEqual(assistantPermissionNames.slice(0, 7));
});

test("each says what it allows: a few words, and one sentence", () => {
  for (const { label, explanation } of Object.values(assistantPermissions)) {
    expect(label).toMatch(/^[A-Z][a-z -]+$/);
    expect(explanation).toMatch(/^[A-Z].+\.$/);
  }
  const labels = Object.values(assistantPermissions).map(({ label }) => label);
  expect(new Set(labels).size).toBe(18);
});
