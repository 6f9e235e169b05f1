/**
 * The REST operations on connections of assistants, what they have called and what they have queued. All of them are ours:
 * the spec leaves them to the dashboard ("Assistant tool interface"; decisions 49 to 51, 60, A48).
 */
import { Type } from "typebox";
import { assistantPermissionNames } from "../../domain/assistant-permissions.ts";
import { channelsToGrant } from "../../domain/channel.ts";
import { assistantPermissionDescriptors } from "../assistant-permission-list.ts";
import { assistant, assistantCall, grant, ids, listOfOne, queuedChange } from "../examples.ts";
import { allOr, choice, idOf, NAME_MAX, nullable, pageQuery, text } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import {
  Assistant,
  AssistantCall,
  AssistantPermissionDescriptor,
  CreatedAssistant,
  dataOf,
  listOf,
  messageAndDataOf,
  QueuedChange,
} from "../resources.ts";

/** Most names in a grant, repeats counted; our choice, the spec leaves it open. */
const GRANTED_MAX = 100;

const assistantParams = Type.Object({ assistant: idOf("the connection") });
const pages = pageQuery({ default: 20, max: 100 });

const name = text(NAME_MAX, { minLength: 1, description: "A name to tell connections apart." });
const permissions = allOr(choice(assistantPermissionNames), {
  maxItems: GRANTED_MAX,
  description: "What it can do: `all` current permissions, or these.",
});
const widgets = allOr(idOf("a widget"), {
  maxItems: GRANTED_MAX,
  description: "The widgets whose conversations and contacts it can see: `all`, including future ones, or these.",
});
const channels = allOr(choice(channelsToGrant), {
  maxItems: GRANTED_MAX,
  description:
    "The channels whose conversations it can see in addition to the website: `all`, including future ones, or these.",
});
const agentId = nullable(Type.String({ description: "The agent it replies as. If null, it cannot reply." }));

/** For the operations that can give a connection more permissions. */
const bounded = "A key can only grant what its own scopes cover. Anything else returns 403.";

export const listAssistants = {
  id: "listAssistants",
  performs: "list-assistants",
  method: "GET",
  path: "/assistants",
  tag: "Assistants",
  summary: "List assistants",
  description: "The team's assistant connections, oldest first, including revoked ones. Tokens are not included.",
  query: Type.Object(pages),
  responses: { 200: { description: "A page of connections.", body: listOf(Assistant) } },
  errors: [422],
  example: { query: { page: 1, limit: 20 }, response: listOfOne("/assistants", assistant, 20) },
} as const satisfies RestOperation;

const withToken = {
  ...assistant,
  attributes: { ...assistant.attributes, last_used_at: null, token: "fd_assistant_an-example-not-a-real-token" },
};

export const createAssistant = {
  id: "createAssistant",
  performs: "create-assistant",
  method: "POST",
  path: "/assistants",
  tag: "Assistants",
  summary: "Connect an assistant",
  description: `Creates a connection. The response contains its bearer token, which is shown only once. If \`channels\` is omitted, no channel is granted. Without an \`agent_id\`, the connection cannot reply. ${bounded}`,
  body: Type.Object({
    name,
    permissions,
    widgets,
    channels: Type.Optional(channels),
    agent_id: Type.Optional(agentId),
  }),
  responses: {
    201: { description: "The connection with its token.", body: messageAndDataOf(CreatedAssistant) },
  },
  errors: [422],
  retrySafe: true,
  example: { body: grant, response: { message: "Assistant connected.", data: withToken } },
} as const satisfies RestOperation;

export const listAssistantPermissions = {
  id: "listAssistantPermissions",
  performs: "list-assistant-permissions",
  method: "GET",
  path: "/assistants/permissions",
  tag: "Assistants",
  summary: "List permissions",
  description: "Every permission that a connection can have, with a label, an explanation and the tools it enables.",
  responses: {
    200: { description: "The permissions.", body: Type.Object({ data: Type.Array(AssistantPermissionDescriptor) }) },
  },
  errors: [],
  example: { response: { data: assistantPermissionDescriptors.slice(0, 2) } },
} as const satisfies RestOperation;

export const getAssistant = {
  id: "getAssistant",
  performs: "get-assistant",
  method: "GET",
  path: "/assistants/{assistant}",
  tag: "Assistants",
  summary: "Get an assistant",
  description: "One connection, without its token.",
  params: assistantParams,
  responses: { 200: { description: "The connection.", body: dataOf(Assistant) } },
  errors: [404],
  example: { params: { assistant: ids.assistant }, response: { data: assistant } },
} as const satisfies RestOperation;

export const updateAssistant = {
  id: "updateAssistant",
  performs: "update-assistant",
  method: "PATCH",
  path: "/assistants/{assistant}",
  tag: "Assistants",
  summary: "Update an assistant",
  description: `Sets the fields you send and leaves the others unchanged. At least one field is required. Its tools change immediately. A revoked connection cannot be changed (422). ${bounded}`,
  params: assistantParams,
  // As with a contact: a body that names no known field passes here and is refused by the operation.
  body: Type.Object(
    {
      name: Type.Optional(name),
      permissions: Type.Optional(permissions),
      widgets: Type.Optional(widgets),
      channels: Type.Optional(channels),
      agent_id: Type.Optional(agentId),
    },
    { minProperties: 1 },
  ),
  responses: { 200: { description: "The updated connection.", body: messageAndDataOf(Assistant) } },
  errors: [404, 422],
  example: {
    params: { assistant: ids.assistant },
    body: { permissions: grant.permissions, widgets: grant.widgets, agent_id: ids.ada },
    response: { message: "Assistant updated.", data: assistant },
  },
} as const satisfies RestOperation;

export const pauseAssistant = {
  id: "pauseAssistant",
  performs: "set-assistant-state",
  method: "POST",
  path: "/assistants/{assistant}/pause",
  tag: "Assistants",
  summary: "Pause an assistant",
  description:
    "Disables its tools until it is resumed. Its token does not change. A paused connection stays paused. A revoked one returns 422.",
  params: assistantParams,
  responses: { 200: { description: "The connection, paused.", body: messageAndDataOf(Assistant) } },
  errors: [404, 422],
  example: {
    params: { assistant: ids.assistant },
    response: {
      message: "The assistant is paused.",
      data: { ...assistant, attributes: { ...assistant.attributes, state: "paused", is_live: false } },
    },
  },
} as const satisfies RestOperation;

export const resumeAssistant = {
  id: "resumeAssistant",
  performs: "set-assistant-state",
  method: "POST",
  path: "/assistants/{assistant}/resume",
  tag: "Assistants",
  summary: "Resume an assistant",
  description: `Enables the tools of a paused connection again. An active connection stays active. A revoked one returns 422. ${bounded}`,
  params: assistantParams,
  responses: { 200: { description: "The connection, active.", body: messageAndDataOf(Assistant) } },
  errors: [404, 422],
  example: {
    params: { assistant: ids.assistant },
    response: { message: "The assistant is active.", data: assistant },
  },
} as const satisfies RestOperation;

export const revokeAssistant = {
  id: "revokeAssistant",
  performs: "set-assistant-state",
  method: "POST",
  path: "/assistants/{assistant}/revoke",
  tag: "Assistants",
  summary: "Revoke an assistant",
  description:
    "Revokes the connection permanently: its token never works again. Its log is kept. A repeated request changes nothing.",
  params: assistantParams,
  responses: { 200: { description: "The connection, revoked.", body: messageAndDataOf(Assistant) } },
  errors: [404],
  example: {
    params: { assistant: ids.assistant },
    response: {
      message: "The assistant is revoked.",
      data: { ...assistant, attributes: { ...assistant.attributes, state: "revoked", is_live: false } },
    },
  },
} as const satisfies RestOperation;

export const renewAssistantToken = {
  id: "renewAssistantToken",
  performs: "renew-assistant-token",
  method: "POST",
  path: "/assistants/{assistant}/token",
  tag: "Assistants",
  summary: "Create a new token",
  description: `Creates a new bearer token, shown only in this response. The old one stops working immediately. A paused connection stays paused. A revoked one returns 422, and so does the connection of an app, which gets its tokens itself. ${bounded}`,
  params: assistantParams,
  responses: {
    200: { description: "The connection with its new token.", body: messageAndDataOf(CreatedAssistant) },
  },
  errors: [404, 422],
  retrySafe: true,
  example: {
    params: { assistant: ids.assistant },
    response: { message: "The old token no longer works.", data: withToken },
  },
} as const satisfies RestOperation;

export const listAssistantCalls = {
  id: "listAssistantCalls",
  performs: "list-tool-calls",
  method: "GET",
  path: "/assistants/{assistant}/calls",
  tag: "Assistants",
  summary: "List calls",
  description:
    "The calls of a connection in the last 90 days, newest first, at most 100,000, with their arguments. These include what it wrote and searched for. If the key lacks the scopes for what a tool does, `arguments` is empty and `message` is null. Calls that changed nothing appear within a second.",
  params: assistantParams,
  query: Type.Object(pages),
  responses: { 200: { description: "A page of calls.", body: listOf(AssistantCall) } },
  errors: [404, 422],
  example: {
    params: { assistant: ids.assistant },
    query: { page: 1, limit: 20 },
    response: listOfOne(`/assistants/${ids.assistant}/calls`, assistantCall, 20),
  },
} as const satisfies RestOperation;

export const listAssistantQueuedChanges = {
  id: "listAssistantQueuedChanges",
  performs: "list-queued-changes",
  method: "GET",
  path: "/assistants/{assistant}/queued-changes",
  tag: "Assistants",
  summary: "List queued changes",
  description:
    "Bulk changes requested by a connection, one entry for each conversation, newest first: pending changes, and the results of those that finished in the last 90 days.",
  params: assistantParams,
  query: Type.Object(pages),
  responses: { 200: { description: "A page of queued changes.", body: listOf(QueuedChange) } },
  errors: [404, 422],
  example: {
    params: { assistant: ids.assistant },
    query: { page: 1, limit: 20 },
    response: listOfOne(`/assistants/${ids.assistant}/queued-changes`, queuedChange, 20),
  },
} as const satisfies RestOperation;
