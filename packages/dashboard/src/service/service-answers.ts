import { isOffline } from "../inbox/live-inbox.ts";
import { ROOT } from "./send.ts";

const TIMEOUT_MS = 10_000;
/** The browser does not know when a service that was down is back. */
const ASK_AGAIN_MS = 3_000;
/** From here on a proxy answers for a service that is down. */
const BAD_GATEWAY = 502;

/** Whether the service answers now. */
export async function serviceAnswers(): Promise<boolean> {
  if (navigator.onLine === false) return false;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { status } = await fetch(`${ROOT}/app`, { method: "HEAD", cache: "no-store", signal });
    return status < BAD_GATEWAY;
  } catch {
    return false;
  }
}

let waiting: Promise<void> | undefined;

/** Resolves once the service answers. All that wait share the requests. */
export function whenServiceAnswers(): Promise<void> {
  waiting ??= askUntilAnswered().finally(() => {
    waiting = undefined;
  });
  return waiting;
}

async function askUntilAnswered(): Promise<void> {
  while (!(await serviceAnswers())) await timeToAskAgain();
}

function timeToAskAgain(): Promise<void> {
  return new Promise((resolve) => {
    const ask = () => {
      clearTimeout(timer);
      removeEventListener("online", ask);
      resolve();
    };
    const timer = setTimeout(ask, ASK_AGAIN_MS);
    addEventListener("online", ask);
  });
}

/** Resolves at once while nothing is known to be wrong, without a request. */
export async function whenConnected(): Promise<void> {
  if (isOffline()) await whenServiceAnswers();
}

/** Without a connection, the browser would replace the page with its own error page. */
export async function reloadPage(): Promise<void> {
  await whenServiceAnswers();
  location.reload();
}
