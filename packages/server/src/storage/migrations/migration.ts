import type { Engine } from "../dialect.ts";

/** One numbered, forward-only step of the schema; the same list serves both engines. */
export interface Migration {
  number: number;
  name: string;
  /** True: a program that does not know this step must not run on the migrated data. */
  breaking: boolean;
  statements(types: ColumnTypes): string[];
}

/** The words in which the engines' column types differ. */
export interface ColumnTypes {
  engine: Engine;
  id: string;
  text: string;
  /** Milliseconds since the epoch, and counters. */
  integer: string;
  flag: string;
  /** What closes CREATE TABLE when rows are found by their key alone. */
  clustered: string;
  /** What closes every other CREATE TABLE. */
  plain: string;
}

export const columnTypes: Record<Engine, ColumnTypes> = {
  sqlite: {
    engine: "sqlite",
    id: "TEXT",
    text: "TEXT",
    integer: "INTEGER",
    flag: "INTEGER",
    clustered: "STRICT, WITHOUT ROWID",
    plain: "STRICT",
  },
  postgres: {
    engine: "postgres",
    id: "uuid",
    text: "text",
    integer: "bigint",
    flag: "smallint",
    clustered: "",
    plain: "",
  },
};
