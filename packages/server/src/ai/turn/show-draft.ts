import { traitsOf } from "@frontdesk/core/domain/channel";
import type { Operation } from "../../context.ts";
import { type AgentFaceRow, agentFaces } from "../../conversations/conversation-store.ts";
import { findConversationWithPeople } from "../../conversations/find-conversation.ts";
import { listParam } from "../../storage/dialect.ts";
import { countersOf } from "../../teams/team-counters.ts";
import { aiOfTeam } from "../settings/ai-settings-store.ts";
import { whyDropped } from "./drop-turn.ts";
import type { DraftOfTurn } from "./turn.ts";
import { lastVisitorMessage, turnOf } from "./turn-store.ts";

export interface DraftAtOnce {
  /** Whether the turn could still say what it drafts. */
  stands: boolean;
  /** That was so when the team’s log ended with this number: an event that takes the word from the AI has a higher one. */
  number: number;
  /** The contact whose browser shows the conversation; null in channels outside of browsers. */
  contactId: string | null;
  agent: AgentFaceRow | undefined;
}

/**
 * Whether the draft of a turn may be shown at this moment, by what decides in the end whether it is said, and to whom.
 *
 * @throws Refusal `not-found` for a conversation that is erased
 */
export const showDraft: Operation<DraftOfTurn, DraftAtOnce> = {
  name: "show-ai-draft",
  mode: "read",
  async run(ctx, { conversationId, claim, agentId, upto }) {
    const key = { team_id: ctx.teamId, conversation_id: conversationId };
    // First: what is read next then misses nothing of before it.
    const { event_number: number } = await countersOf(ctx);
    const [about, turn, row, last, [agent]] = await Promise.all([
      findConversationWithPeople(ctx, conversationId),
      ctx.db.first(turnOf, key),
      ctx.db.first(aiOfTeam, { team_id: ctx.teamId }),
      ctx.db.first(lastVisitorMessage, key),
      ctx.db.all(agentFaces, { team_id: ctx.teamId, agent_ids: listParam([agentId]) }),
    ]);
    const isNewer = last !== undefined && last.sort_number > upto;
    const { channel } = about.conversation;
    return {
      ...{ stands: whyDropped({ about, turn, claim, row, isNewer }) === undefined, number, agent },
      contactId: traitsOf(channel).inBrowser ? about.contact.id : null,
    };
  },
};
