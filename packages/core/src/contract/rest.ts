/** The REST catalogue: every operation by its id. */
import type { RestOperation } from "./operation.ts";
import { getAgent, inviteAgents, listAgents } from "./rest/agents.ts";
import {
  createAssistant,
  getAssistant,
  listAssistantCalls,
  listAssistantPermissions,
  listAssistantQueuedChanges,
  listAssistants,
  pauseAssistant,
  renewAssistantToken,
  resumeAssistant,
  revokeAssistant,
  updateAssistant,
} from "./rest/assistants.ts";
import { getContact, initializeContact, listContacts, updateContact } from "./rest/contacts.ts";
import { listConversations, sendVisitorMessage, setConversationStatus } from "./rest/conversations.ts";
import { createMessage, listMessages } from "./rest/messages.ts";
import {
  activateWebhookSecret,
  getWebhookDelivery,
  listWebhookDeliveries,
  replayFailedWebhookDeliveries,
  replayWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
} from "./rest/webhook-deliveries.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhookEvents,
  listWebhooks,
  updateWebhook,
} from "./rest/webhooks.ts";
import { listWidgets } from "./rest/widgets.ts";

export const rest = {
  listWidgets,
  listContacts,
  getContact,
  updateContact,
  initializeContact,
  listConversations,
  sendVisitorMessage,
  setConversationStatus,
  listMessages,
  createMessage,
  listAgents,
  getAgent,
  inviteAgents,
  listWebhooks,
  createWebhook,
  listWebhookEvents,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  activateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  replayWebhookDelivery,
  replayFailedWebhookDeliveries,
  listAssistants,
  createAssistant,
  listAssistantPermissions,
  getAssistant,
  updateAssistant,
  pauseAssistant,
  resumeAssistant,
  revokeAssistant,
  renewAssistantToken,
  listAssistantCalls,
  listAssistantQueuedChanges,
} as const satisfies Record<string, RestOperation>;
