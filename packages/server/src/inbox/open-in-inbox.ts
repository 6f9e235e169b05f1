import type { TimelineEntry } from "@frontdesk/core/contract/live";
import { wholeContact } from "../contacts/get-contact.ts";
import type { WholeContact } from "../contacts/list-contacts.ts";
import type { Context, Operation } from "../context.ts";
import { type AgentFaceRow, agentFaces } from "../conversations/conversation-store.ts";
import type { ConversationView } from "../conversations/conversation-view.ts";
import { whyUnmailed } from "../conversations/mailing.ts";
import { timelineEntryOf } from "../conversations/timeline.ts";
import type { CustomValueRow } from "../custom-data/custom-data-store.ts";
import { listCustomData } from "../custom-data/list-custom-data.ts";
import { listParam } from "../storage/dialect.ts";
import type { DraftRow } from "../storage/tables.ts";
import { draftsInConversation } from "./draft-store.ts";
import { inboxAgentId } from "./inbox-agent.ts";
import { type MailDetails, mailDetails } from "./mail-details.ts";
import { conversationsOf } from "./open-contact.ts";
import { ownReads } from "./own-reads.ts";
import { conversationsOfSameAddress } from "./same-address.ts";
import { conversationNow, type ShownConversation } from "./shown-after.ts";
import { timelineIn } from "./thread-store.ts";

/** A conversation with everything shown next to it. */
export interface OpenedConversation extends ShownConversation {
  contact: WholeContact;
  customData: CustomValueRow[];
  /** The contact's other ones, the newest message first. */
  earlier: ConversationView[];
  /** Those of other contacts with the same address. */
  sameAddress: ConversationView[];
  /** Why no mail brings replies to the visitor. */
  unmailed: "mail-off" | "no-email" | undefined;
  /** Undefined in other channels. */
  mail: MailDetails | undefined;
  /** Its timeline, oldest first. */
  timeline: TimelineEntry[];
  /** The drafts of all agents in it, with their agents. */
  drafts: (DraftRow & { agent: AgentFaceRow | undefined })[];
  /** The highest sort number that the agent has read; 0 for none. */
  ownRead: number;
  /** The agent who asks. */
  agentId: string;
}

const MOST_EARLIER = 20;
const MOST_ENTRIES = 200;

/**
 * What an agent sees next to a thread: the conversation, its contact, and the drafts of teammates.
 *
 * @throws Refusal `not-found` for the conversation
 */
export const openInInbox: Operation<{ conversationId: string }, OpenedConversation> = {
  name: "open-in-inbox",
  mode: "read",
  async run(ctx, { conversationId }) {
    const shown = await conversationNow(ctx, conversationId);
    const { id, contact_id: contactId } = shown.conversation.conversation;
    const [contact, customData, theirs, unmailed, mail, timeline, drafts, read] = await Promise.all([
      wholeContact(ctx, contactId),
      listCustomData.run(ctx, { contactId }),
      conversationsOf(ctx, contactId, MOST_EARLIER + 1),
      whyUnmailed(ctx, shown.conversation.conversation),
      mailDetails(ctx, shown.conversation.conversation),
      timelineOf(ctx, id),
      draftsIn(ctx, id),
      ownReads(ctx, [id]),
    ]);
    const sameAddress = await conversationsOfSameAddress(ctx, contact.contact, MOST_EARLIER);
    const ownRead = read.get(id) ?? 0;
    const earlier = theirs.filter(({ conversation }) => conversation.id !== id).slice(0, MOST_EARLIER);
    const beside = { contact, customData, earlier, sameAddress, unmailed, mail, timeline, drafts, ownRead };
    return { ...shown, ...beside, agentId: inboxAgentId(ctx) };
  },
};

async function timelineOf(ctx: Context, conversationId: string): Promise<TimelineEntry[]> {
  const key = { team_id: ctx.teamId, conversation_id: conversationId };
  const newestFirst = await ctx.db.all(timelineIn, { ...key, limit: MOST_ENTRIES });
  return newestFirst.reverse().flatMap((event) => timelineEntryOf(event) ?? []);
}

async function draftsIn(ctx: Context, conversationId: string): Promise<OpenedConversation["drafts"]> {
  const drafts = await ctx.db.all(draftsInConversation, { team_id: ctx.teamId, conversation_id: conversationId });
  if (drafts.length === 0) return [];
  const ids = [...new Set(drafts.map(({ agent_id }) => agent_id))];
  const faces = await ctx.db.all(agentFaces, { team_id: ctx.teamId, agent_ids: listParam(ids) });
  return drafts.map((draft) => ({ ...draft, agent: faces.find(({ id }) => id === draft.agent_id) }));
}
