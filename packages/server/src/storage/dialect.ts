import {
  DummyDriver,
  type Expression,
  Kysely,
  type LimitNode,
  type OffsetNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import type { Tables } from "./tables.ts";

/** The differences between the two engines. Everything else in a `*-store.ts` is common to both. */
export interface Dialect {
  engine: Engine;
  /** Builds and compiles; it has no connection. */
  builder: Kysely<Tables>;
  /** `column`, an id, is one of those in `list`, a parameter made by `listParam`; null is an empty list. */
  isIn(column: Expression<unknown>, list: RawBuilder<string | null>): RawBuilder<SqlBool>;
  /** The same of a `column` that is a text. */
  isInTexts(column: Expression<unknown>, list: RawBuilder<string | null>): RawBuilder<SqlBool>;
  /** `column`, a whole number, is one of those in `list`, a parameter made by `numbersParam`. */
  isInNumbers(column: Expression<unknown>, list: RawBuilder<string>): RawBuilder<SqlBool>;
  /** The rows of `list`, a parameter made by `rowsParam`, to select from; the members that `columns` names. */
  listedRows<Row>(list: RawBuilder<string>, columns: Record<keyof Row & string, ListedType>): RawBuilder<Row>;
  /** The rows of `list`, a parameter made by `wordsParam`, to select from. */
  listedWords(list: RawBuilder<string>): RawBuilder<ListedWord>;
  /**
   * `column` (already folded) contains `needle` (already folded) as a substring. `%`, `_` and `\` are plain characters. Scans;
   * for a few rows only.
   */
  holds(column: Expression<unknown>, needle: Expression<string | null>): RawBuilder<SqlBool>;
  /** The same of each of the `needles`, a parameter made by `listParam`. */
  holdsAll(column: Expression<unknown>, needles: RawBuilder<string>): RawBuilder<SqlBool>;
  /** `column` contains one of the `patterns`, JSON made by `listParam`, in which `_` is any one character. */
  isLikeOne(column: Expression<unknown>, patterns: Expression<string>): RawBuilder<SqlBool>;
  /** The values of a `column` of all rows as a JSON text, which is `[]` when there is no row. */
  valuesOf(column: Expression<unknown>): RawBuilder<string>;
  /**
   * By the contacts' index: name and e-mail contain the words, the phone the digits, or the exact id. It knows words of three
   * characters and more, so shorter ones have to be compared besides. On SQLite it finds `most` contacts at most, since the
   * whole list of matches is built before anything else is read.
   */
  contactMatches(search: IndexedContactSearch): RawBuilder<SqlBool>;
}

export type Engine = "sqlite" | "postgres";

/** The type of a member of a listed row. */
export type ListedType = "id" | "text" | "integer";

/** A word of an article to be stored. */
export interface ListedWord {
  word: string;
  backward: string;
  weight: number;
}

export interface IndexedContactSearch {
  teamId: RawBuilder<string>;
  id: RawBuilder<string | null>;
  /** One of the words. */
  needle: RawBuilder<string>;
  digits: RawBuilder<string | null>;
  /** The terms that both have to be found by, made by `contactTerms`, for PostgreSQL; null finds nothing. */
  needleTerms: RawBuilder<string>;
  digitsTerms: RawBuilder<string | null>;
  /** The FTS5 query, made by `contactMatch`, for SQLite. */
  match: RawBuilder<string>;
  most: RawBuilder<number>;
}

/** A list as one bound value: JSON text, which SQLite reads with json_each and PostgreSQL converts to an array. */
export const listParam = (values: readonly string[]): string => JSON.stringify(values);

/** The same of whole numbers. */
export const numbersParam = (values: readonly number[]): string => JSON.stringify(values);

/** Rows as one bound value. Their texts contain no NUL and no half of a surrogate pair: PostgreSQL accepts neither. */
export const rowsParam = (rows: readonly object[]): string => JSON.stringify(rows);

/** Words as one bound value. */
export const wordsParam = (words: readonly ListedWord[]): string =>
  JSON.stringify(words.map(({ word, backward, weight }) => [word, backward, weight]));

/** `needle` as a LIKE pattern that means exactly "contains needle". */
export const likePattern = (needle: string): string => `%${needle.replaceAll(/[\\%_]/g, "\\$&")}%`;

/**
 * The terms of words in the contacts' index (migration 18), as one bound value. A word needs at least three characters: shorter
 * ones have no term.
 */
export const contactTerms = (
  teamId: string,
  column: "search_text" | "phone_digits",
  words: readonly string[],
): string =>
  JSON.stringify(
    words.flatMap(trigrams).map((three) => `${endOf(teamId)}${column === "search_text" ? "s" : "p"}${three}`),
  );

/** The same as an FTS5 query: a phrase of terms is a part of the text. */
export function contactMatch(teamId: string, words: readonly string[], digits: string | null): string {
  const phrase = (column: string, text: string) =>
    `${column} : "${trigrams(text)
      .map((three) => endOf(teamId) + Buffer.from(three).toString("hex"))
      .join(" ")}"`;
  const all = words.map((word) => phrase("search_text", word)).join(" AND ");
  return digits === null ? all : `(${all}) OR ${phrase("phone_digits", digits)}`;
}

/** The prefix of the terms of a team. */
const endOf = (teamId: string): string => teamId.slice(-12);

function trigrams(text: string): string[] {
  const characters = [...text];
  return characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(""));
}

/**
 * Since 3.46 SQLite uses the value of a bare `LIMIT ?` for its plan, and so plans the statement again in every call: of the 10
 * µs that a page of eleven ids takes then, the page is 5. A cast hides the value; none of our plans depends on it.
 */
class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    this.append("limit cast(");
    this.visitNode(limit);
    this.append(" as integer)");
  }
  protected override visitOffset({ offset }: OffsetNode): void {
    this.append("offset cast(");
    this.visitNode(offset);
    this.append(" as integer)");
  }
}

const sqlite: Dialect = {
  engine: "sqlite",
  builder: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteCompiler(),
    },
  }),
  isIn: (column, list) => sql`${column} in (select value from json_each(${list}))`,
  isInTexts: (column, list) => sql`${column} in (select value from json_each(${list}))`,
  isInNumbers: (column, list) => sql`${column} in (select value from json_each(${list}))`,
  listedRows(list, columns) {
    const members = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
    return sql`(select ${sql.join(members)} from json_each(${list}))`;
  },
  listedWords: (list) =>
    sql`(select value ->> 0 as word, value ->> 1 as backward, value ->> 2 as weight from json_each(${list}))`,
  holds: (column, needle) => sql`instr(${column}, ${needle}) > 0`,
  holdsAll: (column, needles) =>
    sql`not exists (select 1 from json_each(${needles}) where instr(${column}, value) = 0)`,
  isLikeOne: (column, patterns) =>
    sql`exists (select 1 from json_each(${patterns}) where ${column} like '%' || value || '%')`,
  valuesOf: (column) => sql`json_group_array(${column})`,
  contactMatches: ({ teamId, id, match, most }) => sql`row_key in (
    select rowid from (select rowid from contact_search where contact_search match ${match} limit cast(${most} as integer))
    union all select row_key from contacts where team_id = ${teamId} and id = ${id}
  )`,
};

const postgres: Dialect = {
  engine: "postgres",
  builder: new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  isIn: (column, list) =>
    sql`${column} = any (array(select value::uuid from json_array_elements_text(${list}::json) as list(value)))`,
  isInTexts: (column, list) =>
    sql`${column} = any (array(select value from json_array_elements_text(${list}::json) as list(value)))`,
  isInNumbers: (column, list) =>
    sql`${column} = any (array(select value::bigint from json_array_elements_text(${list}::json) as list(value)))`,
  listedRows(list, columns) {
    const types: Record<ListedType, RawBuilder<unknown>> = { id: sql`uuid`, text: sql`text`, integer: sql`bigint` };
    const entries = Object.entries(columns) as [string, ListedType][];
    const members = entries.map(([name, type]) => sql`${sql.ref(name)} ${types[type]}`);
    return sql`(select * from json_to_recordset(${list}::json) as list(${sql.join(members)}))`;
  },
  listedWords: (list) =>
    sql`(select value ->> 0 as word, value ->> 1 as backward, (value ->> 2)::bigint as weight
      from json_array_elements(${list}::json) as list(value))`,
  holds: (column, needle) => sql`strpos(${column}, ${needle}) > 0`,
  holdsAll: (column, needles) =>
    sql`not exists (select 1 from json_array_elements_text(${needles}::json) as list(value) where strpos(${column}, value) = 0)`,
  isLikeOne: (column, patterns) =>
    sql`exists (select 1 from json_array_elements_text(${patterns}::json) as list(value) where ${column} like '%' || value || '%')`,
  valuesOf: (column) => sql`coalesce(json_agg(${column})::text, '[]')`,
  contactMatches: ({ id, needle, digits, needleTerms, digitsTerms }) =>
    sql`((${hasTerms(needleTerms)} and strpos(search_text, ${needle}) > 0)
      or (${hasTerms(digitsTerms)} and strpos(phone_digits, ${digits}) > 0) or id = ${id})`,
};

/** By the expression of the index `contacts_search`, word for word: otherwise the index is not used. */
function hasTerms(terms: RawBuilder<string | null>): RawBuilder<SqlBool> {
  return sql`frontdesk_contact_terms(team_id, search_text, phone_digits)
    @> (select array_agg(value) from json_array_elements_text(${terms}::json) as list(value))`;
}

export const dialects: Record<Engine, Dialect> = { sqlite, postgres };
