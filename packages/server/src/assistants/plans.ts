/**
 * What the five confirmed tools would do, in plain words for the person who is asked (specification, "Confirmation flow";
 * decisions 52, 53, 72). Each plan refuses what the operation itself would refuse. People are shown by name only: an assistant
 * may change a conversation without being allowed to read it.
 */
import { foldText } from "@frontdesk/core/domain/folded-text";
import { notFound } from "@frontdesk/core/domain/refusal";
import { findContact } from "../contacts/find-contact.ts";
import type { Context } from "../context.ts";
import { conversationsOf } from "../conversations/browse-conversations.ts";
import { findConversationWithPeople } from "../conversations/find-conversation.ts";
import { customFieldByName, customValue } from "../custom-data/custom-data-store.ts";
import type { AgentRow } from "../storage/tables.ts";
import { conversationTag, tagByName } from "../tags/tag-store.ts";
import { type WantedAgent, wantedAgent } from "./assign-several.ts";
import { sortOut } from "./change-several.ts";
import type { Plan, Planned } from "./confirmed.ts";

/** How many people are named in a message; the others are counted. */
const NAMED_MAX = 5;
/** Longer names are cut: a name chosen by a visitor must not dominate the message. */
const NAME_MAX = 60;

/** Of resolve-conversation and unresolve-conversation. */
export function planStatusChange(status: "resolved" | "unresolved") {
  const act = status === "resolved" ? "resolve" : "reopen";
  return async (ctx: Context, { conversationIds }: { conversationIds: readonly string[] }): Promise<Plan> => {
    const touched = await touchedBy(ctx, conversationIds);
    return { affected: touched.count, message: `This will ${act} ${touched.words}.${touched.skipped}` };
  };
}

/** Of assign-conversation; bound to the agent found now. When there are several, they are returned instead. */
export async function planAssignment(
  ctx: Context,
  { conversationIds, ...wanted }: { conversationIds: readonly string[] } & WantedAgent,
): Promise<Planned<{ candidates: AgentRow[] }>> {
  const found = await wantedAgent(ctx, wanted);
  if ("candidates" in found) return { instead: found };
  const { id, name, email } = found.agent;
  const touched = await touchedBy(ctx, conversationIds);
  return {
    affected: touched.count,
    message: `This will assign ${touched.words} to ${name ? `${shortened(name)} (${email})` : email}.${touched.skipped}`,
    bound: id,
  };
}

/** Of remove-tag. */
export async function planTagRemoval(
  ctx: Context,
  { conversationId, name }: { conversationId: string; name: string },
): Promise<Plan> {
  const { conversation, contact } = await findConversationWithPeople(ctx, conversationId);
  const tag = await ctx.db.first(tagByName, { team_id: ctx.teamId, name_folded: foldText(name.trim()) });
  const key = tag && { team_id: ctx.teamId, conversation_id: conversation.id, tag_id: tag.id };
  if (!key || !(await ctx.db.first(conversationTag, key))) throw notFound("tag");
  return { affected: 1, message: `This will take the tag "${tag.name}" off the conversation with ${nameOf(contact)}.` };
}

/** Of remove-custom-data. */
export async function planDataRemoval(
  ctx: Context,
  { contactId, name }: { contactId: string; name: string },
): Promise<Plan> {
  const contact = await findContact(ctx, contactId);
  const field = await ctx.db.first(customFieldByName, { team_id: ctx.teamId, name: name.trim() });
  const key = field && { team_id: ctx.teamId, contact_id: contact.id, field_id: field.id };
  if (!key || !(await ctx.db.first(customValue, key))) throw notFound("custom-data");
  return { affected: 1, message: `This will remove the custom data "${field.name}" from ${nameOf(contact)}.` };
}

/** @throws Refusal `not-found` when it is a single conversation and does not exist (decision 53) */
async function touchedBy(ctx: Context, conversationIds: readonly string[]) {
  const { visible, skipped } = await sortOut(ctx, conversationIds);
  if (visible.length === 0 && skipped.length === 1) throw notFound("conversation");
  const conversations = await conversationsOf(ctx, visible);
  return {
    count: visible.length,
    words: inWords(conversations.map(({ contact }) => nameOf(contact))),
    skipped:
      skipped.length === 0 ? "" : ` ${skipped.length} of the given ids will be skipped, because they were not found.`,
  };
}

function inWords(names: readonly string[]): string {
  if (names.length === 0) return "no conversation";
  if (names.length === 1) return `the conversation with ${names[0]}`;
  const more = names.length - NAMED_MAX;
  const named = names.slice(0, NAMED_MAX).join(", ");
  return `${names.length} conversations: with ${named}${more > 0 ? ` and ${more} more` : ""}`;
}

function nameOf({ name, email }: { name: string | null; email: string | null }): string {
  return shortened(name?.trim() || email || "a visitor without a name");
}

function shortened(name: string): string {
  const line = name.replaceAll(/\s+/g, " ");
  return line.length > NAME_MAX ? `${line.slice(0, NAME_MAX - 1)}…` : line;
}
