/** What an agent's inbox asks over HTTP. The types are the contract's; its schemas are not loaded at run time. */
import type { ErrorReason } from "@frontdesk/core/contract/errors";
import type {
  BulkResult,
  InboxActionInput,
  InboxActionName,
  InboxConversationDetails,
  InboxCounts,
  inboxOperations,
} from "@frontdesk/core/contract/inbox";
import type { LiveConversation } from "@frontdesk/core/contract/live";
import type { Response } from "@frontdesk/core/contract/operation";
import type { Clock } from "./clock.ts";
import { inboxRoutes } from "./inbox-routes.ts";
import type { OutboxAnswer } from "./outbox.ts";
import { addressOf, type OperationInput, type RequestParts } from "./routes.ts";
import { type Problem, UNANSWERED } from "./visitor-requests.ts";

const TIMEOUT_MS = 30_000;
const PREFIX = "/app/api/inbox";

type Operations = typeof inboxOperations;
/** What the live state asks for; the catalogue has more. */
export type InboxRequestName = keyof Operations;

/** The counts and the details have types of their own: a schema cannot say them as well. */
interface Answers {
  getCounts: InboxCounts;
  getConversation: InboxConversationDetails;
}
export type InboxAnswer<Name extends InboxRequestName> = Name extends keyof Answers
  ? Answers[Name]
  : Response<Operations[Name]>;

/** Why something was refused, in the words of the service, and by reason; none where a proxy answered in its place. */
export type GivenReason = { readonly message: string } & Partial<ErrorReason>;

/** Of fields that are wrong, why the first of them is. */
export function firstReason({ message, reason, values, errors = {}, reasons = {} }: Problem): GivenReason {
  const [field] = Object.keys(errors);
  const sentence = field === undefined ? undefined : errors[field]?.[0];
  if (field !== undefined && sentence !== undefined) return { message: sentence, ...reasons[field]?.[0] };
  return { message, ...(reason !== undefined && { reason }), ...(values && { values }) };
}

/** Never throws: what went wrong is the answer. `status` 0: there was none. */
export interface AskInbox {
  <Name extends InboxRequestName>(
    name: Name,
    input: OperationInput<Operations[Name]>,
  ): Promise<OutboxAnswer<InboxAnswer<Name>>>;
  act<Name extends InboxActionName>(
    conversationId: string,
    name: Name,
    input: InboxActionInput<Name>,
  ): Promise<OutboxAnswer<{ conversation: LiveConversation; number: number; epoch: string }>>;
  actOnMany<Name extends InboxActionName>(
    conversationIds: readonly string[],
    name: Name,
    input: InboxActionInput<Name>,
  ): Promise<OutboxAnswer<BulkResult>>;
}

/** @param apiKey of a program; whoever is signed in has a cookie, which the browser sends by itself */
export function inboxRequests(
  origin: string,
  apiKey: string | undefined,
  fetch: typeof globalThis.fetch,
  clock: Clock,
): AskInbox {
  const ask = (async (name, input: RequestParts) => {
    const [method, path] = inboxRoutes[name];
    return send(method, addressOf(path, input), input.body);
  }) as AskInbox;
  ask.act = (id, name, input) => send("POST", `/conversations/${encodeURIComponent(id)}/${name}`, input);
  ask.actOnMany = (ids, name, input) => send("POST", `/bulk/${name}`, { conversation_ids: ids, ...input });
  return ask;

  // biome-ignore lint/suspicious/noExplicitAny: what our service answers is the contract's
  async function send(method: string, path: string, body: unknown): Promise<any> {
    const ending = new AbortController();
    const cancel = clock.after(TIMEOUT_MS, () => ending.abort());
    try {
      const response = await fetch(`${origin}${PREFIX}${path}`, {
        method,
        headers: {
          ...(apiKey && { "X-API-KEY": apiKey }),
          ...(method !== "GET" && { "Content-Type": "application/json" }),
        },
        ...(method !== "GET" && { body: JSON.stringify(body ?? {}) }),
        // A redirect would not be our service.
        redirect: "error",
        signal: ending.signal,
      });
      const { ok, status, headers } = response;
      return { ok, status, body: await response.json(), retryAfterMs: Number(headers.get("Retry-After")) * 1000 || 0 };
    } catch {
      return UNANSWERED;
    } finally {
      cancel();
    }
  }
}
