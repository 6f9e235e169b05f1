/** Where a browser does not say when it has nothing else to do: what comes first has been drawn by then. */
const GUESS_MS = 500;
/** However busy it is. */
const LONGEST_MS = 2_000;

/**
 * Once what is to be seen first has been drawn. What is not needed for it is fetched then, and takes nothing of it away:
 * `lazy(() => whenIdle().then(() => import(…)))`.
 */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: LONGEST_MS });
    else setTimeout(resolve, GUESS_MS);
  });
}
