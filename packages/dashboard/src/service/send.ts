import { addressOf, type OperationInput, type RequestParts, type Route } from "@frontdesk/client/agent";
import type { HttpOperation, Response } from "@frontdesk/core/contract/operation";
import { ServiceError } from "./service-error.ts";

/** The root of the service, without a slash at the end: the scripts are in `app/assets` below it, whatever prefix a proxy adds. */
export const ROOT = new URL(import.meta.env.DEV ? "/" : "../..", import.meta.url).href.replace(/\/$/, "");
/** The same, as the path that the router's addresses begin with. */
export const ROOT_PATH = new URL(ROOT).pathname.replace(/\/$/, "");

const TIMEOUT_MS = 30_000;
const UNAUTHORIZED = 401;

/** Called when the service answers that the session is over. */
let onSignedOut = () => {};

export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

type Input<O> = OperationInput<O> & { signal?: AbortSignal };

/**
 * Asks operations of one API by their names, with the session's cookie. What it makes throws a ServiceError for everything but an
 * answer.
 *
 * @param prefix where the API stands, below `/app/api`
 */
export function asker<Operations extends Record<string, HttpOperation>>(
  prefix: string,
  routes: { readonly [Name in keyof Operations]: Route },
) {
  return async <Name extends keyof Operations>(
    name: Name,
    ...[input]: object extends Input<Operations[Name]>
      ? [input?: Input<Operations[Name]>]
      : [input: Input<Operations[Name]>]
  ): Promise<Response<Operations[Name]>> => {
    const [method, path] = routes[name];
    const { signal, body, ...parts } = (input ?? {}) as RequestParts & { signal?: AbortSignal };
    // A change is told apart from a page's form by its JSON.
    const sent = method === "GET" ? undefined : JSON.stringify(body ?? {});
    return send(method, `${prefix}${addressOf(path, parts)}`, sent, signal);
  };
}

async function send<Answer>(
  method: string,
  address: string,
  body: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`${ROOT}/app/api${address}`, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    ...(body !== undefined && { body }),
    redirect: "error",
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new ServiceError(0, {});
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer as Answer;
  if (response.status === UNAUTHORIZED) onSignedOut();
  throw new ServiceError(response.status, answer as object);
}
