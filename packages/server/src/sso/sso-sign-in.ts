import { askProviders, type SsoSignInParts } from "./ask-provider.ts";
import { createSsoBegin } from "./begin-sso.ts";
import { createSsoEnd } from "./end-sso.ts";

export type SsoSignIn = ReturnType<typeof createSsoSignIn>;

/** Signing in by SSO, from the first page to the last. */
export function createSsoSignIn(parts: SsoSignInParts) {
  const ask = askProviders();
  return { ...createSsoBegin(parts, ask), ...createSsoEnd(parts, ask) };
}
