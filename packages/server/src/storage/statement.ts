import { type Compilable, type Kysely, type RawBuilder, sql } from "kysely";
import { columnNames, type StoredColumn } from "./columns.ts";
import { type Dialect, dialects, type Engine } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/**
 * A statement written once with the query builder, compiled once for each engine, and run many times with values.
 *
 * Building and compiling a query costs more than running it, so no SQL is made while a request waits
 * (docs/decisions/0003-statements-compiled-once.md has the figures).
 */
export interface Statement<P, Row> {
  compiled(engine: Engine): CompiledStatement<P>;
  /** Only for inference; never set. */
  readonly row?: Row;
}

export interface CompiledStatement<P> {
  sql: string;
  /** A short name, unique in the process: PostgreSQL keeps the prepared statement under it. */
  name: string;
  /** The values in the order of the placeholders. */
  values(params: P): unknown[];
}

/** `param("conversation_id")`: the place in a statement where a value goes. */
export type Param<P> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]>;

/**
 * Declares a statement.
 *
 * @example
 * const widgetById = statement<{ team_id: string; id: string }, Row>((db, param) =>
 *   db.selectFrom("widgets").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")));
 */
export function statement<P, Row = unknown>(
  build: (db: Kysely<Tables>, param: Param<P>, dialect: Dialect) => Compilable<Row>,
): Statement<P, Row> {
  const compiled: Partial<Record<Engine, CompiledStatement<P>>> = {};
  return {
    compiled(engine) {
      compiled[engine] ??= compile(build, dialects[engine]);
      return compiled[engine];
    },
  };
}

/** Stands in a compiled query for a value that comes later. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

let statements = 0;

function compile<P>(
  build: (db: Kysely<Tables>, param: Param<P>, dialect: Dialect) => Compilable<unknown>,
  dialect: Dialect,
): CompiledStatement<P> {
  const param: Param<P> = (name) => sql`${new Placeholder(name)}`;
  const query = build(dialect.builder, param, dialect).compile();
  const slots = query.parameters.map((parameter) =>
    parameter instanceof Placeholder
      ? { name: parameter.name as keyof P, constant: undefined }
      : { name: undefined, constant: parameter },
  );
  statements += 1;
  return {
    sql: query.sql,
    name: `s${statements}`,
    values: (params) => slots.map((slot) => (slot.name === undefined ? slot.constant : params[slot.name])),
  };
}

/** The parameters of every column of a table: what an insert of a whole row writes. No field of the row can be left out. */
export function wholeRow<T extends keyof Tables, P extends Pick<Tables[T], StoredColumn<T>>>(
  param: Param<P>,
  table: T,
) {
  return every(param, columnNames(table)) as unknown as { [C in StoredColumn<T>]: RawBuilder<Tables[T][C]> };
}

/** The parameters of some `columns`. */
export function every<P, K extends keyof P & string>(param: Param<P>, columns: readonly K[]) {
  return Object.fromEntries(columns.map((column) => [column, param(column)])) as { [C in K]: RawBuilder<P[C]> };
}
