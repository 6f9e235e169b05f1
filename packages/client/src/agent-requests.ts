/** The HTTP requests of an agent's inbox. Types come from the contract; its schemas are not loaded at run time. */
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
/** The operations that the live state needs; the contract has more. */
export type InboxRequestName = keyof Operations;

/** Counts and details have their own types, which are more precise than their schemas. */
interface Answers {
  getCounts: InboxCounts;
  getConversation: InboxConversationDetails;
}
export type InboxAnswer<Name extends InboxRequestName> = Name extends keyof Answers
  ? Answers[Name]
  : Response<Operations[Name]>;

/** Why the service refused something, as a sentence and by reason; empty when a proxy answered. */
export type GivenReason = { readonly message: string } & Partial<ErrorReason>;

/** For invalid fields, the reason of the first. */
export function firstReason({ message, reason, values, errors = {}, reasons = {} }: Problem): GivenReason {
  const [field] = Object.keys(errors);
  const sentence = field === undefined ? undefined : errors[field]?.[0];
  if (field !== undefined && sentence !== undefined) return { message: sentence, ...reasons[field]?.[0] };
  return { message, ...(reason !== undefined && { reason }), ...(values && { values }) };
}

/** Never throws: failures are answers. `status` 0 means no answer. */
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

/** @param apiKey for programs; the browser of a signed-in agent sends the cookie */
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

  // biome-ignore lint/suspicious/noExplicitAny: the service answers by the contract
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
        // A redirect does not come from our service.
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
