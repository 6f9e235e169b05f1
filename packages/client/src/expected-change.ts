/** A change that an agent has just made, as its event will most likely show it: shown at once, until the event arrives. */
import type { InboxActionInput, InboxActionName } from "@frontdesk/core/contract/inbox";
import type { LiveConversation, LivePerson, LiveTag } from "@frontdesk/core/contract/live";

export interface ExpectedChange {
  /** Unique in this tab. */
  readonly id: number;
  /** Whether the service has accepted the change, and only its event is still to come. */
  readonly settled: boolean;
  readonly apply: (conversation: LiveConversation) => LiveConversation;
}

export const expected = (conversation: LiveConversation, { apply }: ExpectedChange): LiveConversation =>
  apply(conversation);

/** What a change needs to know: the agents and tags to choose from, and the time. */
export interface ChangeContext {
  readonly now: string;
  readonly agents: readonly LivePerson[];
  readonly tags: readonly LiveTag[];
}

const AWAKE = { snoozed_until: null, snoozed_until_reply: false } as const;

type Change<Name extends InboxActionName> = (
  conversation: LiveConversation,
  input: InboxActionInput<Name>,
  context: ChangeContext,
) => LiveConversation;

/** Where the result depends on data that the screen lacks, the conversation stays unchanged until the event. */
export const changes: { readonly [Name in InboxActionName]: Change<Name> } = {
  read: (conversation) => ({ ...conversation, unread_messages: 0 }),
  unread: (conversation) => ({ ...conversation, unread_messages: Math.max(1, conversation.unread_messages) }),
  resolve: (conversation) => ({
    ...conversation,
    ...AWAKE,
    woken_at: null,
    is_resolved: true,
    handoff_requested_at: null,
    speaker: "human",
    waiting_since: null,
  }),
  reopen: (conversation) =>
    conversation.is_resolved
      ? { ...conversation, is_resolved: false, speaker: "human", waiting_since: null, is_answered: false }
      : conversation,
  snooze: (conversation, { until, until_reply }) =>
    conversation.is_resolved
      ? conversation
      : { ...conversation, snoozed_until: until ?? null, snoozed_until_reply: until_reply === true, woken_at: null },
  unsnooze: (conversation, _input, { now }) =>
    conversation.snoozed_until === null && !conversation.snoozed_until_reply
      ? conversation
      : {
          ...conversation,
          ...AWAKE,
          woken_at: now,
          active_at: now > conversation.active_at ? now : conversation.active_at,
        },
  assign(conversation, { agent_id }, { agents }) {
    const agent = agents.find(({ id }) => id === agent_id);
    const has = conversation.assigned_agents.some(({ id }) => id === agent_id);
    if (!agent || has) return conversation;
    const { id, name, email } = agent;
    return {
      ...conversation,
      speaker: "human",
      assigned_agents: [...conversation.assigned_agents, { id, name, email }],
    };
  },
  unassign: (conversation, { agent_id }) => ({
    ...conversation,
    assigned_agents: conversation.assigned_agents.filter(({ id }) => id !== agent_id),
  }),
  tag(conversation, { name }, { tags }) {
    const tag = tags.find((known) => sameName(known.name, name));
    if (!tag || conversation.tags.some(({ id }) => id === tag.id)) return conversation;
    return { ...conversation, tags: [...conversation.tags, tag] };
  },
  untag: (conversation, { name }) => ({
    ...conversation,
    tags: conversation.tags.filter((tag) => !sameName(tag.name, name)),
  }),
  "take-over": (conversation) => ({ ...conversation, speaker: "human" }),
  // Whether the AI speaks again depends on its settings: its event tells.
  "return-to-assistant": (conversation) => ({ ...conversation, handoff_requested_at: null }),
  block: (conversation) => ({ ...conversation, is_blocked: true }),
  unblock: (conversation) => ({ ...conversation, is_blocked: false }),
};

const sameName = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();
