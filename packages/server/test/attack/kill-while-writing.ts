/**
 * Faults in the middle of many writes, and what must be true after each (reference rows 1 to 3, 8 and 38): what was
 * answered is there, nothing is half done, and a request without an answer can be repeated and has one effect.
 */
import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { PostgresCluster } from "@frontdesk/testing/postgres-cluster";
import { send, type WireRequest } from "../../fuzz/send-request.ts";
import { disorderIn, rowsOf } from "./disorder.ts";
import type { ServerProcess, SetUpTeam } from "./server-process.ts";

/** Connections that write at the same time. */
const LANES = 8;
/** The fault strikes at a random time within these first milliseconds of writing. */
const LONGEST_WRITING_MS = 400;
/** A request without an answer by then has none. */
const PATIENCE_MS = 60_000;
/** What has begun is finished within 5 seconds; the process then takes a moment to end. */
export const LONGEST_STOP_MS = 7_000;

/** For a storage that is there again. */
const LONGEST_RETURN_MS = 120_000;

/** Something that breaks the service in the middle, and mends it. */
export interface Fault {
  strike(): Promise<void>;
  /** Resolves when the service answers again; answers the milliseconds that took. */
  mend(): Promise<number>;
}

export interface KillReport {
  problems: string[];
  faults: number;
  /** Writes that were answered, and those that were not and were repeated. */
  acknowledged: number;
  repeated: number;
  /** Of the repeated ones, those whose first try had reached the disk. */
  alreadyDone: number;
  slowestMendMs: number;
  /** Ids of messages of visitors and replies of agents, from the answers. */
  messages: Set<string>;
}

/** SIGKILL for the server itself. Now and then it is killed a second time while it starts. */
export function killedServer(server: ServerProcess, random: () => number): Fault {
  return {
    strike: () => server.kill(),
    async mend() {
      if (random() < 0.2) {
        const starting = server.start().catch(() => {});
        await delay(random() * LONGEST_WRITING_MS);
        await server.kill();
        await starting;
      }
      return server.start();
    },
  };
}

/**
 * SIGTERM: it ends by itself, with 0 (reference row 22).
 *
 * @param longestStopMs judged only where the machine has nothing else to do
 */
export function stoppedServer(server: ServerProcess, longestStopMs = Number.POSITIVE_INFINITY): Fault {
  return {
    async strike() {
      const from = performance.now();
      const code = await server.stop();
      const took = performance.now() - from;
      if (code !== 0 || took > longestStopMs)
        throw new Error(`The stop took ${Math.round(took)} ms and ended with ${code}.`);
    },
    mend: () => server.start(),
  };
}

/** A PostgreSQL of our own that loses its power for a while; the server runs on. */
export function powerCut(cluster: PostgresCluster, server: ServerProcess, awayMs = 0): Fault {
  return {
    async strike() {
      await cluster.kill();
      await delay(awayMs);
    },
    async mend() {
      const from = performance.now();
      await cluster.restart();
      while ((await fetch(`${server.origin}/health/ready`)).status !== 200) {
        if (performance.now() - from > LONGEST_RETURN_MS)
          throw new Error("The server does not find its storage again.");
        await delay(20);
      }
      return performance.now() - from;
    },
  };
}

/**
 * Writes over several connections, lets the fault strike at a random moment, mends it and looks; as often as asked.
 *
 * @param server running
 */
export async function killWhileWriting(
  server: ServerProcess,
  team: SetUpTeam,
  options: { faults: number; fault: Fault; random: () => number; progress?: (done: number) => void },
): Promise<KillReport> {
  const { faults, fault, random, progress } = options;
  const report: KillReport = {
    problems: [],
    faults: 0,
    acknowledged: 0,
    repeated: 0,
    alreadyDone: 0,
    slowestMendMs: 0,
    messages: new Set(),
  };
  const call = caller(server, team);
  const traces = new Map<string, Write>();
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, number) => openLane(call, team, number)));

  while (report.faults < faults && report.problems.length === 0) {
    const begun = lanes.map(() => Promise.withResolvers<void>());
    const writing = Promise.all(lanes.map((lane, at) => writeUntilItFails(lane, begun[at]?.resolve)));
    // All of them are writing, however slow the machine is.
    await Promise.all(begun.map(({ promise }) => promise));
    await delay(random() * LONGEST_WRITING_MS);
    await fault.strike();
    const unanswered = await writing;
    const mended = await fault.mend();
    report.slowestMendMs = Math.max(report.slowestMendMs, mended);
    report.faults += 1;

    const before = await look();
    for (const write of unanswered) {
      report.repeated += 1;
      if (write.traces.some((trace) => (before.get(trace) ?? 0) > 0)) report.alreadyDone += 1;
      const half = write.traces.filter((trace) => !before.has(trace));
      if (half.length > 0 && half.length < write.traces.length) report.problems.push(`Half of ${write.name} is there.`);
      await repeat(write);
    }
    const after = await look();
    for (const [trace, { name }] of traces) {
      const count = after.get(trace) ?? 0;
      if (count !== 1) report.problems.push(`${name} was answered, and is there ${count} times: ${trace}.`);
    }
    for (const lane of lanes) report.problems.push(...(await lane.wrongState()));
    progress?.(report.faults);
  }
  call.close();
  return report;

  /** @param answered called after the first answer, or when there will be none */
  async function writeUntilItFails(lane: Lane, answered = () => {}): Promise<Write> {
    for (;;) {
      const write = lane.next(random);
      const answer = await call(write).catch(() => undefined);
      answered();
      // A storage that is away is no answer either: it may have happened, and may be repeated.
      if (answer === undefined || answer.status === 503) return write;
      taken(write, answer);
    }
  }

  async function repeat(write: Write): Promise<void> {
    const answer = await call(write);
    taken(write, answer);
    if (!write.headers["idempotency-key"]) return;
    const again = await call(write);
    if (again.text !== answer.text || again.headers["idempotent-replayed"] !== "true") {
      report.problems.push(`${write.name} was repeated and answered otherwise: ${answer.text} ${again.text}`);
    }
  }

  function taken(write: Write, { status, text }: { status: number; text: string }): void {
    if (status >= 300) {
      report.problems.push(`${write.name} was answered ${status}: ${text}`);
      return;
    }
    report.acknowledged += 1;
    for (const trace of write.traces) traces.set(trace, write);
    const answer = JSON.parse(text);
    if (write.isMessage) report.messages.add(answer.data.id);
    write.done?.(answer);
  }

  /** How often each trace is in the data, which must be in order. */
  async function look(): Promise<Map<string, number>> {
    const storage = server.open();
    try {
      report.problems.push(...(await disorderIn(storage)));
      const found = new Map<string, number>();
      await storage.read(async (db) => {
        for (const [table, column] of TRACED) {
          const rows = await rowsOf<{ trace: string | null }>(db, `SELECT ${column} AS trace FROM ${table}`);
          for (const { trace } of rows) if (trace) found.set(trace, (found.get(trace) ?? 0) + 1);
        }
      });
      return found;
    } finally {
      await storage.close();
    }
  }
}

const TRACED = [
  ["messages", "content"],
  ["contacts", "name"],
  ["webhooks", "name"],
  ["agents", "email"],
  ["attachments", "name"],
  ["page_visits", "page"],
] as const;

interface Write extends WireRequest {
  name: string;
  headers: Record<string, string>;
  /** Each in one row when it has happened, in none when it has not. */
  traces: string[];
  /** The answer is a message that subscribers get an event of. */
  isMessage?: true;
  done?(answer: { data: { id: string; attributes: { conversation_id: string } } }): void;
}

interface Lane {
  next(random: () => number): Write;
  /** How the state differs from that after the last answered write, or the unanswered one after it. */
  wrongState(): Promise<string[]>;
}

type Call = ReturnType<typeof caller>;

function caller(server: ServerProcess, team: SetUpTeam) {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const call = ({ method, target, headers, body }: WireRequest) =>
    send(
      server.origin,
      agent,
      { method, target, headers: { ...headers, "x-api-key": team.apiKey }, body },
      PATIENCE_MS,
    );
  return Object.assign(call, { close: () => agent.destroy() });
}

let numbers = 0;

/** One connection's worth of writes: its own contact and conversation, whose state only it changes. */
async function openLane(call: Call, team: SetUpTeam, number: number): Promise<Lane> {
  const post = (name: string, path: string, body: object, traces: string[] = []): Write => {
    numbers += 1;
    return {
      name,
      method: "POST",
      target: `/api/v1${path}`,
      headers: { "content-type": "application/json", "idempotency-key": `write ${number}.${numbers}` },
      body: JSON.stringify(body),
      traces,
    };
  };
  const start = post("the first message", "/conversations", {
    widget_id: team.widgetId,
    content: `Lane ${number} begins`,
    email: `lane${number}@visitor.test`,
  });
  const first = JSON.parse((await call(start)).text).data.attributes as {
    conversation_id: string;
    contact: { id: string };
  };
  const conversation = first.conversation_id;
  const contact = first.contact.id;
  const webhooks: string[] = [];
  const phone = { kept: null as string | null, asked: null as string | null };

  return {
    next(random) {
      numbers += 1;
      const unique = `${number}.${numbers}`;
      const kinds = [
        visitorMessage,
        sharedVisitor,
        reply,
        note,
        newContact,
        changedContact,
        status,
        webhook,
        invitation,
      ];
      return (kinds[Math.floor(random() * kinds.length)] as (unique: string, random: () => number) => Write)(
        unique,
        random,
      );
    },
    async wrongState() {
      const { text } = await call({
        method: "GET",
        target: `/api/v1/contacts/${contact}`,
        headers: {},
        body: undefined,
      });
      const stored = JSON.parse(text).data.attributes.phone;
      return stored === phone.kept
        ? []
        : [`The phone of contact ${contact} is ${stored}, and was set to ${phone.kept}.`];
    },
  };

  function visitorMessage(unique: string): Write {
    const content = `Visitor ${unique}`;
    const body = { widget_id: team.widgetId, content, contact_id: contact };
    return { ...post("a visitor's message", "/conversations", body, [content]), isMessage: true };
  }

  /** One of few addresses that all lanes write from. */
  function sharedVisitor(unique: string, random: () => number): Write {
    const content = `Shared ${unique}`;
    const email = `vera${Math.floor(random() * 5)}@visitor.test`;
    const body = { widget_id: team.widgetId, content, email };
    return { ...post("a shared visitor's message", "/conversations", body, [content]), isMessage: true };
  }

  function reply(unique: string, random: () => number): Write {
    const files = Array.from({ length: Math.floor(random() * 4) }, (_, index) => `File ${unique}.${index}`);
    const attachments = files.map((name) => ({ url: "https://files.test/a.png", name }));
    const content = `Reply ${unique}`;
    const body = { conversation_id: conversation, content, attachments };
    return { ...post("a reply", "/messages", body, [content, ...files]), isMessage: true };
  }

  function note(unique: string): Write {
    const content = `Note ${unique}`;
    return post("a note", "/messages", { conversation_id: conversation, content, type: "note" }, [content]);
  }

  function newContact(unique: string): Write {
    const traces = [`Contact ${unique}`, `https://page.test/${unique}`, `Question ${unique}`];
    const [name, page, content] = traces as [string, string, string];
    const body = {
      widgetId: team.widgetId,
      name,
      page_visited: [{ page, date: "2026-11-20T12:00:00Z" }],
      message: { content, urls: ["https://files.test/b.png"] },
    };
    return post("a new contact", "/contacts/initialize", body, traces);
  }

  function changedContact(): Write {
    phone.asked = `+49151${String(numbers).padStart(8, "0")}`;
    const asked = phone.asked;
    return {
      name: "a changed contact",
      method: "PUT",
      target: `/api/v1/contacts/${contact}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ phone: asked }),
      traces: [],
      done: () => {
        phone.kept = asked;
      },
    };
  }

  function status(_unique: string, random: () => number): Write {
    const asked = random() < 0.5 ? "resolved" : "unresolved";
    const { "idempotency-key": _key, ...write } = post("a status", "", {}).headers;
    return {
      name: "a status",
      method: "POST",
      target: `/api/v1/conversations/${conversation}/resolve`,
      headers: write as Record<string, string>,
      body: JSON.stringify({ status: asked }),
      traces: [],
    };
  }

  function webhook(unique: string, random: () => number): Write {
    const gone = random() < 0.3 ? webhooks.pop() : undefined;
    if (gone) return changedWebhook(gone, unique);
    const name = `Hook ${unique}`;
    const made = post(
      "a new subscription",
      "/webhooks",
      { name, endpoint_url: "https://a.test/hook", events: ["message.sent"], is_active: false },
      [name],
    );
    return { ...made, done: ({ data }) => void webhooks.push(data.id) };
  }

  function changedWebhook(id: string, unique: string): Write {
    return {
      name: "a changed subscription",
      method: "PATCH",
      target: `/api/v1/webhooks/${id}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ endpoint_url: `https://a.test/${unique}` }),
      traces: [],
    };
  }

  function invitation(unique: string): Write {
    const agents = [`a${unique}@acme.test`, `b${unique}@acme.test`];
    return post("two invitations", "/agents/invite", { agents }, agents);
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
