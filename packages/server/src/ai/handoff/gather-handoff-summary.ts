import { aiCaps } from "@frontdesk/core/domain/ai/ai-settings";
import { summaryPrompt } from "@frontdesk/core/domain/ai/copilot-prompts";
import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import { SUMMARY_MESSAGES_MIN, type SummarySource } from "@frontdesk/core/domain/ai/handoff-summary";
import { redactionIf } from "@frontdesk/core/domain/ai/redact-details";
import type { AiActor } from "../../access/actor.ts";
import { contactById } from "../../contacts/contact-store.ts";
import type { Operation } from "../../context.ts";
import type { ChatMessage } from "../../conversations/chat-message.ts";
import { promptMessage, redacted } from "../conversation-for-model.ts";
import { type CopilotRequest, fenceWord } from "../copilot/copilot-request.ts";
import { SUMMARY_TOKENS } from "../copilot/summarise-conversation.ts";
import { aiActor } from "../speaker/ai-at-work.ts";
import { episodeMessages } from "../turn/episode-messages.ts";
import type { AiSource } from "../turn/turn.ts";
import { visitorLanguage } from "../turn/visitor-language.ts";
import { type Handoff, summaryDue } from "./summary-due.ts";

/** What the model is asked, and what belongs into the note besides its answer. */
export interface HandoffSummary {
  actor: AiActor;
  request: CopilotRequest;
  /** What the request costs at most. */
  tokens: number;
  sources: SummarySource[];
  /** BCP 47 */
  language: string;
}

/**
 * What the model is asked for the summary of a handoff: the episode, as a turn is shown it. Undefined when none is due, there is
 * too little to sum up, or the tokens of the conversation are spent. Nothing is written.
 *
 * @throws Refusal `not-found` for a conversation that is erased
 */
export const gatherHandoffSummary: Operation<Handoff, HandoffSummary | undefined> = {
  name: "gather-handoff-summary",
  mode: "read",
  async run(ctx, handoff) {
    const due = await summaryDue(ctx, handoff);
    if (!due) return undefined;
    const { ai, about, state } = due;
    const { conversation } = about;
    const shown = await episodeMessages(ctx, conversation);
    if (shown.length < SUMMARY_MESSAGES_MIN) return undefined;
    const redaction = redactionIf(ai.settings.redacts);
    const said = shown.map(promptMessage);
    const messages = summaryPrompt({
      ...{ fence: fenceWord(ctx), language: null },
      conversation: redacted(said, redaction),
    });
    const tokens = messages.reduce((sum, { content }) => sum + estimateTokens(content), SUMMARY_TOKENS);
    if (state.tokens + tokens > aiCaps.TOKENS_AN_EPISODE) return undefined;
    const contact = await ctx.db.first(contactById, { team_id: ctx.teamId, id: conversation.contact_id });
    return {
      actor: aiActor(ai.row),
      request: {
        connection: ai.connection,
        savedAt: ai.row.updated_at,
        messages,
        passages: [],
        maxTokens: SUMMARY_TOKENS,
        restore: redaction.restore,
      },
      ...{ tokens, sources: sourcesOf(shown), language: await visitorLanguage(ctx, conversation.id, contact) },
    };
  },
};

/** The articles of all its answers, each once. */
function sourcesOf(shown: readonly ChatMessage[]): SummarySource[] {
  const articles = new Map<string, SummarySource>();
  for (const { ai } of shown) {
    if (!ai) continue;
    for (const { article_id, title, url } of JSON.parse(ai.sources) as AiSource[])
      articles.set(article_id, { title, url });
  }
  return [...articles.values()];
}
