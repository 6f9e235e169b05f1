/**
 * One operation of an API over HTTP: everything that validation, serialisation, types and clients need to know about it. The APIs and
 * their catalogues are in `apis.ts`; a route of the server is built from an entry, and adds nothing to the contract.
 */
import type { Static, TObject, TSchema } from "typebox";
import type { OperationName } from "../domain/policy.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type Tag =
  | "Widgets"
  | "Contacts"
  | "Conversations"
  | "Messages"
  | "Agents"
  | "Channels"
  | "Webhooks"
  | "Assistants"
  | "Knowledge base"
  | "Privacy"
  | "AI";

export interface HttpOperation {
  readonly method: Method;
  /** Below the prefix of its API, parameters in braces: `/conversations/{conversation_id}/messages`. */
  readonly path: string;
  readonly params?: TObject;
  /** Integers are parsed strictly by the server; all other parameters are strings. */
  readonly query?: TObject;
  readonly body?: TObject;
  /** The body is the content of a file, of any type, instead of JSON. */
  readonly content?: "file";
  /** The one success answer. With a `mediaType` it is the content of a file of that type, and `body` describes it for readers. */
  readonly responses: Readonly<Record<number, { readonly body: TSchema; readonly mediaType?: string }>>;
  /** Accepts `Idempotency-Key` (decision 33). */
  readonly retrySafe?: true;
  /** Public: the authentication of the API is skipped. */
  readonly open?: true;
}

/** One operation of the REST API, with its texts for the documents. The catalogue is `rest.ts`. */
export interface RestOperation extends HttpOperation {
  /** The operationId of the OpenAPI document and the name of the client's method. */
  readonly id: string;
  /** The product operation behind it; `policy` has the key scope it needs. */
  readonly performs: OperationName;
  readonly tag: Tag;
  /** A few words, without a full stop. */
  readonly summary: string;
  /** Markdown: what it does, what a repeat does, what is decided where the spec is silent. */
  readonly description: string;
  readonly responses: Readonly<
    Record<number, { readonly description: string; readonly body: TSchema; readonly mediaType?: string }>
  >;
  /** Error statuses besides the common ones: 400, 401, 403, 429, 500 and 503 everywhere, 413 and 415 where there is a body. */
  readonly errors: readonly number[];
  /** Real-looking values, checked against the schemas by a test. */
  readonly example: {
    readonly params?: object;
    readonly query?: object;
    readonly body?: object;
    /** A text where the answer is no JSON. */
    readonly response: object | string;
  };
}

/** The path parameters of an operation. */
export type Params<O> = O extends { params: infer S extends TSchema } ? Static<S> : undefined;
/** The query of an operation, every parameter optional. */
export type Query<O> = O extends { query: infer S extends TSchema } ? Static<S> : undefined;
/** The JSON body of a request. */
export type Body<O> = O extends { body: infer S extends TSchema } ? Static<S> : undefined;
/** The JSON body of the success answer; its bytes where it is no JSON. */
export type Response<O extends HttpOperation> = {
  [Status in keyof O["responses"]]: O["responses"][Status] extends { mediaType: string }
    ? Uint8Array<ArrayBuffer>
    : O["responses"][Status] extends { body: infer S extends TSchema }
      ? Static<S>
      : never;
}[keyof O["responses"]];

/** The status of the success answer. */
export function successStatus(operation: HttpOperation): number {
  const [status] = Object.keys(operation.responses);
  if (status === undefined) throw new Error(`${operation.method} ${operation.path} has no success answer`);
  return Number(status);
}

/** The media type of a success answer that is no JSON. */
export function mediaTypeOf(operation: HttpOperation): string | undefined {
  return operation.responses[successStatus(operation)]?.mediaType;
}
