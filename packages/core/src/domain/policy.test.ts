import { expect, test } from "vitest";
import { rest } from "../contract/rest.ts";
import { type AssistantPermission, assistantPermissions, readingPermissions } from "./assistant-permissions.ts";
import {
  type ApiKeyScope,
  apiKeyScopes,
  type OperationName,
  policy,
  policyOf,
  scopesMissingToGrant,
  scopesToGrant,
} from "./policy.ts";

/** The scope that an API key needs, undefined when no key may. */
const scopeOf = (name: OperationName) => (policy[name] as { apiKey?: ApiKeyScope }).apiKey;

test("every REST operation has a row with the scope that an API key needs", () => {
  for (const { id, performs } of Object.values(rest)) expect(apiKeyScopes, id).toContain(scopeOf(performs));
});

test("a reading scope is enough for GET alone, a writing one for everything else", () => {
  for (const { id, method, performs } of Object.values(rest)) {
    // Additions, section 6: one scope for erasing, and for what says how far it is.
    const reads = method === "GET" && scopeOf(performs) !== "privacy:write";
    expect(scopeOf(performs), id).toMatch(reads ? /:read$/ : /:write$/);
  }
});

/** What the inbox's doors perform besides, which take a key as its agent (docs/decisions/0026-inbox.md). */
const inboxOnly: OperationName[] = [
  "return-to-assistant",
  "snooze-conversation",
  "unsnooze-conversation",
  "block-contact",
  "unblock-contact",
  "list-inbox",
  "count-inbox",
  "open-in-inbox",
  "open-contact",
  "read-thread",
  "search-inbox",
  "list-people",
  "send-from-inbox",
  "read-in-inbox",
  "keep-draft",
  "drop-draft",
  "list-drafts",
  "list-canned-replies",
  "write-own-canned-replies",
  "suggest-articles",
  "list-saved-views",
  "write-saved-views",
  "get-preferences",
  "set-preferences",
];

/** Downloads a file whose address `GET /exports/{id}` has given. */
const DOWNLOADS: OperationName[] = ["open-export"];

test("an API key may perform nothing but the REST operations, and the inbox of its agent", () => {
  const names = Object.keys(policy) as OperationName[];
  const rested = Object.values(rest).map(({ performs }) => performs);
  const performed = new Set<string>([...rested, ...inboxOnly, ...DOWNLOADS]);
  expect(names.filter((name) => scopeOf(name) !== undefined && !performed.has(name))).toEqual([]);
});

test("every scope opens something", () => {
  const opened = new Set(Object.values(rest).map(({ performs }) => scopeOf(performs)));
  expect([...apiKeyScopes].filter((scope) => !opened.has(scope))).toEqual([]);
});

const permissions = Object.keys(scopesToGrant) as AssistantPermission[];

test("a permission that changes something needs a writing scope to be given by a key, one that reads needs none", () => {
  expect(permissions.toSorted()).toEqual(Object.keys(assistantPermissions).toSorted());
  for (const permission of permissions) {
    const writes = scopesToGrant[permission].some((scope) => scope.endsWith(":write"));
    expect(writes, permission).toBe(!readingPermissions.includes(permission));
  }
});

test("what a key may do itself in an operation, it may give to an assistant for it, and nothing less is enough", () => {
  for (const name of Object.keys(policy) as OperationName[]) {
    const { apiKey, assistant = [] } = policyOf(name);
    if (apiKey === undefined) continue;
    for (const permission of assistant) expect(scopesToGrant[permission], `${permission}, ${name}`).toContain(apiKey);
  }
});

test("the scopes that are missing to give permissions are named once each", () => {
  expect(scopesMissingToGrant(["send_replies", "add_tags", "assign_conversations"], ["assistants:write"])).toEqual([
    "conversations:write",
    "agents:read",
  ]);
  expect(scopesMissingToGrant(permissions, apiKeyScopes)).toEqual([]);
  expect(scopesMissingToGrant(["search_knowledge_base"], ["assistants:write"])).toEqual(["knowledge:read"]);
});

/** The operations whose row has the column. */
const openTo = (column: "automation" | "channel" | "ai") =>
  (Object.keys(policy) as OperationName[]).filter((name) => policyOf(name)[column] === true).toSorted();

test("what acts by itself may do a few things with a conversation, and nothing with settings or access", () => {
  expect(openTo("automation")).toEqual([
    "add-note",
    "add-tag",
    "assign-agent",
    "remove-tag",
    "send-message",
    "set-conversation-status",
    "set-custom-data",
    "snooze-conversation",
    "unassign-agent",
    "unsnooze-conversation",
  ]);
  expect(openTo("ai")).toEqual([
    "add-note",
    "add-tag",
    "end-ai-turn",
    "note-handoff-summary",
    "read-messages",
    "request-handoff",
    "search-articles",
    "send-message",
    "set-conversation-status",
  ]);
  const opened = [...openTo("automation"), ...openTo("channel"), ...openTo("ai")];
  expect(opened.filter((name) => policyOf(name).audited)).toEqual([]);
});
