import { ServiceError } from "./service-error.ts";

/** Where ours lie, without a slash at the end: the scripts stand in `app/assets` below it, whatever a proxy puts before. */
export const ROOT = new URL(import.meta.env.DEV ? "/" : "../..", import.meta.url).href.replace(/\/$/, "");
/** The same, as the path that the router's addresses begin with. */
export const ROOT_PATH = new URL(ROOT).pathname.replace(/\/$/, "");

const TIMEOUT_MS = 30_000;
const UNAUTHORIZED = 401;

/** Called when the service says that nobody is signed in (any more). */
let onSignedOut = () => {};

export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

export interface Request {
  method: string;
  /** Below `/app/api`, filled. */
  path: string;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/**
 * One request with the session's cookie.
 *
 * @throws ServiceError for everything but an answer
 */
export async function send<Answer>({ method, path, query, body, signal }: Request): Promise<Answer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`${ROOT}/app/api${path}${queryText(query)}`, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
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

/** `/agents/{id}` with its places filled. */
export function filled(path: string, params: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

function queryText(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return search.size > 0 ? `?${search}` : "";
}
