/**
 * Replies that the agent can still undo. The service has them as well, and sends them some time later if this browser is gone.
 *
 *   new ------asked at once-----> asked --answered--> held
 *    |                              |  |               |
 *    |                              |  '---its time----+--> outbox.ts: sent now
 *    '--undo--> a draft again       '-------undo-------+--> undoing --answered--> a draft again, or it was sent before
 *                                                      '--an email comes in: asked again--> a draft again, or held as before
 *
 * Only the answer of the service tells whether an undo came in time, except for a reply that it was never asked about. All of
 * it is stored, and goes on after a reload (docs/decisions/0052-undo-send.md).
 */
import type { DraftReturnedBy } from "@frontdesk/core/domain/draft";
import type { InboxAnswer } from "./agent-requests.ts";
import { type StoredValues, storedJson } from "./browser-storage.ts";
import { heldReplyRequests } from "./held-reply-requests.ts";
import type { InboxContext } from "./inbox-context.ts";
import type { MessageFromInbox, WaitingMessage } from "./inbox-store.ts";
import { newClientIdAfter, timeOfClientId } from "./new-ids.ts";

/** "later": the session has ended; it goes on after the next sign-in here. */
export type UndoEnd = "undone" | "sent" | "later";

interface HeldReply {
  message: MessageFromInbox;
  /** When it is sent, in milliseconds since 1970. */
  until: number;
  /** Without a network it stays new, and can be undone, also after its time. */
  phase: "new" | "asked" | "held" | "undoing";
}

export interface HeldReplies {
  /** In the order they were written. */
  messages(): WaitingMessage[];
  /** Returns its id. */
  add(message: Omit<MessageFromInbox, "client_id">, holdMs: number): string;
  /** Sends those of a conversation now: another message follows them. */
  release(conversationId: string): void;
  /** An email has come into a conversation: the service may have made drafts of its replies. */
  check(conversationId: string): void;
  /** Forgets those of a conversation that was erased. */
  drop(conversationId: string): void;
  /** Resolves when it is certain: without a network, once it is back. */
  undo(clientId: string): Promise<UndoEnd>;
  /** Another tab has stored something. */
  watch(): void;
  /** The network is back. */
  wake(): void;
  /** Before sign-out: what the service does not hold becomes a draft. */
  handOver(): Promise<void>;
  close(): void;
}

export function openHeldReplies(
  context: Pick<InboxContext, "store" | "ask" | "clock">,
  {
    name,
    values,
    isOffline,
    onDue,
    onSent,
    onReturned,
    onChange,
  }: {
    name: string;
    values: StoredValues;
    /** It is certain that no request leaves the machine. */
    isOffline(): boolean;
    /** It is to be sent now. */
    onDue(message: MessageFromInbox): void;
    /** It was sent before it was undone. */
    onSent(answer: InboxAnswer<"sendMessage">): void;
    /** It is not sent: it becomes a draft again. */
    onReturned(message: MessageFromInbox, by: DraftReturnedBy | null): void;
    onChange(): void;
  },
): HeldReplies {
  const { store, clock } = context;
  const stored = storedReplies(`${name}:`, values, onChange);
  const requests = heldReplyRequests(context);
  /** Those of this tab that are not answered yet, by the id of their reply. */
  const holding = new Set<string>();
  const undoing = new Map<string, Promise<UndoEnd>>();
  /** Those whose answer may be older than an email. */
  const outdated = new Set<string>();
  /** Drafts again in this tab: what offers to undo them has the same outcome. */
  const given = new Set<string>();
  let cancelDue = () => {};
  let closed = false;
  wake();

  return {
    messages: () => stored.all().map(shown),
    add(written, holdMs) {
      const last = stored.all().at(-1)?.message.client_id;
      const message = { ...written, client_id: newClientIdAfter(last, clock.now()) };
      stored.put({ message, until: clock.now() + holdMs, phase: "new" });
      watch();
      void hold(message.client_id);
      return message.client_id;
    },
    release(conversationId) {
      for (const held of stored.all()) if (held.message.conversation_id === conversationId) sendNow(held);
    },
    check(conversationId) {
      for (const { message, phase } of stored.all()) {
        const { client_id } = message;
        if (message.conversation_id !== conversationId || phase === "undoing") continue;
        if (holding.has(client_id)) outdated.add(client_id);
        else void hold(client_id);
      }
    },
    drop(conversationId) {
      for (const { message } of stored.all())
        if (message.conversation_id === conversationId) stored.remove(message.client_id);
    },
    undo,
    watch,
    wake,
    async handOver() {
      const unsure = stored.all().filter(({ phase }) => phase !== "held");
      await Promise.all(unsure.map(({ message }) => undo(message.client_id)));
    },
    close() {
      closed = true;
      cancelDue();
      requests.close();
    },
  };

  function wake(): void {
    requests.wake();
    watch();
    for (const { message, phase } of stored.all()) {
      if (phase === "undoing") void undo(message.client_id);
      else if (phase !== "held") void hold(message.client_id);
    }
  }

  /** Waits for the first one that is due; every tab does, since the others may be closed. */
  function watch(): void {
    cancelDue();
    // After the session has ended, they wait for the next one here.
    if (closed || store.isOver) return;
    const waiting = stored.all().filter(({ phase }) => phase !== "undoing" && !(phase === "new" && isOffline()));
    for (const held of waiting) if (held.until <= clock.now()) sendNow(held);
    const next = Math.min(...waiting.map(({ until }) => until).filter((until) => until > clock.now()));
    if (next < Number.POSITIVE_INFINITY) cancelDue = clock.after(next - clock.now(), watch);
  }

  function sendNow({ message, phase }: HeldReply): void {
    if (phase === "undoing") return;
    // First there, so that it is never nowhere.
    onDue(message);
    stored.remove(message.client_id);
  }

  async function hold(clientId: string): Promise<void> {
    const held = stored.read(clientId);
    if (!held || closed || holding.has(clientId) || isOffline()) return;
    holding.add(clientId);
    stored.put({ ...held, phase: "asked" });
    // Otherwise it is sent now, or being undone.
    const isAsked = () => !closed && stored.read(clientId)?.phase === "asked";
    const end = await requests.hold(held.message, held.until, isAsked);
    holding.delete(clientId);
    const isOutdated = outdated.delete(clientId);
    if (!isAsked() || end === "later") return;
    if (end === "held") {
      stored.put({ ...held, phase: "held" });
      if (isOutdated) void hold(clientId);
    } else if (end === "returned") giveBack(held);
    else if (end === "returned-by-email") giveBack(held, "email");
    // The outbox is refused the same, and shows it.
    else if (end === "refused") sendNow(held);
    else wasSent(clientId, end);
  }

  function undo(clientId: string): Promise<UndoEnd> {
    const before = undoing.get(clientId);
    if (before) return before;
    const end = begin().finally(() => undoing.delete(clientId));
    undoing.set(clientId, end);
    return end;

    async function begin(): Promise<UndoEnd> {
      const held = stored.read(clientId);
      if (!held) return given.has(clientId) ? "undone" : "sent";
      if (held.phase === "new") return giveBack(held);
      stored.put({ ...held, phase: "undoing" });
      watch();
      const end = await requests.undo(held.message);
      if (end === "later") return end;
      // Another tab has heard of it first.
      if (!stored.read(clientId)) return end === "undone" ? end : "sent";
      return end === "undone" ? giveBack(held) : wasSent(clientId, end);
    }
  }

  function giveBack({ message }: HeldReply, by: DraftReturnedBy | null = null): "undone" {
    onReturned(message, by);
    given.add(message.client_id);
    stored.remove(message.client_id);
    return "undone";
  }

  function wasSent(clientId: string, answer: InboxAnswer<"sendMessage">): "sent" {
    stored.remove(clientId);
    onSent(answer);
    return "sent";
  }
}

function storedReplies(prefix: string, values: StoredValues, onChange: () => void) {
  const read = (clientId: string): HeldReply | undefined => storedJson(values, prefix + clientId);
  return {
    read,
    all: () => values.keys(prefix).flatMap((key) => read(key.slice(prefix.length)) ?? []),
    put(held: HeldReply): void {
      values.set(prefix + held.message.client_id, JSON.stringify(held));
      onChange();
    },
    remove(clientId: string): void {
      values.delete(prefix + clientId);
      onChange();
    },
  };
}

function shown({ message, until, phase }: HeldReply): WaitingMessage {
  const { attachments = [], client_id } = message;
  const hold = { until, isUndoing: phase === "undoing" };
  return { ...message, attachments, written_at: timeOfClientId(client_id), refused: null, hold };
}
