import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";

/** Reading all certificates that Node trusts takes 20 ms. */
const contexts = new Map<string | undefined, SecureContext>();

/**
 * What connections trust, made once a process for all of them.
 *
 * @param extraCa certificates (PEM) besides those that Node trusts
 */
export function trustingContext(extraCa: string | undefined): SecureContext {
  const known = contexts.get(extraCa);
  if (known) return known;
  const made = createSecureContext(extraCa ? { ca: [...getCACertificates("default"), extraCa] } : {});
  contexts.set(extraCa, made);
  return made;
}
