import { TAG_COLOR_MAX, TAG_NAME_MAX } from "@frontdesk/core/contract/fields";
import { boundedName } from "@frontdesk/core/domain/bounded-text";
import { foldText } from "@frontdesk/core/domain/folded-text";
import type { Context } from "../context.ts";
import type { TagRow } from "../storage/tables.ts";
import { insertTag, type ShownTag } from "./tag-store.ts";

/** @throws Refusal `invalid` on `name` */
export const tagName = (given: string): string => boundedName("name", given, TAG_NAME_MAX);

/**
 * Up to 50 characters; empty is none.
 *
 * @throws Refusal `invalid` on `color`
 */
export const tagColor = (given: string | null | undefined): string | null =>
  given?.trim() ? boundedName("color", given, TAG_COLOR_MAX) : null;

/** A new tag of the team, with a name that is not used yet. */
export function makeTag(ctx: Context, name: string, color: string | null): ShownTag {
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
