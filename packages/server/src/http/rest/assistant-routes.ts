import { rest } from "@frontdesk/core/contract";
import { createAssistant } from "../../assistants/create-assistant.ts";
import { getAssistant } from "../../assistants/get-assistant.ts";
import { listAssistantPermissions } from "../../assistants/list-assistant-permissions.ts";
import { listAssistants } from "../../assistants/list-assistants.ts";
import { listQueuedChanges } from "../../assistants/list-queued-changes.ts";
import { listToolCalls } from "../../assistants/list-tool-calls.ts";
import { presentAssistant, presentCreatedAssistant } from "../../assistants/present-assistant.ts";
import { presentQueuedChange } from "../../assistants/present-queued-change.ts";
import { presentToolCall } from "../../assistants/present-tool-call.ts";
import { renewAssistantToken } from "../../assistants/renew-assistant-token.ts";
import { setAssistantState, updateAssistant } from "../../assistants/update-assistant.ts";
import { listBody, pageOf } from "./list-body.ts";
import { endpoint } from "./rest-endpoint.ts";

export const assistantRoutes = [
  endpoint(
    rest.listAssistants,
    listAssistants,
    ({ query }) => pageOf(query),
    (listed, { url, query }) => listBody(url, pageOf(query), listed, presentAssistant),
  ),
  endpoint(
    rest.createAssistant,
    createAssistant,
    ({ body }) => ({
      name: body.name,
      permissions: body.permissions,
      widgets: body.widgets,
      channels: body.channels ?? [],
      agentId: body.agent_id ?? null,
    }),
    ({ assistant, token }) => ({
      message: "Assistant connected.",
      data: presentCreatedAssistant(assistant, token),
    }),
  ),
  endpoint(
    rest.listAssistantPermissions,
    listAssistantPermissions,
    () => ({}),
    (permissions) => ({ data: [...permissions] }),
  ),
  endpoint(
    rest.getAssistant,
    getAssistant,
    ({ params }) => ({ assistantId: params.assistant }),
    (assistant) => ({ data: presentAssistant(assistant) }),
  ),
  endpoint(
    rest.updateAssistant,
    updateAssistant,
    ({ params, body }) => ({
      assistantId: params.assistant,
      change: {
        name: body.name,
        permissions: body.permissions,
        widgets: body.widgets,
        channels: body.channels,
        agentId: body.agent_id,
      },
    }),
    (assistant) => ({ message: "Assistant updated.", data: presentAssistant(assistant) }),
  ),
  endpoint(
    rest.pauseAssistant,
    setAssistantState,
    ({ params }) => ({ assistantId: params.assistant, state: "paused" as const }),
    (assistant) => ({ message: "The assistant is paused.", data: presentAssistant(assistant) }),
  ),
  endpoint(
    rest.resumeAssistant,
    setAssistantState,
    ({ params }) => ({ assistantId: params.assistant, state: "active" as const }),
    (assistant) => ({ message: "The assistant is active.", data: presentAssistant(assistant) }),
  ),
  endpoint(
    rest.revokeAssistant,
    setAssistantState,
    ({ params }) => ({ assistantId: params.assistant, state: "revoked" as const }),
    (assistant) => ({ message: "The assistant is revoked.", data: presentAssistant(assistant) }),
  ),
  endpoint(
    rest.renewAssistantToken,
    renewAssistantToken,
    ({ params }) => ({ assistantId: params.assistant }),
    ({ assistant, token }) => ({
      message: "The old token no longer works.",
      data: presentCreatedAssistant(assistant, token),
    }),
  ),
  endpoint(
    rest.listAssistantCalls,
    listToolCalls,
    ({ params, query }) => ({ assistantId: params.assistant, ...pageOf(query) }),
    (listed, { url, query }) => listBody(url, pageOf(query), listed, presentToolCall),
  ),
  endpoint(
    rest.listAssistantQueuedChanges,
    listQueuedChanges,
    ({ params, query }) => ({ assistantId: params.assistant, ...pageOf(query) }),
    (listed, { url, query }) => listBody(url, pageOf(query), listed, presentQueuedChange),
  ),
];
