import { foldText } from "@frontdesk/core/domain/folded-text";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import { makeTag, tagColor, tagName } from "./make-tag.ts";
import { type ShownTag, tagByName } from "./tag-store.ts";

/**
 * Creates a tag without any conversation. A repeat is refused, like any name with the folded form of an existing one.
 *
 * @throws Refusal `invalid` on `name` or `color`
 */
export const createTag: Operation<{ name: string; color?: string | null | undefined }, ShownTag> = {
  name: "create-tag",
  mode: "write",
  async run(ctx, { name: given, color: wanted }) {
    const name = tagName(given);
    const color = tagColor(wanted);
    if (await ctx.db.first(tagByName, { team_id: ctx.teamId, name_folded: foldText(name) })) {
      throw invalid({ name: "tag-name-taken" });
    }
    return makeTag(ctx, name, color);
  },
};
