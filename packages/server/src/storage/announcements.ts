import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { Topic } from "./database.ts";

/** How often the listening connection is checked. */
const HEARTBEAT_MS = 5_000;
const RECONNECT_MS = 1_000;

const topics: readonly Topic[] = ["access", "outbox"];

/** PostgreSQL's channel of a topic. */
export const channelOf = (topic: Topic): string => `frontdesk_${topic}`;

/** `announce` of a database that only reads. */
export function refuseToAnnounce(): never {
  throw new Error("Only a write has something to announce.");
}

export type OwnAnnouncements = ReturnType<typeof ownAnnouncements>;

/** How often the commits of this process have announced something. */
export function ownAnnouncements() {
  const made = new Map<Topic, number>();
  return {
    version: (topic: Topic): number => made.get(topic) ?? 0,
    /** A commit has succeeded; counted before its result is returned. */
    made(announced: Iterable<Topic>): void {
      for (const topic of announced) made.set(topic, (made.get(topic) ?? 0) + 1);
    },
  };
}

/**
 * Receives what the processes of one PostgreSQL announce (LISTEN), on a connection of its own, opened at the first call and
 * reopened whenever it breaks.
 */
export function foreignAnnouncements(options: pg.ClientConfig) {
  const heard = ownAnnouncements();
  const closing = new AbortController();
  let listening = false;
  let running: Promise<void> | undefined;
  const listeners = new Set<{ topic: Topic; listener(): void }>();

  return {
    /** How often something was announced, as far as it was received; undefined while not listening. */
    version(topic: Topic): number | undefined {
      running ??= listen();
      return listening ? heard.version(topic) : undefined;
    },
    /** Calls `listener` when something is announced under the topic, or may have been, until the returned function is called. */
    hear(topic: Topic, listener: () => void): () => void {
      running ??= listen();
      const heardOne = { topic, listener };
      listeners.add(heardOne);
      return () => listeners.delete(heardOne);
    },
    async close(): Promise<void> {
      closing.abort();
      await running;
    },
  };

  async function listen(): Promise<void> {
    while (!closing.signal.aborted) {
      await listenUntilBroken().catch(() => {
        // Not logged: the requests themselves show that PostgreSQL is away.
      });
      listening = false;
      await wait(RECONNECT_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  function hearAll(announced: readonly Topic[]): void {
    heard.made(announced);
    for (const { topic, listener } of listeners) if (announced.includes(topic)) listener();
  }

  async function listenUntilBroken(): Promise<void> {
    const client = new pg.Client(options);
    const broken = new AbortController();
    const over = AbortSignal.any([closing.signal, broken.signal]);
    client.on("error", () => broken.abort());
    client.on("end", () => broken.abort());
    client.on("notification", ({ channel }) => hearAll(topics.filter((topic) => channelOf(topic) === channel)));
    try {
      await client.connect();
      for (const topic of topics) await client.query(`LISTEN ${channelOf(topic)}`);
      // Announcements made while not listening are unknown, so this counts as one.
      hearAll(topics);
      listening = !over.aborted;
      broken.signal.addEventListener("abort", () => {
        listening = false;
      });
      while (!over.aborted) {
        await wait(HEARTBEAT_MS, undefined, { signal: over }).catch(() => {});
        if (!over.aborted) await client.query("SELECT 1");
      }
    } finally {
      // Not awaited: a connection that hangs would not close either.
      client.end().catch(() => {});
    }
  }
}
