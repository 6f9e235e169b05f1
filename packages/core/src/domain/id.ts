const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * An id from outside in its stored form (lower case), or undefined when it is not a UUID at all (decisions 25 and 68: a
 * malformed id is treated as an unknown one).
 */
export function canonicalId(id: string | null | undefined): string | undefined {
  return id && UUID.test(id) ? id.toLowerCase() : undefined;
}
