/** One page of a list: `page` from 1, `limit` rows each. */
export interface PageRequest {
  page: number;
  limit: number;
}

/** Rows before the page; beyond 2^53 there are none, and such a page is empty anyway (decision 27). */
export const pageOffset = ({ page, limit }: PageRequest): number =>
  Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);

/** `meta.pagination` of a list (specification, "Pagination"). A list without rows has one page, an empty one. */
export function pagination({ page, limit }: PageRequest, total: number, count: number) {
  return { total, count, per_page: limit, current_page: page, total_pages: Math.max(1, Math.ceil(total / limit)) };
}
