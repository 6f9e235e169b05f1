import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import type { ConversationRow, MessageRow } from "../storage/tables.ts";
import { type ShownTag, tagsOfConversations } from "../tags/tag-store.ts";
import {
  type AssignedAgentRow,
  assignedAgents,
  type ContactNameRow,
  contactNames,
  conversationsByIds,
} from "./conversation-store.ts";
import { mentionsIn } from "./mention-store.ts";
import { type ListedMessageRow, lastQuestions, latestMessages } from "./message-store.ts";

/** A conversation with everything that the team sees of it in its inbox. */
export interface ConversationView {
  conversation: ConversationRow;
  contact: ContactNameRow;
  /** First assigned first. */
  agents: AssignedAgentRow[];
  tags: ShownTag[];
  /** The sort number of the newest note that mentions an agent, by the agent's id. */
  mentions: ReadonlyMap<string, number>;
  /** Undefined while there are only system lines. */
  lastMessage: (ListedMessageRow & Pick<MessageRow, "sent_via">) | undefined;
  /** What its visitor has written last, where the AI has handed it over and no person has written since. */
  openQuestion: (ListedMessageRow & Pick<MessageRow, "sort_number">) | undefined;
}

/** The views of these conversations, by their ids. */
export async function conversationViews(
  ctx: Pick<Context, "db" | "teamId">,
  ids: readonly string[],
): Promise<Map<string, ConversationView>> {
  if (ids.length === 0) return new Map();
  const these = { team_id: ctx.teamId, conversation_ids: listParam(ids) };
  const conversations = ctx.db.all(conversationsByIds, these);
  const [rows, agents, tags, mentions, lastMessages, contacts, questions] = await Promise.all([
    conversations,
    ctx.db.all(assignedAgents, these),
    ctx.db.all(tagsOfConversations, these),
    ctx.db.all(mentionsIn, these),
    ctx.db.all(latestMessages, these),
    conversations.then((found) => contactsOf(ctx, found)),
    conversations.then((found) => openQuestionsOf(ctx, found)),
  ]);
  const agentsOf = Map.groupBy(agents, ({ conversation_id }) => conversation_id);
  const tagsOf = Map.groupBy(tags, ({ conversation_id }) => conversation_id);
  const mentionsOf = Map.groupBy(mentions, ({ conversation_id }) => conversation_id);
  const lastOf = new Map(lastMessages.map((message) => [message.conversation_id, message]));
  const questionOf = new Map(questions.map((message) => [message.conversation_id, message]));
  const contactOf = new Map(contacts.map((contact) => [contact.id, contact]));
  return new Map(
    rows.map((conversation) => {
      const { id, contact_id } = conversation;
      const contact = contactOf.get(contact_id);
      if (!contact) throw new Error(`The conversation ${id} has no contact.`);
      const view: ConversationView = {
        conversation,
        contact,
        agents: agentsOf.get(id) ?? [],
        tags: tagsOf.get(id) ?? [],
        // In the order of the notes: the last one of an agent stays.
        mentions: new Map(mentionsOf.get(id)?.map(({ agent_id, sort_number }) => [agent_id, sort_number])),
        lastMessage: lastOf.get(id),
        openQuestion: questionOf.get(id),
      };
      return [id, view];
    }),
  );
}

function contactsOf({ db, teamId }: Pick<Context, "db" | "teamId">, rows: readonly ConversationRow[]) {
  const ids = [...new Set(rows.map(({ contact_id }) => contact_id))];
  return db.all(contactNames, { team_id: teamId, contact_ids: listParam(ids) });
}

function openQuestionsOf({ db, teamId }: Pick<Context, "db" | "teamId">, rows: readonly ConversationRow[]) {
  const ids = rows.filter(({ speaker }) => speaker === "waiting").map(({ id }) => id);
  return ids.length === 0 ? [] : db.all(lastQuestions, { team_id: teamId, conversation_ids: listParam(ids) });
}
