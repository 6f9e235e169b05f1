import { isTimeZone } from "@frontdesk/core/domain/business-hours";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { type SearchQuery, searchDay, searchStatuses } from "@frontdesk/core/domain/search-query";
import { distinctWords, foldSearch } from "@frontdesk/core/domain/search-text";
import type { Context } from "../context.ts";
import type { SearchFilter } from "../conversations/conversation-search-store.ts";
import { noFilter } from "../conversations/search-conversations.ts";
import { listParam, rowsParam } from "../storage/dialect.ts";
import { allTags } from "../tags/tag-store.ts";

export interface SearchFilters {
  /** Undefined without operators. */
  filter: SearchFilter | undefined;
  /** Words that the contact's name or e-mail contains. */
  from: string[];
  /** Whether it asks for something that only conversations have. */
  ofConversations: boolean;
  /** Operators whose value is not known: they find nothing. */
  unknown: SearchQuery["operators"];
}

/** The operators of a search as what statements compare. Days begin in the time zone of whoever asks. */
export async function searchFilters(
  ctx: Context,
  { operators }: Pick<SearchQuery, "operators">,
  timeZone: string | undefined,
): Promise<SearchFilters> {
  const filter = { ...noFilter };
  const unknown: SearchQuery["operators"] = [];
  const tagIds: string[] = [];
  const from: string[] = [];
  const tags = operators.some(({ operator }) => operator === "tag")
    ? await ctx.db.all(allTags, { team_id: ctx.teamId })
    : [];
  for (const each of operators) {
    const folded = foldSearch(each.value);
    const start = startOf(each.value, timeZone);
    const status = searchStatuses.find((one) => one === folded);
    const tag =
      tags.find(({ name }) => foldText(name) === foldText(each.value)) ??
      tags.find(({ name }) => foldSearch(name) === folded);
    if (each.operator === "from") from.push(...folded.split(/\s+/));
    else if (each.operator === "tag" && tag) tagIds.push(tag.id);
    else if (each.operator === "status" && status && (filter.status === "" || filter.status === status)) {
      filter.status = status;
    } else if (each.operator === "before" && start !== undefined) filter.until = Math.min(filter.until, start);
    else if (each.operator === "after" && start !== undefined) filter.since = Math.max(filter.since, start);
    else unknown.push(each);
  }
  const words = distinctWords(from);
  filter.tag_ids = rowsParam(tagIds.map((tag_id) => ({ tag_id })));
  filter.from_words = listParam(words);
  return {
    filter: operators.length === 0 ? undefined : filter,
    from: words,
    ofConversations: operators.some(({ operator }) => operator !== "from"),
    unknown,
  };
}

function startOf(value: string, timeZone: string | undefined): number | undefined {
  const day = searchDay(value);
  const zone = timeZone !== undefined && isTimeZone(timeZone) ? timeZone : "UTC";
  return day && Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;
}
