/** The tool catalogue: the 21 tools by their names, in the order of the specification ("Assistant tool interface"). */
import type { Tool } from "./tool.ts";
import { assignConversation, listAgents } from "./tools/agents.ts";
import { handoffToHuman, resolveConversation, unresolveConversation } from "./tools/conversation-status.ts";
import { getConversation, listConversations, searchConversations } from "./tools/conversations.ts";
import { addCustomData, removeCustomData, updateCustomData, viewCustomFields } from "./tools/custom-data.ts";
import { searchKnowledgeBase } from "./tools/knowledge.ts";
import { addNote, listConversationMessages, sendMessage } from "./tools/messages.ts";
import { addTag, removeTag, viewTags } from "./tools/tags.ts";
import { getVisitor, searchContacts } from "./tools/visitors.ts";

export const tools = {
  "list-conversations": listConversations,
  "get-conversation": getConversation,
  "list-conversation-messages": listConversationMessages,
  "search-conversations": searchConversations,
  "get-visitor": getVisitor,
  "search-contacts": searchContacts,
  "search-knowledge-base": searchKnowledgeBase,
  "view-tags": viewTags,
  "view-custom-fields": viewCustomFields,
  "list-agents": listAgents,
  "send-message": sendMessage,
  "resolve-conversation": resolveConversation,
  "unresolve-conversation": unresolveConversation,
  "assign-conversation": assignConversation,
  "add-note": addNote,
  "add-tag": addTag,
  "remove-tag": removeTag,
  "add-custom-data": addCustomData,
  "update-custom-data": updateCustomData,
  "remove-custom-data": removeCustomData,
  "handoff-to-human": handoffToHuman,
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;
