/**
 * Messages that were written and that the service has not confirmed yet. A message is stored before it is sent and deleted after it
 * was answered, under an id that is made once: so it survives a reload, and a repeat never doubles it.
 *
 *   add -> waiting --answered--> gone
 *            |  ^
 *            |  +-- retry --+
 *            +--refused--> failed --discard--> gone
 *
 * No answer, 5xx and 429 leave it waiting; the next attempt is made after a wait that grows, or the one that was asked for.
 */
import type { Locks } from "./browser.ts";
import type { StoredValues } from "./browser-storage.ts";
import { type Clock, retryWaitMs } from "./clock.ts";
import { newClientId, timeOfClientId } from "./new-ids.ts";
import { isRefusal, type MessageToSend, type Problem } from "./visitor-requests.ts";

/** A message as it is sent. */
interface Sendable {
  client_id: string;
  content: string;
  attachments?: unknown[];
}

/** A message that waits, or was refused. */
export type OutboxMessage<Message extends Sendable = MessageToSend> = Readonly<Omit<Message, "attachments">> & {
  readonly attachments: NonNullable<Message["attachments"]>;
  /** In milliseconds since 1970. */
  readonly written_at: number;
  /** Why the service does not take it; null while it waits to be sent. */
  readonly refused: Refused | null;
};

export interface Refused extends Problem {
  readonly status: number;
}

/** What the service answers to a message. */
export type OutboxAnswer<Body> =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly status: number; readonly body: Problem; readonly retryAfterMs: number };

export interface Outbox<Message extends Sendable = MessageToSend> {
  /** In the order they were written in. */
  messages(): OutboxMessage<Message>[];
  /** Keeps a message and sends it as soon as those before it are sent; answers its id. */
  add(message: Omit<Message, "client_id">): string;
  /** Sends what was refused once more, with these fields changed. */
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
  /** The outboxes of several tabs that have the same name are one. */
  name: string;
  values: StoredValues;
  /** One tab at a time sends. Where there are none, the service drops what comes twice. */
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
  /** Not to be tried before, because the service said so. */
  let notBefore = 0;
  let cancelWait = () => {};
  send();

  return {
    messages: () => all().map(shown),
    add(written) {
      // Later than every one that waits, whatever the clock says.
      const last = all().at(-1);
      const time = Math.max(clock.now(), last ? timeOfClientId(last.message.client_id) + 1 : 0);
      const message = { ...written, client_id: newClientId(time) } as Message;
      store({ message });
      send();
      return message.client_id;
    },
    retry(clientId, changes) {
      const before = read(prefix + clientId);
      if (!before?.refused) return;
      store({ message: { ...before.message, ...changes, client_id: clientId } });
      send();
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

  /** What we did not write ourselves is left alone. */
  function read(key: string): StoredMessage<Message> | undefined {
    try {
      return JSON.parse(values.get(key) ?? "");
    } catch {
      return undefined;
    }
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
      await alone(sendAll);
    }
    sending = false;
  }

  /** Sandboxed frames have locks and may not use them. */
  async function alone(act: () => Promise<void>): Promise<void> {
    let begun = false;
    const begin = () => {
      begun = true;
      return act();
    };
    await locks?.request(name, {}, begin).catch(() => {});
    if (!begun) await act();
  }

  /** Looks anew each time: another tab may have added, sent or discarded one. */
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
    // What was asked for meanwhile waits for this, too.
    asked = false;
    const wait = Math.max(retryAfterMs, retryWaitMs(failures++, clock.random));
    if (retryAfterMs > 0) notBefore = clock.now() + retryAfterMs;
    cancelWait = clock.after(wait, () => {
      // A timer may ring a moment before its time by the clock, and no other one would come after it.
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
