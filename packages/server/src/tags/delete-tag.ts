import { rulesFollowTag } from "../ai/settings/rules-follow-tag.ts";
import type { Operation } from "../context.ts";
import { findTag } from "./find-tag.ts";
import { deleteTagRow, type ShownTag, takeTagOff } from "./tag-store.ts";

/**
 * Removes a tag from every conversation, from the rules of the AI's handoffs, and from the team. A repeat is refused as not found. It records one event, and none
 * for each conversation: there may be ten thousand.
 *
 * @returns what it was
 * @throws Refusal `not-found`
 */
export const deleteTag: Operation<{ tagId: string }, ShownTag> = {
  name: "delete-tag",
  mode: "write",
  async run(ctx, { tagId }) {
    const tag = await findTag(ctx, tagId);
    ctx.write(takeTagOff, { team_id: ctx.teamId, tag_id: tag.id });
    await rulesFollowTag(ctx, tag.id, undefined);
    ctx.write(deleteTagRow, { team_id: ctx.teamId, id: tag.id });
    ctx.record({ name: "tag.deleted", tag, mergedInto: undefined });
    return tag;
  },
};
