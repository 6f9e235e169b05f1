/**
 * The HTTP requests of a visitor's browser. Types come from the contract; nothing of `@frontdesk/core` is loaded at run time.
 */
import type { PrivateErrorBody } from "@frontdesk/core/contract/errors";
import type { Body, Query, Response } from "@frontdesk/core/contract/operation";
import type { visitorOperations } from "@frontdesk/core/contract/visitor";
import type { Clock } from "./clock.ts";
import { visitorRoutes } from "./visitor-routes.ts";

const TIMEOUT_MS = 30_000;

type Operations = typeof visitorOperations;
export type VisitorOperationName = keyof Operations;
export type VisitorInput<Name extends VisitorOperationName> = "body" extends keyof Operations[Name]
  ? Body<Operations[Name]>
  : Query<Operations[Name]>;
export type MessageToSend = VisitorInput<"sendMessage">;

type Answers = { [Name in VisitorOperationName]: Response<Operations[Name]> };

/** `status` 0: there was no answer, or a proxy answered instead of the service. */
export type VisitorAnswer<Name extends VisitorOperationName> =
  | { readonly ok: true; readonly body: Answers[Name] }
  | {
      readonly ok: false;
      readonly status: number;
      readonly body: Problem;
      /** In milliseconds; 0 when the service named none. */
      readonly retryAfterMs: number;
    };

/** Why the service refused a request, as a sentence and by reason; `errors` and `reasons` by field, as in a form. */
export interface Problem extends Partial<PrivateErrorBody> {
  readonly message: string;
}

export type AskVisitor = <Name extends VisitorOperationName>(
  token: string,
  name: Name,
  input: VisitorInput<Name>,
) => Promise<VisitorAnswer<Name>>;

/** Requests for one widget. Never throws: failures are answers. */
export function visitorRequests(
  origin: string,
  widgetId: string,
  fetch: typeof globalThis.fetch,
  clock: Clock,
): AskVisitor {
  return async (token, name, input) => {
    const [method, path] = visitorRoutes[name];
    const ending = new AbortController();
    const cancel = clock.after(TIMEOUT_MS, () => ending.abort());
    try {
      const get = method === "GET";
      const query = get ? `?${new URLSearchParams(input as Record<string, string>)}` : "";
      const response = await fetch(visitorAddress(origin, widgetId) + path + query, {
        method,
        headers: { Authorization: `Bearer ${token}`, ...(!get && { "Content-Type": "application/json" }) },
        ...(!get && { body: JSON.stringify(input) }),
        // A redirect does not come from our service.
        redirect: "error",
        signal: ending.signal,
      });
      const { ok, status, headers } = response;
      // A captive portal's page is not JSON, and ends up below.
      // biome-ignore lint/suspicious/noExplicitAny: the service answers by the contract
      const body = (await response.json()) as any;
      return { ok, status, body, retryAfterMs: Number(headers.get("Retry-After")) * 1000 || 0 };
    } catch {
      return UNANSWERED;
    } finally {
      cancel();
    }
  };
}

/** No answer, so that it is tried again. */
export const UNANSWERED = { ok: false, status: 0, body: { message: "" }, retryAfterMs: 0 } as const;

/** The base address of the requests of a widget's visitors. */
export const visitorAddress = (origin: string, widgetId: string) => `${origin}/visitor/${encodeURIComponent(widgetId)}`;

/** Whether another attempt would get the same answer. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}
