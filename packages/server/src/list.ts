import { type PageRequest, pageOffset } from "@frontdesk/core/domain/page";

/** One page of rows, and how many there are in all. */
export interface Listed<Row> {
  rows: Row[];
  total: number;
}

/** LIMIT and OFFSET of a page. */
export function pageWindow(page: PageRequest): { limit: number; offset: number } {
  return { limit: page.limit, offset: pageOffset(page) };
}
