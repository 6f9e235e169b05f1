import { foldText } from "@frontdesk/core/domain/folded-text";
import { doer, type NamedDoer } from "../agents/acting-agent.ts";
import type { Operation } from "../context.ts";
import { findConversationWithPeople } from "../conversations/find-conversation.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { makeTag, tagColor, tagName } from "./make-tag.ts";
import { conversationTag, insertConversationTag, type ShownTag, tagByName } from "./tag-store.ts";

export interface NewTag {
  conversationId: string;
  /** 1 to 100 characters. Letter case and the white space around it do not matter. */
  name: string;
  /** For a tag that the team does not have yet: up to 50 characters; empty is none. */
  color?: string | null | undefined;
  by?: NamedDoer | undefined;
}

/**
 * Adds a tag to a conversation, and creates it when the team has none of this name; an existing one keeps its spelling and its
 * color. When the conversation has the tag already, nothing changes and no second event is recorded. Specification: the tool
 * add-tag, "Event kinds"; decision 56.
 *
 * @throws Refusal `invalid` on `name` or `color`, `not-found` for the conversation
 */
export const addTag: Operation<NewTag, { tag: ShownTag; conversation: ConversationRow }> = {
  name: "add-tag",
  mode: "write",
  async run(ctx, { conversationId, name: given, color: wanted, by }) {
    const name = tagName(given);
    const color = tagColor(wanted);
    const about = await findConversationWithPeople(ctx, conversationId);
    const assignedBy = await doer(ctx, by);
    const known = await ctx.db.first(tagByName, { team_id: ctx.teamId, name_folded: foldText(name) });
    const tag = known ?? makeTag(ctx, name, color);
    const key = { team_id: ctx.teamId, conversation_id: about.conversation.id, tag_id: tag.id };
    if (known && (await ctx.db.first(conversationTag, key))) return { tag, conversation: about.conversation };

    ctx.write(insertConversationTag, { ...key, created_at: ctx.now });
    ctx.record({ name: "tag.assigned", ...about, tag, assignedBy });
    return { tag, conversation: about.conversation };
  },
};
