import type { HandoffRules } from "@frontdesk/core/domain/ai/ai-settings";
import { isPageRule } from "@frontdesk/core/domain/ai/handoff-rules";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { canonicalId } from "@frontdesk/core/domain/id";
import { because, type GivenReason } from "@frontdesk/core/domain/reasons";
import type { Context } from "../../context.ts";
import { allTags } from "../../tags/tag-store.ts";

/**
 * The owner's rules as they are stored: trimmed, each once, tags by their canonical ids.
 *
 * @param errors what is wrong is added to it, as `handoff_rules.tags`
 */
export async function handoffRulesGiven(
  ctx: Context,
  given: HandoffRules,
  errors: Record<string, GivenReason>,
): Promise<HandoffRules> {
  const texts = (field: "words" | "pages") => {
    const trimmed = given[field].map((text) => text.trim());
    if (trimmed.includes("")) errors[`handoff_rules.${field}`] = "empty";
    else if (trimmed.some((text) => /\p{Cc}/u.test(text))) errors[`handoff_rules.${field}`] = "control-characters";
    return once(trimmed, foldText);
  };
  const rules = { words: texts("words"), pages: texts("pages") };
  const unknown = rules.pages.find((page) => page !== "" && !isPageRule(page));
  if (unknown !== undefined) errors["handoff_rules.pages"] ??= because("ai-page-rule", { page: unknown });
  const custom_data = given.custom_data.map(({ name, value }) => ({ name: name.trim(), value: value.trim() }));
  if (custom_data.some(({ name, value }) => name === "" || value === "")) errors["handoff_rules.custom_data"] = "empty";
  return {
    ...rules,
    tags: await knownTags(ctx, given.tags, errors),
    custom_data: once(custom_data, ({ name, value }) => foldText(JSON.stringify([name, value]))),
  };
}

async function knownTags(
  ctx: Context,
  given: readonly string[],
  errors: Record<string, GivenReason>,
): Promise<string[]> {
  const ids = once(given, (id) => canonicalId(id) ?? id).map((id) => canonicalId(id) ?? id);
  if (ids.length === 0) return ids;
  const known = new Set((await ctx.db.all(allTags, { team_id: ctx.teamId })).map(({ id }) => id));
  if (ids.some((id) => !known.has(id))) errors["handoff_rules.tags"] = "no-such-tag";
  return ids;
}

/** The first of those with the same key. */
function once<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => seen.size !== seen.add(keyOf(item)).size);
}
