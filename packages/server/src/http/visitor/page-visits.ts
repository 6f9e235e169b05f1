import { invalid } from "@frontdesk/core/domain/refusal";

/**
 * `page_visited` of a request.
 *
 * @throws Refusal `invalid` on the date of a visit that is none
 */
export function readPageVisits(pages: readonly { page: string; date: string }[]) {
  return pages.map(({ page, date }, index) => ({ page, visitedAt: readTime(date, `page_visited.${index}.date`) }));
}

/** The schema has seen that it looks like a time; the 31st of February still does. */
function readTime(text: string, field: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalid({ [field]: "schema.time" });
  return time;
}
