/**
 * Which attributes of a listed resource are answered (spec, "Pagination"; decisions 11 and 12).
 * The query has passed its schema, so every name is an allowed one.
 */

/** `include_fields` and `exclude_fields` as the query has them: names separated by commas. */
export interface FieldsQuery {
  include_fields?: string;
  exclude_fields?: string;
}

/**
 * The names to answer, in the order of `selectable`. `include_fields` alone counts when both are sent;
 * `exclude_fields` removes from the defaults, so it never adds a field that must be asked for.
 */
export function chooseFields<const Name extends string>(
  selectable: readonly Name[],
  defaults: readonly Name[],
  query: FieldsQuery,
): readonly Name[] {
  if (query.include_fields !== undefined) {
    const included = new Set<string>(query.include_fields.split(","));
    return selectable.filter((name) => included.has(name));
  }
  if (query.exclude_fields !== undefined) {
    const excluded = new Set<string>(query.exclude_fields.split(","));
    return defaults.filter((name) => !excluded.has(name));
  }
  return defaults;
}
