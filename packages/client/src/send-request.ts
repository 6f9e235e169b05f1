/**
 * One call: an address, a request, and retries where they are safe.
 *
 * | what happened | sent again |
 * |---|---|
 * | 429 | always: the limit is counted before anything is done |
 * | no answer, 502, 503, 504 | reads, PUT, and POSTs that carry an idempotency key |
 * | anything else | never |
 *
 * Each wait is `Retry-After` if the service sent it, else half a second, doubled every time, with a random part. A wait longer
 * than a minute is not made: the caller gets the error and its `retryAfter`.
 */
import { FrontdeskError } from "./frontdesk-error.ts";
import { addressOf, type RequestParts, type Route } from "./routes.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call; it then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Your own key for a creating POST, the same when you repeat it after a restart. Generated when omitted. */
  idempotencyKey?: string;
}

/** A call with its parts, as passed by the client's methods. */
export interface RequestInput extends CallOptions, RequestParts {
  content?: FileContent;
}

/** A file's content, of a kind that can be sent a second time. */
export type FileContent = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer;

/** The settings of a client, with defaults applied. */
export interface SendOptions {
  baseUrl: string;
  apiKey: string;
  retries: number;
  timeoutMs: number;
  fetch: typeof globalThis.fetch;
  wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Sends a request until it is answered, refused, or has failed `retries` + 1 times. */
export async function sendRequest(options: SendOptions, route: Route, input: RequestInput): Promise<unknown> {
  const [, path] = route;
  const address = options.baseUrl + addressOf(path, input);
  const request = requestOf(options.apiKey, route, input);
  for (let failures = 0; ; failures++) {
    const result = await attempt(options, address, { ...request, isBytes: route[2] === "bytes" }, input.signal);
    if ("answer" in result) return result.answer;
    const waitMs = waitAfter(result.error, failures);
    if (failures >= options.retries || !mayRepeat(route, result.error) || waitMs > LONGEST_WAIT_MS) throw result.error;
    await options.wait(waitMs, input.signal);
  }
}

function requestOf(
  apiKey: string,
  [method, , mark]: Route,
  { body, content, idempotencyKey }: RequestInput,
): RequestInit {
  const headers: Record<string, string> = {
    "X-API-KEY": apiKey,
    Accept: mark === "bytes" ? "*/*" : "application/json",
  };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (mark === "retrySafe") headers["Idempotency-Key"] = idempotencyKey ?? randomKey();
  return {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(content !== undefined && { body: content }),
    // A redirect would carry the API key to another host: fetch strips Authorization there, but not our header.
    redirect: "error",
  };
}

/** 128 random bits. `crypto.randomUUID` is missing on pages not served over https; this is not. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function attempt(
  { fetch, timeoutMs }: SendOptions,
  address: string,
  { isBytes, ...request }: RequestInit & { isBytes: boolean },
  signal: AbortSignal | undefined,
): Promise<{ answer: unknown } | { error: FrontdeskError }> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(address, {
      ...request,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (isBytes && response.ok) return { answer: new Uint8Array(await response.arrayBuffer()) };
    const text = await response.text();
    return response.ok ? answerOf(response, text) : { error: refusalOf(response, text) };
  } catch (cause) {
    signal?.throwIfAborted();
    const message = timeout.aborted ? "The service did not answer in time." : "The service could not be reached.";
    return { error: new FrontdeskError({ status: 0, message, cause }) };
  }
}

function answerOf(response: Response, text: string): { answer: unknown } | { error: FrontdeskError } {
  const answer = parsed(text);
  if (answer !== undefined) return { answer };
  const message = "The answer is not JSON. Please check the base address.";
  return { error: new FrontdeskError({ status: response.status, message, requestId: requestIdOf(response) }) };
}

function refusalOf(response: Response, text: string): FrontdeskError {
  const body = parsed(text) as { message?: unknown; errors?: Record<string, string[]> } | undefined;
  return new FrontdeskError({
    status: response.status,
    message: typeof body?.message === "string" ? body.message : `The service answered ${response.status}.`,
    errors: body?.errors,
    body,
    retryAfter: retryAfterOf(response),
    requestId: requestIdOf(response),
  });
}

/** The JSON of an answer; undefined when it is not JSON (a proxy's error page). */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function requestIdOf(response: Response): string | undefined {
  return response.headers.get("X-Request-Id") ?? undefined;
}

/** Whole seconds; the service never sends the other form of the header, a date. */
function retryAfterOf(response: Response): number | undefined {
  const value = response.headers.get("Retry-After");
  return value !== null && /^[0-9]+$/.test(value) ? Number(value) : undefined;
}

function mayRepeat([method, , mark]: Route, { status }: FrontdeskError): boolean {
  if (status === 429) return true;
  if (![0, 502, 503, 504].includes(status)) return false;
  return mark === "retrySafe" || method === "GET" || method === "PUT";
}

function waitAfter({ retryAfter }: FrontdeskError, failures: number): number {
  if (retryAfter !== undefined) return retryAfter * 1000;
  return FIRST_WAIT_MS * 2 ** failures * (1 + Math.random() / 2);
}
