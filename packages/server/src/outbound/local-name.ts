/**
 * Whether a host name, without a dot at its end, belongs to a machine or its own network and never to the internet: a
 * single word, or one that ends in a name kept for that (RFC 6761, 6762 and 8375, ICANN's `internal`, Kubernetes' `svc`).
 */
export function isLocalName(name: string): boolean {
  return !name.includes(".") || /\.(localhost|local|internal|home\.arpa|svc)$/i.test(name);
}

/** Whether a name always means this machine, whatever DNS says (RFC 6761, section 6.3). */
export function isThisMachine(name: string): boolean {
  return /^(.+\.)?localhost$/i.test(name);
}
