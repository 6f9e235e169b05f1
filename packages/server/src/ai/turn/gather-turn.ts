import type { HandoffRules } from "@frontdesk/core/domain/ai/ai-settings";
import { readAiState } from "@frontdesk/core/domain/ai/ai-state";
import { readConfirmation } from "@frontdesk/core/domain/ai/confirmation";
import { readWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { contactById, latestPageVisit } from "../../contacts/contact-store.ts";
import type { Context, Operation } from "../../context.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { customDataOfContact } from "../../custom-data/custom-data-store.ts";
import { listParam } from "../../storage/dialect.ts";
import type { ConversationRow } from "../../storage/tables.ts";
import { tagsOfConversations } from "../../tags/tag-store.ts";
import { findWidget } from "../../widgets/find-widget.ts";
import { promptMessage } from "../conversation-for-model.ts";
import { aiAtWork } from "../speaker/ai-at-work.ts";
import { episodeMessages } from "./episode-messages.ts";
import { greetingOf } from "./say-as-ai.ts";
import type { GatheredTurn } from "./turn.ts";
import { contactUsage, dayOf } from "./usage-store.ts";
import { chosenOrWritten } from "./visitor-language.ts";

/**
 * Everything that a turn is decided by but the articles, in one read: the episode, the question, and what is left of the caps.
 *
 * @throws Refusal `not-found` for a conversation that is erased
 */
export const gatherTurn: Operation<{ conversationId: string }, GatheredTurn> = {
  name: "gather-ai-turn",
  mode: "read",
  async run(ctx, { conversationId }) {
    const conversation = await findConversation(ctx, conversationId);
    const [ai, contact, widget, shown] = await Promise.all([
      aiAtWork(ctx),
      ctx.db.first(contactById, { team_id: ctx.teamId, id: conversation.contact_id }),
      findWidget(ctx, conversation.widget_id),
      episodeMessages(ctx, conversation),
    ]);
    if (!contact) throw new Error(`The conversation ${conversation.id} has no contact.`);
    const agentId = ai?.row.agent_id;
    const messages = shown.map(promptMessage);
    const lastReply = shown.findLastIndex(({ message }) => message.agent_id !== null);
    const burst = messages.slice(lastReply + 1);
    const { hours, sites } = readWidgetSettings(widget.settings);
    const spoken = shown.findLast(({ message }) => message.agent_id === agentId);
    const used = await ctx.db.first(contactUsage, {
      ...{ team_id: ctx.teamId, contact_id: contact.id, day: dayOf(ctx.now) },
    });
    const state = readAiState(conversation.ai_state);
    return {
      ai,
      upto: shown.findLast(({ message }) => message.agent_id === null)?.message.sort_number ?? 0,
      state,
      greeting: ai?.settings.streamed ? await greetingOf(ctx, { conversationId, contact, row: ai.row, state }) : "",
      messages,
      isDenied: readConfirmation(burst.map(({ text }) => text).join("\n")) === "not-helped",
      burst,
      lastAnswer: spoken?.message.content ?? null,
      visitor: {
        name: contact.name,
        page: conversation.first_page_url,
        language: chosenOrWritten(contact, burst.map(({ text }) => text).join("\n")),
      },
      hours,
      sites,
      contactAnswers: used?.answers ?? 0,
      ruled: await factsFor(ctx, conversation, ai?.settings.handoff_rules),
    };
  },
};

/** What the rules look at; nothing that none of them looks at is read. */
async function factsFor(
  ctx: Context,
  { id, contact_id, first_page_url }: ConversationRow,
  rules: HandoffRules | undefined,
): Promise<GatheredTurn["ruled"]> {
  const has = (field: keyof HandoffRules) => rules !== undefined && rules[field].length > 0;
  const of = { team_id: ctx.teamId, contact_id };
  const [visit, tags, customData] = await Promise.all([
    has("pages") ? ctx.db.first(latestPageVisit, of) : undefined,
    has("tags") ? ctx.db.all(tagsOfConversations, { ...of, conversation_ids: listParam([id]) }) : [],
    has("custom_data") ? ctx.db.all(customDataOfContact, of) : [],
  ]);
  // The page of a first message is not among the visits yet.
  return { page: visit?.page ?? first_page_url, tags, customData };
}
