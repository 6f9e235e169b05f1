import type { HandoffRules } from "@frontdesk/core/domain/ai/ai-settings";
import type { Context } from "../../context.ts";
import { aiOfTeam, updateAiRow } from "./ai-settings-store.ts";

/**
 * When a tag goes, the owner's rule that names it goes with it, or is one of the tag that it is merged into: once, if that one has
 * a rule already.
 *
 * @param left the id of the remaining tag; undefined when the tag is deleted
 */
export async function rulesFollowTag(ctx: Context, gone: string, left: string | undefined): Promise<void> {
  const ai = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
  if (!ai) return;
  const rules: HandoffRules = JSON.parse(ai.handoff_rules);
  if (!rules.tags.includes(gone)) return;
  const tags = new Set(rules.tags.flatMap((id) => (id === gone ? (left ?? []) : id)));
  ctx.write(updateAiRow, { ...ai, handoff_rules: JSON.stringify({ ...rules, tags: [...tags] }) });
}
