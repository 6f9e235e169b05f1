import type { InboxActionInput, InboxActionName } from "@frontdesk/core/contract/inbox";
import { invalid } from "@frontdesk/core/domain/refusal";
import { takeOver } from "../ai/speaker/take-over.ts";
import { blockContact, unblockContact } from "../contacts/block-contact.ts";
import type { Operation } from "../context.ts";
import { assignNamedAgent } from "../conversations/assign-agent.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { markUnread } from "../conversations/mark-unread.ts";
import { readMentions } from "../conversations/mention-store.ts";
import { readConversation } from "../conversations/read-conversation.ts";
import { returnToAssistant } from "../conversations/return-to-assistant.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { type SnoozeUntil, snoozeConversation } from "../conversations/snooze-conversation.ts";
import { unassignAgent } from "../conversations/unassign-agent.ts";
import { unsnoozeConversation } from "../conversations/unsnooze-conversation.ts";
import type { ContactRow } from "../storage/tables.ts";
import { addTag } from "../tags/add-tag.ts";
import { removeTag } from "../tags/remove-tag.ts";
import { inboxAgentId } from "./inbox-agent.ts";
import { readForOneself } from "./own-reads.ts";
import { type ShownConversation, shownAfter } from "./shown-after.ts";

/** One action on one conversation: the operation with its input, as `perform` takes them. */
export type ConversationAction<Name extends InboxActionName> = (
  conversationId: string,
  input: InboxActionInput<Name>,
) => { operation: Operation<never, ShownConversation>; input: object };

/** The actions on a conversation in the inbox, each by the operation that other surfaces use too. */
export const conversationActions: { [Name in InboxActionName]: ConversationAction<Name> } = {
  read: does(readInInbox(), ({ sort_number }) => ({ sortNumber: sort_number })),
  unread: does(markUnread, () => ({})),
  resolve: does(setConversationStatus, () => ({ status: "resolved" as const, agentId: undefined })),
  reopen: does(setConversationStatus, () => ({ status: "open" as const, agentId: undefined })),
  snooze: does(snoozeConversation, (asked, id) => ({
    until: snoozeUntil(asked),
    afterNumber: asked.after_numbers?.[id],
  })),
  unsnooze: does(unsnoozeConversation, () => ({})),
  assign: does(assignNamedAgent, ({ agent_id }) => ({ agentId: agent_id })),
  unassign: does(unassignAgent, ({ agent_id }) => ({ agentId: agent_id })),
  tag: does(addTag, ({ name, color }) => ({ name, color })),
  untag: does(removeTag, ({ name }) => ({ name })),
  "take-over": does(takeOver, () => ({})),
  "return-to-assistant": does(returnToAssistant, () => ({})),
  block: does(ofItsContact(blockContact), () => ({})),
  unblock: does(ofItsContact(unblockContact), () => ({})),
};

function does<Name extends InboxActionName, Input extends { conversationId: string }>(
  operation: Operation<Input, unknown>,
  inputOf: (asked: InboxActionInput<Name>, conversationId: string) => Omit<Input, "conversationId">,
): ConversationAction<Name> {
  const shown = shownAfter(operation);
  return (conversationId, asked) => ({
    operation: shown as Operation<never, ShownConversation>,
    input: { conversationId, ...inputOf(asked, conversationId) },
  });
}

/** Marks it as read for the team and for the agent, with the agent's own mentions in it. */
function readInInbox(): Operation<{ conversationId: string; sortNumber: number | undefined }, void> {
  return {
    name: "read-in-inbox",
    mode: "write",
    async run(ctx, input) {
      const { id, last_sort_number } = await readConversation.run(ctx, input);
      const upTo = Math.min(input.sortNumber ?? last_sort_number, last_sort_number);
      await readForOneself(ctx, id, upTo);
      const mine = { team_id: ctx.teamId, agent_id: inboxAgentId(ctx), conversation_id: id };
      ctx.write(readMentions, { ...mine, up_to: upTo });
    },
  };
}

/** An operation on a contact, requested through a conversation. */
function ofItsContact(
  operation: Operation<{ contactId: string }, ContactRow>,
): Operation<{ conversationId: string }, ContactRow> {
  return {
    name: operation.name,
    mode: operation.mode,
    async run(ctx, { conversationId }) {
      const { contact_id: contactId } = await findConversation(ctx, conversationId);
      return operation.run(ctx, { contactId });
    },
  };
}

/** @throws Refusal `invalid` on `until` unless exactly one of the two is given */
function snoozeUntil({ until, until_reply }: InboxActionInput<"snooze">): SnoozeUntil {
  if ((until === undefined) === (until_reply !== true)) {
    throw invalid({ until: "snooze-until" });
  }
  return until === undefined ? "reply" : Date.parse(until);
}
