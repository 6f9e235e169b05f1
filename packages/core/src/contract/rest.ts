/** The REST catalogue: every operation by its id. */
import type { RestOperation } from "./operation.ts";
import { getAgent, inviteAgents, listAgents } from "./rest/agents.ts";
import { createArticle, deleteArticle, getArticle, listArticles, updateArticle } from "./rest/articles.ts";
import { assignAgent, unassignAgent } from "./rest/assignments.ts";
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
import {
  listConversations,
  markConversationUnread,
  readConversation,
  sendVisitorMessage,
  setConversationStatus,
} from "./rest/conversations.ts";
import { listContactCustomData, listCustomFields, removeCustomData, setCustomData } from "./rest/custom-data.ts";
import { uploadFile } from "./rest/files.ts";
import { createMessage, listMessages } from "./rest/messages.ts";
import { addTag, listTags, removeTag } from "./rest/tags.ts";
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
import { createWidget, getWidget, listWidgets, makeIdentitySecret, updateWidget } from "./rest/widgets.ts";

export const rest = {
  listWidgets,
  createWidget,
  getWidget,
  updateWidget,
  makeIdentitySecret,
  listContacts,
  getContact,
  updateContact,
  initializeContact,
  listConversations,
  sendVisitorMessage,
  setConversationStatus,
  readConversation,
  markConversationUnread,
  listMessages,
  createMessage,
  uploadFile,
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
  listArticles,
  createArticle,
  getArticle,
  updateArticle,
  deleteArticle,
  listTags,
  addTag,
  removeTag,
  assignAgent,
  unassignAgent,
  listCustomFields,
  listContactCustomData,
  setCustomData,
  removeCustomData,
} as const satisfies Record<string, RestOperation>;
