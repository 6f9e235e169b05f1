/** Used in browsers without `requestIdleCallback`: the first screen is rendered by then. */
const FALLBACK_MS = 500;
/** The longest wait in a busy browser. */
const TIMEOUT_MS = 2_000;

/** Resolves after the first screen was rendered, for code that it does not need (`lazy-part.ts`). */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: TIMEOUT_MS });
    else setTimeout(resolve, FALLBACK_MS);
  });
}
