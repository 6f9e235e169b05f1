/** Rows of a table, and of a partial index: those hold what is under way. */
const ROWS = 1_000_000;
const ROWS_OF_PARTIAL_INDEX = 10_000;
/** By how much a column of an index narrows the rows down. */
const NARROWED_BY = 20;
/** The same of ids that few rows share: of these a statement may look for a list (`Dialect.isIn`), which SQLite takes to hold 25. */
const NARROWED_BY_ID = 1_000;
const SHARED_BY_FEW = ["conversation_id", "message_id", "event_id"];

const INDEXES = `
  SELECT tables.name AS "table", indexes.name AS "index", indexes."unique" AS is_unique, indexes.partial AS is_partial,
    (SELECT json_group_array(name) FROM pragma_index_info(indexes.name)) AS columns
  FROM pragma_table_list AS tables, pragma_index_list(tables.name) AS indexes
  WHERE tables.schema = 'main' AND tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`;

/**
 * Tells SQLite's planner how its indexes narrow rows down. Without that it takes a team to have some ten rows in each table, and
 * prefers to read them all. The figures are the same in every installation, so that a statement has one plan everywhere, and no
 * `ANALYZE` has to read the data. Other connections read them together with a changed schema.
 *
 * @param raw runs one SQL text on the connection
 */
export async function writePlannerStatistics(raw: (text: string) => Promise<Record<string, unknown>[]>): Promise<void> {
  // Creates `sqlite_stat1`, and reads one small table.
  await raw("ANALYZE schema_migrations");
  await raw("DELETE FROM sqlite_stat1");
  for (const { table, index, is_unique, is_partial, columns } of await raw(INDEXES)) {
    const stat = indexStatistics(JSON.parse(String(columns)), Boolean(is_unique), Boolean(is_partial));
    await raw(`INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('${table}', '${index}', '${stat}')`);
  }
  await raw("ANALYZE sqlite_schema");
}

/** In the form of `sqlite_stat1`: all rows, then how many share the first column, the first two, and so on. */
function indexStatistics(columns: string[], isUnique: boolean, isPartial: boolean): string {
  const rows = isPartial ? ROWS_OF_PARTIAL_INDEX : ROWS;
  let left = rows;
  const sharing = columns.map((column, index) => {
    left /= SHARED_BY_FEW.includes(column) ? NARROWED_BY_ID : NARROWED_BY;
    return isUnique && index + 1 === columns.length ? 1 : Math.max(2, Math.round(left));
  });
  return [rows, ...sharing].join(" ");
}
