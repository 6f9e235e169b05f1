/**
 * The attacks on webhook deliveries: processes that die, are suspended or have their clock set, and two that share the work.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Exchange, hang, type Received, type Receiver, status } from "@frontdesk/testing/https-receiver";
import { startPostgres } from "@frontdesk/testing/postgres-cluster";
import {
  call,
  comesTrue,
  deliveredWrongly,
  type Subscriber,
  visitorWrites,
} from "../packages/server/test/attack/counting-subscriber.ts";
import {
  afterTheLease,
  killWhileDelivering,
  leavingNoLease,
} from "../packages/server/test/attack/kill-while-delivering.ts";
import {
  type Fault,
  killedServer,
  LONGEST_STOP_MS,
  seeded,
  stoppedServer,
} from "../packages/server/test/attack/kill-while-writing.ts";
import { startServerPair } from "../packages/server/test/attack/server-pair.ts";
import type { ServerProcess, SetUpTeam } from "../packages/server/test/attack/server-process.ts";
import { twoSenders } from "../packages/server/test/attack/two-senders.ts";
import type { Attack, SoakOptions } from "./attacks.ts";
import { newFakeClock } from "./fake-clock.ts";
import { onBothEngines, type Problems, withSubscriber } from "./with-server.ts";

const KILLS = 200;
const STOPS = 50;
const UNANSWERED = 5;
const PAUSES = 10;
const DELIVERIES = 10_000;
/** A process that dies or is suspended holds its queues this long (docs/decisions/0014). */
const LEASE_MS = 15_000;
/** After the lease: the next poll, a second apart, and delays of a busy machine. */
const LEASE_SLACK_MS = 4_000;
const LONGEST_PAUSE_MS = 20_000;
const PATIENCE_MS = 30_000;
/** How long to wait for what must not happen, after everything else has. */
const QUIET_MS = 3_000;

const HOUR = 3_600;
/** The server's clock at start, ahead of the machine's: a certificate made now must be valid throughout. */
const FIRST_OFFSET = 30 * HOUR;
const CERTIFICATE_DAYS = 3;
/** Seconds that it is set by, from where it is. */
const JUMPS = [HOUR, -HOUR, -HOUR, -24 * HOUR, 25 * HOUR];
const RETRY_MS = 6_000;
const RETRY_JITTER = 0.1;
/** The next poll and a busy machine. */
const RETRY_SLACK_MS = 3_000;
/** As many as wait for their retry while the clock is set. */
const WAITING = 20;
/** A signature has whole seconds, and a request takes some time. */
const SIGNED_WITHIN_MS = 3_000;

export const deliveryAttacks: Record<string, Attack> = {
  "delivery-kill": {
    promise: "a server that is killed delivers every event of an answered write, and none of another (row 1)",
    run: (options) =>
      delivering((server) => afterTheLease(server, killedServer(server, seeded(options.seed))), KILLS, options),
  },
  "delivery-stop": {
    promise: "a server that is told to stop notes every attempt and holds no queue: nothing comes twice (row 22)",
    run: (options) =>
      delivering((server) => leavingNoLease(server, stoppedServer(server, LONGEST_STOP_MS)), STOPS, options),
  },
  unanswered: {
    promise:
      "what a killed server had sent and not noted is sent again when its lease is over, and the log says so (row 2)",
    run: (options) =>
      withSubscriber((subscriber) =>
        onBothEngines((server, team) => unanswered(server, team, subscriber, options), subscriber.settings),
      ),
  },
  paused: {
    promise: "a server that stood still past its lease changes nothing any more, and holds nobody up meanwhile (row 6)",
    run: paused,
  },
  clock: {
    promise: "setting the clock brings no retry early or late, and every signature has the time of the clock (row 7)",
    run: clock,
  },
  "two-senders": {
    promise: "ten thousand deliveries of two servers come once each (row 5)",
    run: ({ scale, say }) => withSubscriber((subscriber) => senders(subscriber, Math.ceil(DELIVERIES * scale), say)),
  },
};

function delivering(
  fault: (server: ServerProcess) => Fault,
  count: number,
  { scale, seed, say }: SoakOptions,
): Problems {
  return withSubscriber((subscriber) =>
    onBothEngines(async (server, team) => {
      const report = await killWhileDelivering(server, team, subscriber, {
        faults: Math.ceil(count * scale),
        fault: fault(server),
        random: seeded(seed),
        progress: (done) => {
          if (done % 20 === 0) say(`${server.engine}: ${done}`);
        },
      });
      const { faults, acknowledged, events, requests, unknown, messages } = report;
      say(
        `${server.engine}: ${faults} times, ${acknowledged} writes answered (${messages.size} messages), ${events} events, ${requests} requests, ${unknown} attempts cut short`,
      );
      return report.problems;
    }, subscriber.settings),
  );
}

async function unanswered(
  server: ServerProcess,
  team: SetUpTeam,
  subscriber: Subscriber,
  { scale, say }: SoakOptions,
): Problems {
  const { receiver } = subscriber;
  const webhook = await subscriber.subscribe(server, team);
  const problems: string[] = [];
  const messages = new Set<string>();
  for (let count = 0; count < Math.ceil(UNANSWERED * scale); count += 1) {
    const before = receiver.received.length;
    receiver.answers(hang);
    messages.add(await visitorWrites(server, team, `Is anybody there? ${count}`));
    await comesTrue(PATIENCE_MS, () => receiver.received.length > before);
    const event = eventOf(receiver.received[before]);
    await server.kill();
    const died = performance.now();
    receiver.answers(status(200));
    await server.start();
    const requestsOf = () => receiver.received.filter((request) => eventOf(request) === event);
    await comesTrue(PATIENCE_MS, () => requestsOf().length > 1);
    const took = performance.now() - died;
    say(`${server.engine}: sent again ${Math.round(took)} ms after the kill`);
    if (took > LEASE_MS + LEASE_SLACK_MS) problems.push(`${event} was sent again after ${Math.round(took)} ms.`);
    const delivered = () => stateOf(server, team, webhook, event).then((state) => state === "delivered");
    if (!(await comesTrue(PATIENCE_MS, delivered))) problems.push(`${event} was not delivered.`);
    const log = await attemptsOf(server, team, webhook, event);
    if (log !== "1 unknown, 1 delivered") problems.push(`The log says of ${event}: ${log}.`);
  }
  const told = await deliveredWrongly(server, team, webhook, { receiver, messages, patienceMs: PATIENCE_MS });
  return [...problems, ...told.problems];
}

async function paused(options: SoakOptions): Problems {
  const alone = await withSubscriber((subscriber) =>
    onBothEngines((server, team) => pausedAlone(server, team, subscriber, options), subscriber.settings),
  );
  if (alone.length > 0) return alone;
  const cluster = await startPostgres({ fsync: true });
  try {
    return [
      ...(await withSubscriber((subscriber) => pausedBesideAnother(cluster.url, subscriber, options))),
      ...(await withSubscriber((subscriber) => pausedAtRandom(cluster.url, subscriber, options))),
    ];
  } finally {
    await cluster.stop();
  }
}

/** There is no other process: its attempts have timed out, and it repeats them itself. */
async function pausedAlone(
  server: ServerProcess,
  team: SetUpTeam,
  subscriber: Subscriber,
  { say }: SoakOptions,
): Problems {
  const { receiver } = subscriber;
  const webhook = await subscriber.subscribe(server, team);
  const before = receiver.received.length;
  receiver.answers(hang);
  const messages = new Set([await visitorWrites(server, team, "Is anybody there?")]);
  await comesTrue(PATIENCE_MS, () => receiver.received.length > before);
  server.pause();
  await delay(LEASE_MS + LEASE_SLACK_MS);
  receiver.answers(status(200));
  server.resume();
  const told = await deliveredWrongly(server, team, webhook, { receiver, messages, patienceMs: PATIENCE_MS });
  say(`${server.engine} alone: ${told.requests} requests for ${told.events} events`);
  return told.problems;
}

/** Its request is still open when another process has delivered; then it gets a failure, which must not become the state. */
async function pausedBesideAnother(postgresUrl: string, subscriber: Subscriber, { say }: SoakOptions): Problems {
  const { receiver, settings } = subscriber;
  const pair = await startServerPair(postgresUrl, settings);
  const [one, two] = pair.servers;
  try {
    const team = await one.team("Acme");
    const webhook = await subscriber.subscribe(one, team);
    const held: Exchange[] = [];
    receiver.answers((exchange) => void held.push(exchange), status(200));
    const messages = new Set([await visitorWrites(one, team, "Is anybody there?")]);
    await comesTrue(PATIENCE_MS, () => held.length > 0);
    one.pause();
    const from = performance.now();
    const event = eventOf(held[0]?.request);
    const delivered = () => stateOf(two, team, webhook, event).then((state) => state === "delivered");
    const problems: string[] = [];
    if (!(await comesTrue(PATIENCE_MS, delivered))) problems.push(`${event} was not delivered by the other server.`);
    const took = performance.now() - from;
    if (took > LEASE_MS + LEASE_SLACK_MS) problems.push(`The other server took ${Math.round(took)} ms.`);
    held[0]?.response.writeHead(500).end();
    one.resume();

    const noted = () => attemptsOf(two, team, webhook, event).then((log) => log === "1 failed, 1 delivered");
    if (!(await comesTrue(PATIENCE_MS, noted))) {
      problems.push(`The log says of ${event}: ${await attemptsOf(two, team, webhook, event)}.`);
    }
    const state = await stateOf(two, team, webhook, event);
    if (state !== "delivered") problems.push(`A result that came too late has made ${event} ${state}.`);
    messages.add(await visitorWrites(one, team, "And now?"));
    const told = await deliveredWrongly(two, team, webhook, { receiver, messages, patienceMs: PATIENCE_MS });
    await delay(QUIET_MS);
    const requests = receiver.received.filter((request) => eventOf(request) === event).length;
    if (requests !== 2) problems.push(`${event} came ${requests} times.`);
    say(`beside another: taken over after ${Math.round(took)} ms`);
    return [...problems, ...told.problems];
  } finally {
    one.resume();
    await pair.remove();
  }
}

/** Wherever it is suspended, also in a transaction: the other process accepts writes and delivers. */
async function pausedAtRandom(postgresUrl: string, subscriber: Subscriber, options: SoakOptions): Problems {
  const { scale, seed, say } = options;
  const { receiver, settings } = subscriber;
  const random = seeded(seed);
  const pair = await startServerPair(postgresUrl, settings);
  const [one, two] = pair.servers;
  const problems: string[] = [];
  try {
    const team = await one.team("Acme");
    const webhook = await subscriber.subscribe(one, team);
    const messages = new Set<string>();
    let going = true;
    let longestMs = 0;
    const lanes = Array.from({ length: 8 }, async (_, lane) => {
      const server = lane % 2 ? one : two;
      for (let count = 0; going; count += 1) {
        const from = performance.now();
        const written = visitorWrites(server, team, `Word ${lane}.${count}`).then((id) => messages.add(id));
        await written.catch((error: Error) => {
          if (server === two) problems.push(`While the other stood still: ${error.message}`);
        });
        if (server === two) longestMs = Math.max(longestMs, performance.now() - from);
        await delay(5);
      }
    });
    for (let count = 0; count < Math.ceil(PAUSES * scale); count += 1) {
      await delay(random() * 400);
      one.pause();
      const before = receiver.received.length;
      const goesOn = await comesTrue(LONGEST_PAUSE_MS, () => receiver.received.length > before + 20);
      if (!goesOn) problems.push("Nothing was delivered while the other stood still.");
      one.resume();
    }
    going = false;
    await Promise.all(lanes);
    const told = await deliveredWrongly(two, team, webhook, { receiver, messages, patienceMs: PATIENCE_MS });
    say(
      `at random: ${told.events} events, ${told.requests} requests; the slowest write through the other ${Math.round(longestMs)} ms`,
    );
    return [...new Set(problems), ...told.problems];
  } finally {
    one.resume();
    await pair.remove();
  }
}

async function clock(options: SoakOptions): Problems {
  const fake = newFakeClock();
  fake.set(FIRST_OFFSET);
  const attack = (subscriber: Subscriber) => {
    const { receiver } = subscriber;
    const seconds = String(RETRY_MS / 1_000);
    const settings = {
      ...subscriber.settings,
      ...fake.settings,
      WEBHOOK_RETRY_SECONDS: [seconds, seconds, seconds].join(),
    };
    return onBothEngines(async (server, team) => {
      const webhook = await subscriber.subscribe(server, team);
      const messages = new Set<string>();
      const problems: string[] = [];
      let offset = FIRST_OFFSET;
      for (const jump of JUMPS) {
        offset += jump;
        const setClock = () => fake.set(offset);
        const wrong = await retriesAcross({ server, team, webhook, receiver, messages }, setClock, fake.now);
        problems.push(...wrong.map((problem) => `The clock was set by ${jump} s: ${problem}`));
        options.say(`${server.engine}: set by ${jump} s`);
      }
      const told = await deliveredWrongly(server, team, webhook, { receiver, messages, patienceMs: PATIENCE_MS });
      return [...problems, ...told.problems];
    }, settings);
  };
  try {
    return await withSubscriber(attack, CERTIFICATE_DAYS);
  } finally {
    fake.remove();
  }
}

interface Waiting {
  server: ServerProcess;
  team: SetUpTeam;
  webhook: string;
  receiver: Receiver;
  /** Collects the ids of written messages. */
  messages: Set<string>;
}

/** First attempts fail, the clock is set while their retries wait, and a new event occurs. */
async function retriesAcross(
  { server, team, webhook, receiver, messages }: Waiting,
  jump: () => void,
  shown: () => number,
): Problems {
  const problems: string[] = [];
  const start = receiver.received.length;
  /** For each event: when its requests arrived, by a clock that is never set. */
  const times = new Map<string, number[]>();
  let failing = true;
  receiver.answers(({ request, response }) => {
    const event = eventOf(request);
    const signedAt = Number(request.headers["x-service-timestamp"]) * 1_000;
    if (Math.abs(shown() - signedAt) > SIGNED_WITHIN_MS) {
      problems.push(`${event} is signed at ${new Date(signedAt).toISOString()}.`);
    }
    times.set(event, [...(times.get(event) ?? []), performance.now()]);
    response.writeHead(failing ? 503 : 200).end();
  });
  // A new visitor's message has two events, one after the other.
  const write = async (text: string) => messages.add(await visitorWrites(server, team, text));
  await Promise.all(Array.from({ length: WAITING / 2 }, (_, index) => write(`Word ${index}`)));
  const allWait = async () => {
    const { meta } = await call(server, team, `/webhooks/${webhook}/deliveries?state=waiting&limit=1`);
    return times.size === WAITING && meta.pagination.total === WAITING;
  };
  if (!(await comesTrue(PATIENCE_MS, allWait))) problems.push("Not all wait for their second attempt.");
  failing = false;
  jump();

  const before = performance.now();
  await write("Something new");
  if (!(await comesTrue(RETRY_SLACK_MS, () => times.size === WAITING + 2))) {
    problems.push("What happened afterwards was not delivered at once.");
  }
  const retried = () => [...times.values()].filter((each) => each.length > 1).length === WAITING;
  await comesTrue(RETRY_MS * 3, retried);
  await delay(QUIET_MS);
  for (const [event, [first = 0, second, ...more]] of times) {
    if (first > before) continue;
    const wait = Math.round((second ?? Number.POSITIVE_INFINITY) - first);
    if (wait < RETRY_MS || wait > RETRY_MS * (1 + RETRY_JITTER) + RETRY_SLACK_MS) {
      problems.push(`${event} was retried after ${wait} ms.`);
    }
    if (more.length > 0) problems.push(`${event} came ${more.length + 2} times.`);
  }
  if (receiver.received.length !== start + 2 * WAITING + 2) {
    problems.push(`${receiver.received.length - start} requests came.`);
  }
  return problems.slice(0, 10);
}

async function senders(subscriber: Subscriber, deliveries: number, say: (text: string) => void): Problems {
  const cluster = await startPostgres({ fsync: true });
  const pair = await startServerPair(cluster.url, subscriber.settings);
  try {
    const report = await twoSenders(pair.servers, subscriber, deliveries);
    say(`${report.deliveries} deliveries, ${report.requests} requests, sent by each: ${report.sentBy.join(" and ")}`);
    return report.problems;
  } finally {
    await pair.remove();
    await cluster.stop();
  }
}

/** The event id of a request. */
function eventOf(request: Received | undefined): string {
  return String(request?.headers["webhook-id"]);
}

async function stateOf(server: ServerProcess, team: SetUpTeam, webhook: string, event: string): Promise<string> {
  return (await call(server, team, `/webhooks/${webhook}/deliveries/${event}`)).data.attributes.state;
}

/** The log of a delivery, such as `1 unknown, 1 delivered`: number and outcome of each attempt. */
async function attemptsOf(server: ServerProcess, team: SetUpTeam, webhook: string, event: string): Promise<string> {
  const { data } = await call(server, team, `/webhooks/${webhook}/deliveries/${event}`);
  const attempts: { attempt: number; outcome: string | null }[] = data.attributes.attempts;
  return attempts.map(({ attempt, outcome }) => `${attempt} ${outcome ?? "unknown"}`).join(", ");
}
