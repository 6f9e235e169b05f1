import { type PageRequest, pageOffset } from "@frontdesk/core/domain/page";

/** One page of rows, and how many there are in all. */
export interface Listed<Row> {
  rows: Row[];
  total: number;
}

/** The page of a list whose rows are all in memory. */
export function pageOfRows<Row>(page: PageRequest, rows: readonly Row[]): Listed<Row> {
  const { limit, offset } = pageWindow(page);
  return { rows: rows.slice(offset, offset + limit), total: rows.length };
}

/** LIMIT and OFFSET of a page. */
export function pageWindow(page: PageRequest): { limit: number; offset: number } {
  return { limit: page.limit, offset: pageOffset(page) };
}
