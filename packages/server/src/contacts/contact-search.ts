import { canonicalId } from "@frontdesk/core/domain/id";
import type { PageRequest } from "@frontdesk/core/domain/page";
import { phoneSearchDigits } from "@frontdesk/core/domain/phone";
import { foldSearch, searchWords } from "@frontdesk/core/domain/search-text";
import { seesEverything, visibilityOf } from "../access/visibility-store.ts";
import type { Context } from "../context.ts";
import { type Listed, pageWindow } from "../list.ts";
import { contactMatch, contactTerms, listParam } from "../storage/dialect.ts";
import {
  type ContactPiece,
  contactBehind,
  type IndexedSearch,
  indexedMatches,
  indexedSearchPage,
  indexedSearchTotal,
  type ListedContactRow,
  scannedSearchPage,
  scannedSearchTotal,
} from "./contact-store.ts";

/** With more matches than this, scanning the contacts in their order finds a page sooner than sorting all matches. */
const MANY_MATCHES = 1_000;
/** About a millisecond: other requests are answered between two pieces (docs/decisions/0033-search-in-pieces.md). */
const CONTACTS_AT_ONCE = 2_000;
/** When only the first matches are needed, texts of one or two characters are searched among this many contacts. */
export const CONTACTS_OF_SHORT_SEARCH = 50_000;

/** What is looked for in contacts. */
export interface ContactNeedle {
  /** Each is contained in the name or the e-mail, the longest first. */
  words: readonly string[];
  /** Or these in the phone number. */
  digits: string | null;
  /** Or this is the id. */
  id: string | null;
}

/** A search in the form that is compared; undefined when nothing is left of it, which is no filter. */
export function contactNeedle(search: string): ContactNeedle | undefined {
  const digits = phoneSearchDigits(search);
  // The groups of a phone number ("01 23 45 67") are no words, and are found together or not at all.
  const words = digits === null ? searchWords(search) : [foldSearch(search).trim()];
  return words.length === 0 ? undefined : { words, digits, id: canonicalId(search.trim()) ?? null };
}

/** Every contact contains it. */
export const everyone: ContactNeedle = { words: [""], digits: null, id: null };

/**
 * The contacts whose name and e-mail contain all words of a search, whose phone contains its digits, or whose id it is (decision
 * 1, docs/decisions/0045-what-a-search-finds.md): those that the actor may see, last activity first.
 */
export async function searchContacts(
  ctx: Context,
  page: PageRequest,
  needle: ContactNeedle,
): Promise<Listed<ListedContactRow>> {
  const { params, indexed } = searchIn(ctx, needle);
  const { limit, offset } = pageWindow(page);
  const few = indexed ? await fewMatches(ctx, params) : undefined;
  if (few !== undefined) {
    const isExact = seesEverything(params) && needle.words.length === 1;
    const total = isExact ? few : ((await ctx.db.first(indexedSearchTotal, params))?.total ?? 0);
    return { rows: offset < total ? await ctx.db.all(indexedSearchPage, { ...params, limit, offset }) : [], total };
  }
  const rows: ListedContactRow[] = [];
  let total = 0;
  for await (const piece of piecesOf(ctx)) {
    const found = (await ctx.db.first(scannedSearchTotal, { ...params, ...piece }))?.total ?? 0;
    const skip = Math.max(0, offset - total);
    const wanted = limit - rows.length;
    if (skip < found && wanted > 0) {
      rows.push(...(await ctx.db.all(scannedSearchPage, { ...params, ...piece, limit: wanted, offset: skip })));
    }
    total += found;
  }
  return { rows, total };
}

/**
 * The first `limit` of them, without counting the others. A search of one or two characters reads the contacts that were active
 * last.
 */
export async function firstOfSearch(ctx: Context, needle: ContactNeedle, limit: number): Promise<ListedContactRow[]> {
  const { params, indexed } = searchIn(ctx, needle);
  if (indexed && (await fewMatches(ctx, params)) !== undefined) {
    return ctx.db.all(indexedSearchPage, { ...params, limit, offset: 0 });
  }
  const rows: ListedContactRow[] = [];
  let looked = 0;
  for await (const piece of piecesOf(ctx)) {
    const wanted = limit - rows.length;
    rows.push(...(await ctx.db.all(scannedSearchPage, { ...params, ...piece, limit: wanted, offset: 0 })));
    looked += CONTACTS_AT_ONCE;
    if (rows.length >= limit || (!indexed && looked >= CONTACTS_OF_SHORT_SEARCH)) break;
  }
  return rows;
}

/** The team's contacts in their order, some at a time. */
async function* piecesOf(ctx: Context): AsyncGenerator<ContactPiece> {
  let cursor = { before: Number.MAX_SAFE_INTEGER, before_id: LOWEST_ID };
  for (;;) {
    const from = { team_id: ctx.teamId, ...cursor };
    const last = await ctx.db.first(contactBehind, { ...from, reach: CONTACTS_AT_ONCE - 1 });
    if (!last) {
      yield { ...from, until: 0, until_id: LOWEST_ID };
      return;
    }
    yield { ...from, until: last.last_active_at, until_id: last.id };
    cursor = { before: last.last_active_at, before_id: last.id };
  }
}

const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

/** The index finds texts of three characters and more; shorter ones are searched in each contact. */
export function isIndexed(text: string): boolean {
  return [...text].length >= 3;
}

type SearchParams = IndexedSearch & { team_id: string };

function searchIn(ctx: Context, { words, digits, id }: ContactNeedle): { params: SearchParams; indexed: boolean } {
  const [needle = "", ...others] = words;
  const known = words.filter(isIndexed);
  const indexed = known.length > 0 && (digits === null || isIndexed(digits));
  const params: SearchParams = {
    team_id: ctx.teamId,
    needle,
    others: listParam(others),
    digits,
    id,
    needle_terms: contactTerms(ctx.teamId, "search_text", known),
    digits_terms: digits === null ? null : contactTerms(ctx.teamId, "phone_digits", [digits]),
    match: contactMatch(ctx.teamId, known, digits),
    most: MANY_MATCHES,
    ...visibilityOf(ctx.actor),
  };
  return { params, indexed };
}

/** How many the index finds, including hidden ones; undefined when they are too many for it. */
async function fewMatches(ctx: Context, params: SearchParams): Promise<number | undefined> {
  const total = (await ctx.db.first(indexedMatches, params))?.total ?? 0;
  return total < MANY_MATCHES ? total : undefined;
}
