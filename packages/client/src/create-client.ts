/**
 * The typed REST client: one method an operation of the contract, in Node and in browsers, on the platform's own `fetch`.
 * Its types come from the catalogue; `@frontdesk/core` is not loaded at run time.
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
  /** Keep it on a server: whoever has the key can read every conversation. */
  apiKey: string;
  /** How often a request is sent again after a failure that may pass; 0 turns it off. */
  retries?: number;
  /** How long one attempt may take, in milliseconds. */
  timeoutMs?: number;
  /** Another `fetch`, for a proxy or a test. */
  fetch?: typeof globalThis.fetch;
  /** How to wait between attempts, for a test that holds the clock. */
  wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

export type OperationId = keyof typeof rest;
type Operation<Id extends OperationId> = (typeof rest)[Id];

/** What an operation takes: `params` and `body` where it has them, `query` if you like, and the options of any call. */
export type Input<Id extends OperationId> = CallOptions &
  OperationInput<Operation<Id>> &
  InputPart<"content", Operation<Id> extends { content: "file" } ? FileContent : undefined>;

/** What an operation answers. */
export type Output<Id extends OperationId> = Response<Operation<Id>>;

export type Client = {
  readonly [Id in OperationId]: CallOptions extends Input<Id>
    ? (input?: Input<Id>) => Promise<Output<Id>>
    : (input: Input<Id>) => Promise<Output<Id>>;
};

/**
 * Makes a client. Each method resolves to the JSON answer and throws a `FrontdeskError` otherwise.
 * The methods need no `this`, so they can be passed around: `eachItem(client.listContacts)`.
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
