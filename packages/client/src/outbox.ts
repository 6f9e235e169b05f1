/**
 * Messages that the service has not confirmed yet. A message is stored before it is sent and deleted after it was answered,
 * under an id that is made once: so it survives a reload, and a retry never duplicates it.
 *
 *   add -> waiting --answered--> gone
 *            |  ^
 *            |  +-- retry --+
 *            +--refused--> failed --discard--> gone
 *
 * No answer, 5xx and 429 leave it waiting; the next attempt follows after a growing wait, or the one given by the service.
 */
import type { Locks } from "./browser.ts";
import { type StoredValues, storedJson } from "./browser-storage.ts";
import { type Clock, retryWaitMs } from "./clock.ts";
import { newClientIdAfter, timeOfClientId } from "./new-ids.ts";
import { isRefusal, type MessageToSend, type Problem } from "./visitor-requests.ts";

/** A message as it is sent. */
interface Sendable {
  client_id: string;
  content: string;
  attachments?: unknown[];
}

/** A message that is waiting or was refused. */
export type OutboxMessage<Message extends Sendable = MessageToSend> = Readonly<Omit<Message, "attachments">> & {
  readonly attachments: NonNullable<Message["attachments"]>;
  /** In milliseconds since 1970. */
  readonly written_at: number;
  /** Why the service refused it; null while it waits to be sent. */
  readonly refused: Refused | null;
};

export interface Refused extends Problem {
  readonly status: number;
}

/** The service's answer to a message. */
export type OutboxAnswer<Body> =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly status: number; readonly body: Problem; readonly retryAfterMs: number };

export interface Outbox<Message extends Sendable = MessageToSend> {
  /** In the order they were written. */
  messages(): OutboxMessage<Message>[];
  /** Stores a message and sends it after those before it; returns its id. */
  add(message: Omit<Message, "client_id">): string;
  /** The same for a message that has its id already. */
  put(message: Message): void;
  /** Sends a refused message again, with these fields changed. */
  retry(clientId: string, changes?: Partial<Message>): void;
  discard(clientId: string): void;
  /** The network is back, or the tab is visible again: tries now, unless the service has asked for a longer wait. */
  wake(): void;
  close(): void;
}

interface StoredMessage<Message> {
  message: Message;
  refused?: Refused;
}

export function openOutbox<Message extends Sendable = MessageToSend, Body = unknown>({
  name,
  values,
  locks,
  clock,
  post,
  onSent,
  onChange,
}: {
  /** Outboxes of several tabs with the same name are one. */
  name: string;
  values: StoredValues;
  /** One tab at a time sends. Without locks, the service drops duplicates. */
  locks: Locks | undefined;
  clock: Clock;
  post(message: Message): Promise<OutboxAnswer<Body>>;
  onSent(answer: Body): void;
  onChange(): void;
}): Outbox<Message> {
  const prefix = `${name}:`;
  let closed = false;
  let sending = false;
  let asked = false;
  let failures = 0;
  /** No attempt before this time, because the service said so. */
  let notBefore = 0;
  let cancelWait = () => {};
  send();

  return {
    messages: () => all().map(shown),
    add(written) {
      const last = all().at(-1)?.message.client_id;
      const message = { ...written, client_id: newClientIdAfter(last, clock.now()) } as Message;
      put(message);
      return message.client_id;
    },
    put,
    retry(clientId, changes) {
      const before = read(prefix + clientId);
      if (!before?.refused) return;
      put({ ...before.message, ...changes, client_id: clientId });
    },
    discard(clientId) {
      values.delete(prefix + clientId);
      onChange();
    },
    wake: send,
    close() {
      closed = true;
      cancelWait();
    },
  };

  function all(): StoredMessage<Message>[] {
    return values.keys(prefix).flatMap((key) => read(key) ?? []);
  }

  function read(key: string): StoredMessage<Message> | undefined {
    return storedJson(values, key);
  }

  function put(message: Message): void {
    store({ message });
    send();
  }

  function store(value: StoredMessage<Message>): void {
    values.set(prefix + value.message.client_id, JSON.stringify(value));
    onChange();
  }

  async function send(): Promise<void> {
    if (clock.now() < notBefore) return;
    asked = true;
    if (sending) return;
    sending = true;
    while (asked && !closed) {
      asked = false;
      await withLock(sendAll);
    }
    sending = false;
  }

  /** Sandboxed frames have locks but may not use them. */
  async function withLock(act: () => Promise<void>): Promise<void> {
    let begun = false;
    const begin = () => {
      begun = true;
      return act();
    };
    await locks?.request(name, {}, begin).catch(() => {});
    if (!begun) await act();
  }

  /** Reads the storage each time: another tab may have added, sent or discarded a message. */
  async function sendAll(): Promise<void> {
    for (;;) {
      const next = all().find(({ refused }) => !refused);
      if (!next || closed) return;
      const key = prefix + next.message.client_id;
      const answer = await post(next.message);
      if (!answer.ok && !isRefusal(answer.status)) return waitAfter(answer.retryAfterMs);
      failures = notBefore = 0;
      if (answer.ok) {
        values.delete(key);
        onSent(answer.body);
      } else if (read(key)) {
        store({ ...next, refused: { status: answer.status, ...answer.body } });
      }
    }
  }

  function waitAfter(retryAfterMs: number): void {
    cancelWait();
    // Sends requested meanwhile wait as well.
    asked = false;
    const wait = Math.max(retryAfterMs, retryWaitMs(failures++, clock.random));
    if (retryAfterMs > 0) notBefore = clock.now() + retryAfterMs;
    cancelWait = clock.after(wait, () => {
      // A timer may fire slightly early by the clock, and no other would follow.
      notBefore = 0;
      void send();
    });
  }
}

function shown<Message extends Sendable>({ message, refused }: StoredMessage<Message>): OutboxMessage<Message> {
  const { attachments = [], client_id } = message;
  const written_at = timeOfClientId(client_id);
  return { ...message, attachments, written_at, refused: refused ?? null } as OutboxMessage<Message>;
}
