import { TAG_COLOR_MAX, TAG_NAME_MAX } from "@frontdesk/core/contract/fields";
import { boundedName } from "@frontdesk/core/domain/bounded-text";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { doer, type NamedDoer } from "../agents/acting-agent.ts";
import type { Context, Operation } from "../context.ts";
import { findConversationWithPeople } from "../conversations/find-conversation.ts";
import type { ConversationRow, TagRow } from "../storage/tables.ts";
import { conversationTag, insertConversationTag, insertTag, type ShownTag, tagByName } from "./tag-store.ts";

export interface NewTag {
  conversationId: string;
  /** 1 to 100 characters. Letter case and the white space around it do not matter. */
  name: string;
  /** For a tag that the team does not have yet: up to 50 characters; empty is none. */
  color?: string | null | undefined;
  by?: NamedDoer | undefined;
}

/**
 * Puts a tag on a conversation, and makes it first when the team has none of this name; one that is there keeps its
 * spelling and its color. A tag that is on the conversation already stays, and no second event is recorded.
 * Specification: the tool add-tag, "Event kinds"; decision 56.
 *
 * @throws Refusal `invalid` on `name` or `color`, `not-found` for the conversation
 */
export const addTag: Operation<NewTag, { tag: ShownTag; conversation: ConversationRow }> = {
  name: "add-tag",
  mode: "write",
  async run(ctx, { conversationId, name: given, color: wanted, by }) {
    const name = boundedName("name", given, TAG_NAME_MAX);
    const color = wanted?.trim() ? boundedName("color", wanted, TAG_COLOR_MAX) : null;
    const about = await findConversationWithPeople(ctx, conversationId);
    const assignedBy = await doer(ctx, by);
    const known = await ctx.db.first(tagByName, { team_id: ctx.teamId, name_folded: foldText(name) });
    const tag = known ?? makeTag(ctx, name, color);
    const place = { team_id: ctx.teamId, conversation_id: about.conversation.id, tag_id: tag.id };
    if (known && (await ctx.db.first(conversationTag, place))) return { tag, conversation: about.conversation };

    ctx.write(insertConversationTag, { ...place, created_at: ctx.now });
    ctx.record({ name: "tag.assigned", ...about, tag, assignedBy });
    return { tag, conversation: about.conversation };
  },
};

function makeTag(ctx: Context, name: string, color: string | null): ShownTag {
  const tag: TagRow = {
    team_id: ctx.teamId,
    id: ctx.newId(),
    name,
    name_folded: foldText(name),
    color,
    created_at: ctx.now,
  };
  ctx.write(insertTag, tag);
  ctx.record({ name: "tag.created", tag });
  return { id: tag.id, name, color };
}
