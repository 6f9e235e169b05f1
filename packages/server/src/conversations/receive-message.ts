import { aiStateAnew } from "@frontdesk/core/domain/ai/ai-state";
import { traitsOf } from "@frontdesk/core/domain/channel";
import type { SentVia } from "@frontdesk/core/domain/conversation";
import { canonicalId } from "@frontdesk/core/domain/id";
import { notAllowed } from "@frontdesk/core/domain/refusal";
import { aiTakes } from "../ai/speaker/ai-takes.ts";
import { speakerColumn } from "../ai/speaker/change-speaker.ts";
import type { ChannelAccount } from "../channels/channel-account.ts";
import { externalMessage, insertExternalMessage } from "../channels/external-message-store.ts";
import type { ContactDetails } from "../contacts/add-contact.ts";
import { contactOfIdentities, type Identity } from "../contacts/contact-of-identities.ts";
import { contactById } from "../contacts/contact-store.ts";
import { nowActive } from "../contacts/now-active.ts";
import type { Context } from "../context.ts";
import type { TakenAttachment } from "../files/take-files.ts";
import { listParam } from "../storage/dialect.ts";
import type { ContactRow, ConversationRow, MessageRow } from "../storage/tables.ts";
import { addMessage, type WrittenMessage } from "./add-message.ts";
import { conversationById, mostRecentConversation } from "./conversation-store.ts";
import { conversationToJoin } from "./conversation-to-join.ts";
import type { ConversationWithPeople } from "./find-conversation.ts";
import { attachmentsOfMessages, messageByClientId } from "./message-store.ts";
import { type Start, startConversation } from "./start-conversation.ts";

/** An incoming message from outside the team. */
export interface ReceivedMessage {
  account: ChannelAccount;
  /** The writer: a contact that was found or just created, or the writer's identities in the account. */
  who:
    | { contact: ContactRow; isNew: boolean }
    | { identities: readonly [Identity, ...Identity[]]; details: ContactDetails };
  /**
   * The conversation: the contact's latest one in the account, a new one, or this one; an id that is no conversation of the
   * contact in the account begins a new one.
   */
  into?: "latest" | "new" | { conversationId: string } | undefined;
  /** Its id at the provider; for a known id the stored message is returned. */
  externalId?: string | undefined;
  /** The id that the browser gave it; unique, as `externalId`, among the messages of the contact. */
  clientId?: string | undefined;
  /** Empty only when there are attachments. */
  content: string;
  /** Called only for a message that is not stored yet. */
  attachments(): Promise<readonly TakenAttachment[]>;
  /** By the sender's or provider's clock; left out: now. */
  occurredAt?: number | undefined;
  sentVia: SentVia;
  /** The page that a new conversation comes from, when the caller knows it. */
  firstPageUrl?: string | null | undefined;
  /** What a first mail gives to a new conversation. */
  email?: Start["email"];
}

export type Received = WrittenMessage & {
  /** False: it had been received before, and nothing was written. */
  isNew: boolean;
};

/**
 * The one way in: POST /conversations, POST /contacts/initialize, the widget, and every import.
 *
 * ```
 * known by its external id? -> who wrote -> known by its client id? -> the conversation to join -> addMessage
 * ```
 * A resolved conversation that it joins is reopened. Two processes that import the same message write one: a team's commits
 * run one after another, and the key of `external_messages` holds it. docs/decisions/0040-channel-accounts.md
 *
 * @throws Refusal `not-allowed` for a writer, named by identities, whom the team has blocked
 */
export async function receiveMessage(ctx: Context, received: ReceivedMessage): Promise<Received> {
  const { account, externalId, clientId, content, occurredAt, sentVia } = received;
  const external = { team_id: ctx.teamId, account_id: account.id, external_id: externalId ?? "", direction: "in" };
  const imported = externalId === undefined ? undefined : await ctx.db.first(externalMessage, external);
  if (imported) return knownMessage(ctx, imported);

  const { contact, isNew } = await writerOf(ctx, received);
  const [sent, latest] = await Promise.all([
    isNew ? undefined : sentBefore(ctx, clientId, contact),
    isNew ? undefined : chosenConversation(ctx, received, contact),
  ]);
  if (sent) return knownMessage(ctx, sent);

  const attachments = await received.attachments();
  const active = isNew ? contact : nowActive(ctx, contact, occurredAt);
  const start = { account, contact: active, firstPageUrl: received.firstPageUrl ?? null, email: received.email };
  const open = isNew ? startConversation(ctx, start) : await conversationToJoin(ctx, { ...start, latest });
  const opens = latest === undefined || latest.is_resolved === 1;
  const written = addMessage(ctx, opens ? await withSpeaker(ctx, open) : open, {
    ...{ from: "visitor", type: "message", content, attachments, clientId, sentVia, writtenAt: occurredAt },
    origin: traitsOf(account.channel).origin,
  });
  if (externalId !== undefined) {
    const { id: message_id, conversation_id } = written.message;
    ctx.write(insertExternalMessage, { ...external, conversation_id, message_id });
  }
  return { ...written, isNew: true };
}

/** Who speaks in the episode that the message begins. */
async function withSpeaker(ctx: Context, open: ConversationWithPeople): Promise<ConversationWithPeople> {
  const from = open.conversation.last_sort_number + 1;
  const speaker = speakerColumn(open.conversation, { name: "opened", isAiHere: await aiTakes(ctx, open.conversation) });
  return {
    ...open,
    conversation: {
      ...open.conversation,
      speaker,
      ai_state: aiStateAnew(open.conversation.ai_state, speaker === "ai" ? from : null),
    },
  };
}

async function writerOf(
  ctx: Context,
  { account, who, occurredAt }: ReceivedMessage,
): Promise<{ contact: ContactRow; isNew: boolean }> {
  if ("contact" in who) return who;
  const found = await contactOfIdentities(ctx, { account, ...who, activeAt: occurredAt });
  if (found.contact.blocked_at !== null) throw notAllowed("contact-blocked");
  return found;
}

async function sentBefore(
  ctx: Context,
  clientId: string | undefined,
  { id: contact_id }: ContactRow,
): Promise<MessageRow | undefined> {
  if (clientId === undefined) return undefined;
  return ctx.db.first(messageByClientId, { team_id: ctx.teamId, contact_id, client_id: clientId });
}

/** Undefined: a conversation has to be started. */
async function chosenConversation(
  ctx: Context,
  { account, into = "latest" }: ReceivedMessage,
  { id: contact_id }: ContactRow,
): Promise<ConversationRow | undefined> {
  if (into === "new") return undefined;
  const ofAccount = { team_id: ctx.teamId, account_id: account.id, contact_id };
  if (into === "latest") return ctx.db.first(mostRecentConversation, ofAccount);
  const id = canonicalId(into.conversationId);
  const named = id && (await ctx.db.first(conversationById, { team_id: ctx.teamId, id }));
  return named && named.account_id === account.id && named.contact_id === contact_id ? named : undefined;
}

async function knownMessage(ctx: Context, message: MessageRow): Promise<Received> {
  const [contact, attachments] = await Promise.all([
    ctx.db.first(contactById, { team_id: ctx.teamId, id: message.contact_id ?? "" }),
    ctx.db.all(attachmentsOfMessages, { team_id: ctx.teamId, message_ids: listParam([message.id]) }),
  ]);
  if (!contact) throw new Error(`The message ${message.id} has no contact.`);
  return { message, attachments, contact, agent: undefined, isNew: false };
}
