/**
 * The typed REST client: one method per operation of the contract, in Node and in browsers, on the platform's `fetch`. Its
 * types come from the contract; `@frontdesk/core` is not loaded at run time.
 */
import type { Response } from "@frontdesk/core/contract/operation";
import type { rest } from "@frontdesk/core/contract/rest";
import { restRoutes } from "./rest-routes.ts";
import type { InputPart, OperationInput } from "./routes.ts";
import {
  type CallOptions,
  type FileContent,
  type RequestInput,
  type SendOptions,
  sendRequest,
} from "./send-request.ts";

export interface ClientOptions {
  /** The root of the API, such as `https://chat.example.com/api/v1`. */
  baseUrl: string;
  /** Keep it on a server: anyone with the key can read every conversation. */
  apiKey: string;
  /** How often a request is repeated after a temporary failure; 0 turns it off. */
  retries?: number;
  /** Timeout of one attempt, in milliseconds. */
  timeoutMs?: number;
  /** Another `fetch`, for a proxy or a test. */
  fetch?: typeof globalThis.fetch;
  /** Waits between attempts; replaced in tests. */
  wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

export type OperationId = keyof typeof rest;
type Operation<Id extends OperationId> = (typeof rest)[Id];

/** The input of an operation: `params` and `body` where it has them, optionally `query`, and the options of any call. */
export type Input<Id extends OperationId> = CallOptions &
  OperationInput<Operation<Id>> &
  InputPart<"content", Operation<Id> extends { content: "file" } ? FileContent : undefined>;

/** The answer of an operation. */
export type Output<Id extends OperationId> = Response<Operation<Id>>;

export type Client = {
  readonly [Id in OperationId]: CallOptions extends Input<Id>
    ? (input?: Input<Id>) => Promise<Output<Id>>
    : (input: Input<Id>) => Promise<Output<Id>>;
};

/**
 * Creates a client. Each method resolves to the JSON answer (of a file, to its bytes) and throws a `FrontdeskError` otherwise. The methods need no
 * `this`, so they can be passed around: `eachItem(client.listContacts)`.
 */
export function createClient({
  baseUrl,
  apiKey,
  retries = 3,
  timeoutMs = 30_000,
  fetch = globalThis.fetch,
  wait = waitFor,
}: ClientOptions): Client {
  const options: SendOptions = { baseUrl: withoutSlash(baseUrl), apiKey, retries, timeoutMs, fetch, wait };
  const methods = Object.entries(restRoutes).map(([id, route]) => [
    id,
    (input: RequestInput = {}) => sendRequest(options, route, input),
  ]);
  return Object.freeze(Object.fromEntries(methods)) as Client;
}

function withoutSlash(baseUrl: string): string {
  if (!/^https?:$/.test(new URL(baseUrl).protocol)) throw new TypeError("baseUrl must be an http or https address.");
  return baseUrl.replace(/\/+$/, "");
}

function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
