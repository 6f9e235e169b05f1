import { invalid } from "@frontdesk/core/domain/refusal";

/**
 * `page_visited` of a request.
 *
 * @throws Refusal `invalid` on an invalid date of a visit
 */
export function readPageVisits(pages: readonly { page: string; date: string }[]) {
  return pages.map(({ page, date }, index) => ({ page, visitedAt: readTime(date, `page_visited.${index}.date`) }));
}

/** The schema has checked only the form; February 31st passes that. */
function readTime(text: string, field: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalid({ [field]: "schema.time" });
  return time;
}
