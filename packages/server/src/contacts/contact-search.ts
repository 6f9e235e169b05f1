import { foldSearch } from "@frontdesk/core/domain/folded-text";
import { canonicalId } from "@frontdesk/core/domain/id";
import type { PageRequest } from "@frontdesk/core/domain/page";
import { phoneSearchDigits } from "@frontdesk/core/domain/phone";
import { type Visibility, visibilityOf } from "../access/visibility-store.ts";
import type { Context } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import { likePattern, matchPhrase } from "../storage/dialect.ts";
import type { Statement } from "../storage/statement.ts";
import {
  type ContactSearch,
  indexedSearchPage,
  indexedSearchTotal,
  type ListedContactRow,
  scannedSearchPage,
  scannedSearchTotal,
} from "./contact-store.ts";

/** Of more matches a page is found sooner by going through the contacts in their order than by sorting all matches. */
const MANY_MATCHES = 1_000;

/**
 * The contacts whose name, e-mail or phone digits hold a folded search, or whose id it is (decision 1): those that the
 * actor may see, last activity first.
 */
export async function searchContacts(
  ctx: Context,
  page: PageRequest,
  needle: string,
): Promise<Listed<ListedContactRow>> {
  const { params, indexed } = searchIn(ctx, needle);
  const total = await totalOf(ctx, indexed ? indexedSearchTotal : scannedSearchTotal, params);
  const statement = indexed && total < MANY_MATCHES ? indexedSearchPage : scannedSearchPage;
  const { limit, offset } = pageWindow(page);
  return { rows: offset < total ? await ctx.db.all(statement, { ...params, limit, offset }) : [], total };
}

/** The first `limit` of them, without counting more than it takes to choose the way. */
export async function firstOfSearch(ctx: Context, needle: string, limit: number): Promise<ListedContactRow[]> {
  const { params, indexed } = searchIn(ctx, needle);
  const few = indexed && (await totalOf(ctx, indexedSearchTotal, params)) < MANY_MATCHES;
  return ctx.db.all(few ? indexedSearchPage : scannedSearchPage, { ...params, limit, offset: 0 });
}

/** A search as it is compared: folded, without the white space around it. */
export function foldContactSearch(search: string): string {
  return foldSearch(search.trim());
}

/** Trigrams find texts of three characters and more; shorter ones are looked for in each contact. */
export function isIndexed(needle: string): boolean {
  return [...needle].length >= 3;
}

type SearchParams = ContactSearch & { team_id: string };

function searchIn(ctx: Context, needle: string): { params: SearchParams; indexed: boolean } {
  const search = contactSearch(needle);
  const indexed = isIndexed(needle) && (search.digits === null || isIndexed(search.digits));
  return { params: { team_id: ctx.teamId, ...search, ...visibilityOf(ctx.actor) }, indexed };
}

async function totalOf(
  ctx: Context,
  statement: Statement<SearchParams, { total: number }>,
  params: SearchParams,
): Promise<number> {
  return (await ctx.db.first(statement, params))?.total ?? 0;
}

function contactSearch(needle: string): Omit<ContactSearch, keyof Visibility> {
  const digits = phoneSearchDigits(needle);
  const matches = [matchPhrase("search_text", needle), ...(digits ? [matchPhrase("phone_digits", digits)] : [])];
  return {
    needle,
    digits,
    id: canonicalId(needle) ?? null,
    needle_pattern: likePattern(needle),
    digits_pattern: digits && likePattern(digits),
    match: matches.join(" OR "),
  };
}
