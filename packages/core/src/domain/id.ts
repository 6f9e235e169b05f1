const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * An id from outside in the form it is stored in (lower case), or undefined when it is not a UUID at all and so names
 * nothing (decisions 25 and 68: a malformed id is as an unknown one).
 */
export function canonicalId(id: string | null | undefined): string | undefined {
  return id && UUID.test(id) ? id.toLowerCase() : undefined;
}
