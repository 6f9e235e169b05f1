/**
 * What an assistant connection may be granted: the permissions of the tools, in the order of the specification
 * ("Assistant tool interface"). An OAuth scope has the same name.
 */
export const assistantPermissions = {
  read_conversations: {
    label: "Read conversations",
    explanation: "List, search and open conversations, with the contact and the last message of each.",
    onlyReads: true,
  },
  read_conversation_messages: {
    label: "Read messages",
    explanation: "Read all messages in a conversation, including internal notes.",
    onlyReads: true,
  },
  read_visitor_details: {
    label: "Read visitor details",
    explanation: "See a visitor's name, email, phone, country, language and time zone.",
    onlyReads: true,
  },
  search_contacts: {
    label: "Search contacts",
    explanation: "Find contacts by name, email or phone.",
    onlyReads: true,
  },
  search_knowledge_base: {
    label: "Search the knowledge base",
    explanation: "Find questions and answers in your knowledge base.",
    onlyReads: true,
  },
  view_tags: {
    label: "See tags",
    explanation: "List your team's tags.",
    onlyReads: true,
  },
  view_custom_fields: {
    label: "See custom fields",
    explanation: "List the names of your custom fields, without any values.",
    onlyReads: true,
  },
  assign_conversations: {
    label: "Assign conversations",
    explanation: "List your agents and assign conversations to them.",
    onlyReads: false,
  },
  send_replies: {
    label: "Send replies",
    explanation: "Reply to visitors as the agent you choose for this connection.",
    onlyReads: false,
  },
  resolve_conversations: {
    label: "Resolve conversations",
    explanation: "Mark conversations as resolved.",
    onlyReads: false,
  },
  unresolve_conversations: {
    label: "Reopen conversations",
    explanation: "Reopen resolved conversations.",
    onlyReads: false,
  },
  add_notes: {
    label: "Add notes",
    explanation: "Add internal notes to conversations. Visitors never see them.",
    onlyReads: false,
  },
  add_tags: {
    label: "Add tags",
    explanation: "Add tags to conversations, and create new tags.",
    onlyReads: false,
  },
  remove_tags: {
    label: "Remove tags",
    explanation: "Remove tags from conversations.",
    onlyReads: false,
  },
  add_custom_data: {
    label: "Add custom data",
    explanation: "Set custom data of visitors, and create new custom fields.",
    onlyReads: false,
  },
  update_custom_data: {
    label: "Change custom data",
    explanation: "Change a visitor's existing custom data.",
    onlyReads: false,
  },
  remove_custom_data: {
    label: "Remove custom data",
    explanation: "Remove custom data from visitors.",
    onlyReads: false,
  },
  request_human_handoff: {
    label: "Hand over to a human",
    explanation: "Ask for one of your agents to take over a conversation.",
    onlyReads: false,
  },
} as const satisfies Record<string, PermissionEntry>;

export type AssistantPermission = keyof typeof assistantPermissions;

/** All of them, in the order of the specification. */
export const assistantPermissionNames = Object.keys(assistantPermissions) as AssistantPermission[];

/** Those that change nothing: the suggestion of a consent page, and all that is useful at `/mcp/readonly`. */
export const readingPermissions: readonly AssistantPermission[] = assistantPermissionNames.filter(
  (name) => assistantPermissions[name].onlyReads,
);

interface PermissionEntry {
  /** A few words for a list of check boxes. */
  readonly label: string;
  /** What it lets an assistant do, in one sentence for the person who grants it. */
  readonly explanation: string;
  /** No tool that needs it changes anything. */
  readonly onlyReads: boolean;
}
