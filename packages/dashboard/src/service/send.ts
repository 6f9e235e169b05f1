import { addressOf, type OperationInput, type RequestParts, type Route } from "@frontdesk/client/agent";
import type { PrivateErrorBody } from "@frontdesk/core/contract/errors";
import type { HttpOperation, Response } from "@frontdesk/core/contract/operation";
import { ServiceError } from "./service-error.ts";
import { fetchVerified } from "./verify-again.ts";

/**
 * The root URL of the service, without a trailing slash: the scripts are in `app/assets` below it, whatever prefix a proxy
 * adds.
 */
export const ROOT = new URL(import.meta.env.DEV ? "/" : "../..", import.meta.url).href.replace(/\/$/, "");
/** The same as a path, the base path of the router. */
export const ROOT_PATH = new URL(ROOT).pathname.replace(/\/$/, "");

const TIMEOUT_MS = 30_000;
const UNAUTHORIZED = 401;

/** Called when the service answers that the session has ended. */
let onSignedOut = (_reason: string | undefined) => {};

/** @param listener gets the reason's name (`core/domain/reasons.ts`) */
export function whenSignedOut(listener: (reason: string | undefined) => void): void {
  onSignedOut = listener;
}

type Input<O> = OperationInput<O> & { signal?: AbortSignal; timeoutMs?: number };

/**
 * Requests operations of one API by name, with the session's cookie. The returned function throws a ServiceError for anything
 * but a successful answer.
 *
 * @param prefix the path of the API, below `/app/api`
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
    const { signal, timeoutMs, body, ...parts } = (input ?? {}) as RequestParts & Input<object>;
    // The JSON content type proves that a change was not sent by another site's form.
    const sent = method === "GET" ? undefined : JSON.stringify(body ?? {});
    return send(method, `${prefix}${addressOf(path, parts)}`, sent, signal, timeoutMs);
  };
}

async function send<Answer>(
  method: string,
  address: string,
  body: string | undefined,
  signal: AbortSignal | undefined,
  timeoutMs = TIMEOUT_MS,
): Promise<Answer> {
  const response = await fetchVerified(() => {
    const timeout = AbortSignal.timeout(timeoutMs);
    return fetch(`${ROOT}/app/api${address}`, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      ...(body !== undefined && { body }),
      redirect: "error",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new ServiceError(0, {});
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer as Answer;
  if (response.status === UNAUTHORIZED) onSignedOut((answer as Partial<PrivateErrorBody>).reason);
  throw new ServiceError(response.status, answer as object);
}
