/**
 * What an agent does with conversations, from the key press to its event:
 *
 *   act() --shown at once--> expected --asked--> refused: shown no longer
 *                               |        '-----> done --its event comes--> shown as the event says
 *                               '--another action with the same conversation is under way: asked after it
 */
import type { BulkResult, InboxActionInput, InboxActionName } from "@frontdesk/core/contract/inbox";
import { firstReason } from "./agent-requests.ts";
import { changes, type ExpectedChange } from "./expected-change.ts";
import type { InboxContext } from "./inbox-context.ts";
import { endChange, expectChange, type InboxState, withConversations, withOwnReads } from "./inbox-state.ts";
import { serializeByKey } from "./serialize-by-key.ts";

export type Act = <Name extends InboxActionName>(
  conversationIds: readonly string[],
  name: Name,
  input: InboxActionInput<Name>,
) => Promise<BulkResult>;

/** `doneAt`: the number of the log before the event of the change. */
type Result = BulkResult & { doneAt?: number };

/** @param countSoon the counts depend on what the agent has read, for which there is no event */
export function agentActions({ store, ask, clock, position }: InboxContext, countSoon: () => void): Act {
  /** An undo sent at once reaches the service after the change itself. */
  const afterOthers = serializeByKey<Result>();
  let lastChange = 0;

  return async (conversationIds, name, input) => {
    const { agents = [], tags = [] } = store.people ?? {};
    const context = { now: new Date(clock.now()).toISOString(), agents, tags };
    const change: ExpectedChange = {
      id: ++lastChange,
      settled: false,
      apply: (conversation) => changes[name](conversation, input, context),
    };
    // Of the conversations as they are on the screen now, not as they are when the request is sent.
    const asked = withSeenNumbers(name, input, store.inbox, conversationIds);
    store.inbox = conversationIds.reduce((next, id) => expectChange(next, id, change), store.inbox);
    if (name === "read")
      store.inbox = withOwnReads(
        store.inbox,
        readNumbers(input as { sort_number?: number }, store.inbox, conversationIds),
      );
    store.changed();
    const [only] = conversationIds;
    const { doneAt, ...result } = await afterOthers(conversationIds, () =>
      only !== undefined && conversationIds.length === 1
        ? actOnOne(only, name, asked)
        : actOnMany(conversationIds, name, asked),
    );
    const done = new Set(result.done);
    store.inbox = conversationIds.reduce((next, id) => endChange(next, id, change, done.has(id), doneAt), store.inbox);
    store.changed();
    if (name === "read") countSoon();
    return result;
  };

  async function actOnOne<Name extends InboxActionName>(
    id: string,
    name: Name,
    input: InboxActionInput<Name>,
  ): Promise<Result> {
    const answer = await ask.act(id, name, input);
    if (!answer.ok) return { done: [], failed: [{ id, ...firstReason(answer.body) }] };
    const { conversation, number, epoch } = answer.body;
    if (epoch !== position()?.epoch) return { done: [id], failed: [] };
    store.inbox = withConversations(store.inbox, [conversation], number);
    return { done: [id], failed: [], doneAt: number };
  }

  async function actOnMany<Name extends InboxActionName>(
    ids: readonly string[],
    name: Name,
    input: InboxActionInput<Name>,
  ): Promise<BulkResult> {
    const answer = await ask.actOnMany(ids, name, input);
    return answer.ok ? answer.body : { done: [], failed: ids.map((id) => ({ id, ...firstReason(answer.body) })) };
  }
}

/** How far a reading of these conversations reaches. */
function readNumbers(
  { sort_number }: { sort_number?: number },
  { conversations }: InboxState,
  ids: readonly string[],
): Record<string, number> {
  const known = ids.flatMap((id) => conversations.get(id)?.confirmed ?? []);
  return Object.fromEntries(known.map(({ id, last_message }) => [id, sort_number ?? last_message?.sort_number ?? 0]));
}

/** A snooze names the last message that the agent has seen, so that a newer one is not snoozed unread. */
function withSeenNumbers<Name extends InboxActionName>(
  name: Name,
  input: InboxActionInput<Name>,
  { conversations }: InboxState,
  ids: readonly string[],
): InboxActionInput<Name> {
  if (name !== "snooze") return input;
  const known = ids.flatMap((id) => conversations.get(id)?.confirmed ?? []);
  const numbers = known.map(({ id, last_message }) => [id, last_message?.sort_number ?? 0]);
  return { ...input, after_numbers: Object.fromEntries(numbers) };
}
