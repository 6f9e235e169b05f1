import { foldText } from "@frontdesk/core/domain/folded-text";
import { invalid } from "@frontdesk/core/domain/refusal";
import { rulesFollowTag } from "../ai/settings/rules-follow-tag.ts";
import type { Context, Operation } from "../context.ts";
import { likePattern } from "../storage/dialect.ts";
import { findTag } from "./find-tag.ts";
import { tagColor, tagName } from "./make-tag.ts";
import {
  deleteTagRow,
  giveOtherTag,
  type ShownTag,
  showOtherTag,
  tagByName,
  takeTagOff,
  updateTagRow,
} from "./tag-store.ts";

export interface TagChange {
  name?: string | undefined;
  /** Up to 50 characters; empty is none. */
  color?: string | null | undefined;
  /** With the name of another tag: the two are merged into that one. */
  merge?: boolean | undefined;
}

/**
 * Renames or recolors a tag, wherever it is. The name of another tag is refused, unless they are merged: then the conversations
 * with this tag get the other, agents' saved views and the rules of the AI's handoffs have the other, and this one is deleted. Unchanged values change nothing and
 * record nothing. Conversations are not changed by it and have no events of their own. Specification: "Event kinds"
 * (tag.assigned and tag.removed are of one conversation).
 *
 * @returns the changed tag; after merging the remaining one
 * @throws Refusal `not-found`, `invalid` on `name` or `color`
 */
export const updateTag: Operation<{ tagId: string; change: TagChange }, ShownTag> = {
  name: "update-tag",
  mode: "write",
  async run(ctx, { tagId, change }) {
    const before = await findTag(ctx, tagId);
    const name = change.name === undefined ? before.name : tagName(change.name);
    const color = change.color === undefined ? before.color : tagColor(change.color);
    const name_folded = foldText(name);
    const named = await ctx.db.first(tagByName, { team_id: ctx.teamId, name_folded });
    if (named && named.id !== before.id) {
      if (change.merge) return mergeTags(ctx, before, named);
      throw invalid({ name: "tag-name-taken-mergeable" });
    }
    if (name === before.name && color === before.color) return before;
    const tag: ShownTag = { id: before.id, name, color };
    ctx.write(updateTagRow, { team_id: ctx.teamId, ...tag, name_folded });
    ctx.record({ name: "tag.updated", tag, before });
    return tag;
  },
};

async function mergeTags(ctx: Context, gone: ShownTag, left: ShownTag): Promise<ShownTag> {
  const of = { team_id: ctx.teamId, tag_id: gone.id };
  ctx.write(giveOtherTag, { ...of, other_id: left.id });
  // Those that had both.
  ctx.write(takeTagOff, of);
  ctx.write(showOtherTag, { ...of, other_id: left.id, pattern: likePattern(gone.id) });
  await rulesFollowTag(ctx, gone.id, left.id);
  ctx.write(deleteTagRow, { team_id: ctx.teamId, id: gone.id });
  ctx.record({ name: "tag.deleted", tag: gone, mergedInto: left });
  return left;
}
