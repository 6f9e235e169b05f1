/** The tools that read conversations (spec, "Assistant tool interface"; decisions 59, 62). */
import { Type } from "typebox";
import { ids, moments } from "../examples.ts";
import { choice, uuid } from "../fields.ts";
import { READS, type Tool } from "../tool.ts";
import { ada, foundConversation, listedConversation, vera, whereabouts } from "../tool-examples.ts";
import { defaulted, limit, page, searchInput, toolInput } from "../tool-fields.ts";
import { FoundConversation, ToolConversation, ToolPagination, WholeToolConversation } from "../tool-resources.ts";

export const listConversations = {
  name: "list-conversations",
  title: "List conversations",
  description:
    "Lists conversations, newest first, with the contact and the last message of each, up to 100 a page. To find one by a name or a word, there is search-conversations.",
  permission: "read_conversations",
  annotations: READS,
  input: toolInput({
    status: defaulted(choice(["all", "unresolved", "resolved"], { default: "all" })),
    page: defaulted(page),
    per_page: defaulted(limit({ default: 25, max: 100 })),
  }),
  output: Type.Object({ conversations: Type.Array(ToolConversation), pagination: ToolPagination }),
  performs: "browse-conversations",
  example: {
    input: { status: "unresolved", page: 1, per_page: 25 },
    output: {
      conversations: [listedConversation],
      pagination: { page: 1, per_page: 25, has_more: false, next_page: null },
    },
  },
} as const satisfies Tool;

export const getConversation = {
  name: "get-conversation",
  title: "Get a conversation",
  description:
    "Returns one conversation with its contact, its assigned agents and its status. What was written in it is returned by list-conversation-messages.",
  permission: "read_conversations",
  annotations: READS,
  input: toolInput({ conversation_id: uuid }),
  output: Type.Object({ conversation: WholeToolConversation }),
  performs: "open-conversation",
  example: {
    input: { conversation_id: ids.conversation },
    output: {
      conversation: {
        ...listedConversation,
        contact: { ...vera, ...whereabouts },
        is_resolved: true,
        resolved_at: moments.resolved,
        updated_at: moments.resolved,
        assigned_agents: [ada],
        message_count: 2,
        social_account_identifier: null,
        external_identifier: null,
        resolved_by: { agent: ada },
        reopened_at: null,
      },
    },
  },
} as const satisfies Tool;

export const searchConversations = {
  name: "search-conversations",
  title: "Search conversations",
  description:
    "Finds conversations by a part of the subject, the contact's name or e-mail, or the text of a message; newest activity first, up to 50. Each comes in short; get-conversation returns it whole.",
  permission: "read_conversations",
  annotations: READS,
  input: searchInput,
  output: Type.Object({ conversations: Type.Array(FoundConversation) }),
  performs: "search-conversations",
  example: {
    input: { query: "portugal", limit: 20 },
    output: { conversations: [foundConversation] },
  },
} as const satisfies Tool;
