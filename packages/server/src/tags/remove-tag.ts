import { TAG_NAME_MAX } from "@frontdesk/core/contract/fields";
import { boundedName } from "@frontdesk/core/domain/bounded-text";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { notFound } from "@frontdesk/core/domain/refusal";
import { doer, type NamedDoer } from "../agents/acting-agent.ts";
import type { Operation } from "../context.ts";
import { findConversationWithPeople } from "../conversations/find-conversation.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { deleteConversationTag, type ShownTag, tagByName } from "./tag-store.ts";

/**
 * Removes a tag from a conversation; the team keeps it. A tag that the conversation does not have is refused, and so is a
 * repeat (decision 56). Specification: the tool remove-tag, "Event kinds".
 *
 * @throws Refusal `invalid` on `name`, `not-found` for the conversation, and for the tag
 */
export const removeTag: Operation<
  { conversationId: string; name: string; by?: NamedDoer | undefined },
  { tag: ShownTag; conversation: ConversationRow }
> = {
  name: "remove-tag",
  mode: "write",
  async run(ctx, { conversationId, name: given, by }) {
    const name = boundedName("name", given, TAG_NAME_MAX);
    const about = await findConversationWithPeople(ctx, conversationId);
    const removedBy = await doer(ctx, by);
    const tag = await ctx.db.first(tagByName, { team_id: ctx.teamId, name_folded: foldText(name) });
    const key = { team_id: ctx.teamId, conversation_id: about.conversation.id };
    const removed = tag ? await ctx.db.run(deleteConversationTag, { ...key, tag_id: tag.id }) : 0;
    if (!tag || removed === 0) throw notFound("tag");

    ctx.record({ name: "tag.removed", ...about, tag, removedBy });
    return { tag, conversation: about.conversation };
  },
};
