import { type Compilable, type Kysely, type RawBuilder, sql } from "kysely";
import { columnNames, type StoredColumn } from "./columns.ts";
import { type Dialect, dialects, type Engine } from "./dialect.ts";
import type { Tables } from "./tables.ts";

const madeHere: unique symbol = Symbol("statement");

/**
 * A statement written once with the query builder, compiled once for each engine, and run many times with values.
 *
 * Building and compiling a query costs more than running it, so no SQL is made during a request
 * (docs/decisions/0003-statements-compiled-once.md has the figures).
 */
export interface Statement<P, Row> {
  compiled(engine: Engine): CompiledStatement<P>;
  /** Only this file makes statements, so none is missing in `declaredStatements`. */
  readonly [madeHere]: true;
  /** Only for inference; never set. */
  readonly row?: Row;
}

export interface CompiledStatement<P> {
  sql: string;
  /** The names of the parameters it uses, in the order of the placeholders; null for a constant. */
  params: readonly ((keyof P & string) | null)[];
  /** A short name, unique in the process: PostgreSQL stores the prepared statement under it. */
  name: string;
  /** The values in the order of the placeholders. */
  values(params: P): unknown[];
}

/** `param("conversation_id")`: the position of a value in a statement. */
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
  const declared: Statement<P, Row> = {
    compiled(engine) {
      compiled[engine] ??= compile(build, dialects[engine]);
      return compiled[engine];
    },
    [madeHere]: true,
  };
  registry.push({ statement: declared as Statement<never, unknown>, declaredAt: new Error("declared") });
  return declared;
}

/** A statement in the registry, with the stack of the call that declared it. */
export interface DeclaredStatement {
  statement: Statement<never, unknown>;
  /** Not thrown. The stack is formatted only when it is read, so that declaring stays cheap. */
  declaredAt: Error;
}

const registry: DeclaredStatement[] = [];

/** Every statement that the modules loaded so far have declared, exported or not, in the order of declaration. */
export function declaredStatements(): readonly DeclaredStatement[] {
  return registry;
}

/**
 * A statement that is text already, without parameters: what creates and drops tables during a restore. It is not in the
 * registry; `stories/house/every-statement.test.ts` names the one file that may use it.
 */
export function textStatement<Row = Record<string, unknown>>(text: string): Statement<Record<never, never>, Row> {
  statements += 1;
  const compiled: CompiledStatement<Record<never, never>> = {
    sql: text,
    params: [],
    name: `s${statements}`,
    values: () => [],
  };
  return { compiled: () => compiled, [madeHere]: true };
}

/** Represents a later value in a compiled query. */
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
      ? { name: parameter.name as keyof P & string, constant: undefined }
      : { name: undefined, constant: parameter },
  );
  statements += 1;
  return {
    sql: query.sql,
    params: slots.map(({ name }) => name ?? null),
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
