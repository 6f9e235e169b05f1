import type { MessageType, SentVia } from "@frontdesk/core/domain/conversation";
import { invalid } from "@frontdesk/core/domain/refusal";
import { NO_REASON } from "../channels/stored-reason.ts";
import type { Context, Operation } from "../context.ts";
import type { NewAttachment } from "../conversations/add-message.ts";
import { assignAgent } from "../conversations/assign-agent.ts";
import type { ConversationView } from "../conversations/conversation-view.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { messageByClientId } from "../conversations/message-store.ts";
import { sendMessage } from "../conversations/send-message.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { type TeamMessage, withWhatTheTeamSees } from "../conversations/team-message.ts";
import type { ConversationRow, MessageRow } from "../storage/tables.ts";
import { deleteDraft } from "./draft-store.ts";
import { endHold, heldReply } from "./held-reply.ts";
import type { HeldState } from "./held-reply-store.ts";
import { inboxAgentId } from "./inbox-agent.ts";
import { ownPreferences } from "./preferences.ts";
import { conversationNow } from "./shown-after.ts";
import { firstReplyOfOthers } from "./thread-store.ts";

export interface InboxMessage {
  conversationId: string;
  /** Made by the browser; the same when the message is sent again. */
  clientId: string;
  type: "message" | "note";
  content: string;
  attachments: NewAttachment[];
  /** The ids of the agents that a note mentions. */
  mentions: readonly string[];
  /** The highest sort number when the agent began to write. */
  afterNumber: number | undefined;
  /** Also when a teammate has replied meanwhile. */
  anyway: boolean;
  /** Resolves the conversation in the same commit. */
  resolve: boolean;
  /** The copilot has written a part of it. */
  draftedWithAi?: boolean | undefined;
}

/**
 * Sent; or a teammate has replied since the agent began to write, or the reply was held and is a draft again: then nothing was
 * sent.
 */
export type SendOutcome =
  | { outcome: "sent"; message: TeamMessage; conversation: ConversationView; number: number }
  | { outcome: "overtaken"; reply: TeamMessage }
  | { outcome: Exclude<HeldState, "held"> };

/**
 * An agent sends a reply or a note from the inbox. For a message that is sent again the stored one is returned. A reply is not
 * sent when a teammate has replied meanwhile, unless `anyway` is given. Its draft is deleted. A reply of a signed-in agent
 * assigns the agent where nobody is assigned (docs/decisions/0044-triage.md); a key's reply does not. A held reply is held no
 * longer, whatever the outcome (`hold-reply.ts`).
 *
 * @throws Refusal as `sendMessage`, and `invalid` on `client_id` for one that another message has
 */
export const sendFromInbox: Operation<InboxMessage, SendOutcome> = {
  name: "send-from-inbox",
  mode: "write",
  async run(ctx, input) {
    const agentId = inboxAgentId(ctx);
    const conversation = await findConversation(ctx, input.conversationId);
    const { clientId, type, content, attachments, mentions } = input;
    const [known, held] = await Promise.all([
      sentBefore(ctx, conversation, agentId, clientId),
      heldReply(ctx, conversation, agentId, clientId),
    ]);
    if (known) return sentOutcome(ctx, conversation, known);
    if (held && held.state !== "held") return { outcome: held.state as Exclude<HeldState, "held"> };
    if (held) endHold(ctx, held);

    const reply = await replyOfOthers(ctx, conversation, agentId, input);
    if (reply) return { outcome: "overtaken", reply };
    const written = { conversationId: conversation.id, type, content, attachments, agentId: undefined };
    const { message } = await sendMessage.run(ctx, {
      ...written,
      clientId,
      mentions,
      draftedWithAi: input.draftedWithAi,
    });
    if (await takesConversation(ctx, conversation, message)) {
      await assignAgent.run(ctx, { conversationId: conversation.id, agentId });
    }
    const mode = type === "note" ? "note" : "reply";
    const draft = { team_id: ctx.teamId, agent_id: agentId, conversation_id: conversation.id, mode };
    // Of a held reply it is gone already: a draft now is of the next one.
    if (!held) ctx.write(deleteDraft, draft);
    if (input.resolve) {
      const status = { conversationId: conversation.id, status: "resolved", agentId: undefined } as const;
      await setConversationStatus.run(ctx, status);
    }
    const sent = await sentOutcome(ctx, conversation, message);
    return { ...sent, message: withQueued(ctx, conversation, sent.message) };
  },
};

/** Its row of the outbox is written at the end of this commit. */
function withQueued(ctx: Context, { channel }: ConversationRow, message: TeamMessage): TeamMessage {
  if (message.message.type !== ("message" satisfies MessageType) || !ctx.sendingChannels.has(channel)) return message;
  const recipients = message.delivery?.recipients?.map(({ address }) => ({
    address,
    state: "queued" as const,
    ...NO_REASON,
  }));
  const delivery = {
    state: "queued" as const,
    ...NO_REASON,
    at: ctx.now,
    dueAt: null,
    attempts: [],
    ...(recipients && { recipients }),
  };
  return { ...message, delivery };
}

/** The message that was sent with this id. */
export async function sentBefore(
  ctx: Context,
  conversation: ConversationRow,
  agentId: string,
  clientId: string,
): Promise<MessageRow | undefined> {
  const of = { team_id: ctx.teamId, contact_id: conversation.contact_id, client_id: clientId };
  const message = await ctx.db.first(messageByClientId, of);
  if (!message) return undefined;
  // The visitor's own browser gives ids to messages of the same contact.
  if (message.conversation_id !== conversation.id || message.agent_id !== agentId) {
    throw invalid({ client_id: "message-id-taken" });
  }
  return message;
}

/** The reply of a teammate that keeps this one from being sent. */
export async function replyOfOthers(
  ctx: Context,
  conversation: ConversationRow,
  agentId: string,
  { type, afterNumber, anyway }: InboxMessage,
): Promise<TeamMessage | undefined> {
  if (type === "note" || afterNumber === undefined || anyway) return undefined;
  const of = { team_id: ctx.teamId, conversation_id: conversation.id, after: afterNumber, agent_id: agentId };
  const found = await ctx.db.first(firstReplyOfOthers, of);
  return found && (await withWhatTheTeamSees(ctx, [found]))[0];
}

/** A person's reply takes a conversation that nobody has, unless they have switched that off. */
async function takesConversation(
  ctx: Context,
  { assigned_count }: ConversationRow,
  { type, sent_via }: MessageRow,
): Promise<boolean> {
  const isReplyOfPerson = type === ("message" satisfies MessageType) && sent_via === ("dashboard" satisfies SentVia);
  if (!isReplyOfPerson || assigned_count > 0) return false;
  const { assign_on_reply = true } = await ownPreferences(ctx);
  return assign_on_reply;
}

export async function sentOutcome(
  ctx: Context,
  { id }: ConversationRow,
  row: MessageRow,
): Promise<Extract<SendOutcome, { outcome: "sent" }>> {
  const [[message], now] = await Promise.all([withWhatTheTeamSees(ctx, [row]), conversationNow(ctx, id)]);
  if (!message) throw new Error("A message that was just written is gone.");
  return { outcome: "sent", message, ...now };
}
