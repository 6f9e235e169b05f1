/** When a stream connects, over which transport, and when it gives up: with a held clock and a simulated network. */
import { liveClose } from "@frontdesk/core/contract/live";
import { describe, expect, test } from "vitest";
import { retryWaitMs } from "./clock.ts";
import { heldClock } from "./clock-for-tests.ts";
import { followLog, type LogFollower } from "./follow-log.ts";
import { type ConnectionState, openLiveStream } from "./live-stream.ts";
import { type Hello, type Listener, MOVED, NOT_UNDERSTOOD, NOT_VALID, type Transport } from "./live-transports.ts";

interface Said {
  number: number;
}

/** One connection attempt, as the network sees it. */
interface Attempt {
  over: string;
  hello: Hello;
  on: Listener;
  sent: object[];
  closed: boolean;
  says(...frames: object[]): void;
}

const EPOCH = "first";
const ready = (number: number) => ({ type: "ready", number, epoch: EPOCH });
const event = (number: number) => ({ type: "event", number });

/** Vera's stream with its internals exposed. `log` is what a fetch returns. */
async function scene({ random = () => 0 as number } = {}) {
  const clock = heldClock(random);
  const attempts: Attempt[] = [];
  const states: ConnectionState[] = [];
  const ends: number[] = [];
  const log = { number: 10, epoch: EPOCH, fetches: 0, answers: true };
  let applied: number[] = [];
  const follower = followLog<Said, { number: number; epoch: string }>({
    async fetch() {
      log.fetches += 1;
      return log.answers ? { number: log.number, epoch: log.epoch } : undefined;
    },
    replace: ({ number }) => {
      applied = [number];
    },
    apply({ number }) {
      applied.push(number);
      return true;
    },
  });
  await follower.reset();
  const transport =
    (over: string): Transport =>
    (hello, on) => {
      const attempt: Attempt = {
        over,
        hello: hello(),
        on,
        sent: [],
        closed: false,
        says(...frames) {
          for (const frame of frames) {
            on.received();
            on.frame(JSON.stringify(frame));
          }
        },
      };
      attempts.push(attempt);
      return {
        ...(over === "socket" && { send: (frame: object) => attempt.sent.push(frame) }),
        close: () => {
          attempt.closed = true;
        },
      };
    };
  const stream = openLiveStream<Said, { type: string }>({
    token: "fd_visitor_v",
    widgetId: "w",
    follower,
    transports: [transport("socket"), transport("events"), transport("poll")],
    onConnection: (state) => states.push(state),
    onPresence() {},
    onEnd: (code) => ends.push(code),
    clock,
  });
  return {
    clock,
    stream,
    follower,
    attempts,
    states,
    ends,
    log,
    applied: () => applied,
    last: () => attempts.at(-1) as Attempt,
    over: () => attempts.map(({ over }) => over),
    /** The last attempt fails, and the next one starts. */
    failsOnce() {
      (attempts.at(-1) as Attempt).on.closed(1006);
      clock.advance(clock.next() ?? 0);
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the log", () => {
  test("hello names the token, the widget, and the place up to which everything was applied", async () => {
    const { last, clock } = await scene();
    expect(last().hello).toEqual({ token: "fd_visitor_v", widget_id: "w", since: 10, epoch: EPOCH });
    last().says(event(12), ready(15));
    last().on.closed(1012);
    clock.advance(1_000);
    expect(last().hello).toMatchObject({ since: 15, epoch: EPOCH });
  });

  test("events are applied in their order, and those that were applied before are dropped", async () => {
    const { last, applied } = await scene();
    last().says(event(9), event(11), event(11), event(13), event(12), ready(13));
    expect(applied()).toEqual([10, 11, 13]);
  });

  test("the place moves only after the event was applied", async () => {
    const places: (number | undefined)[] = [];
    const follower: LogFollower<Said> = followLog<Said, { number: number; epoch: string }>({
      fetch: async () => ({ number: 1, epoch: EPOCH }),
      replace: () => {},
      apply: () => places.push(follower.position?.number) > 0,
    });
    await follower.reset();
    follower.event({ number: 2 });
    follower.event({ number: 5 });
    expect(places).toEqual([1, 2]);
    expect(follower.position).toEqual({ number: 5, epoch: EPOCH });
  });

  test("a token that is another contact's now fetches everything again, until that has been fetched", async () => {
    const { last, log, applied, states, clock } = await scene();
    last().says(ready(10));
    Object.assign(log, { number: 12, answers: false });
    last().on.closed(MOVED);
    for (const fetches of [1, 2]) {
      clock.advance(clock.next() ?? 0);
      last().says(ready(12));
      await settled();
      expect([log.fetches, states.at(-1)]).toEqual([fetches + 1, "connecting"]);
    }
    log.answers = true;
    clock.advance(clock.next() ?? 0);
    last().says(ready(12));
    await settled();
    expect([applied(), states.at(-1)]).toEqual([[12], "live"]);
  });

  test("after reset everything is fetched again, and events of the meantime are applied once", async () => {
    const { last, log, applied, states } = await scene();
    Object.assign(log, { number: 40, epoch: "second" });
    last().says({ type: "reset", number: 38, epoch: "second" }, ready(38), event(39), event(40), event(41));
    expect(states).toEqual([]);
    await settled();
    expect(applied()).toEqual([40, 41]);
    expect(log.fetches).toBe(2);
    expect(states).toEqual(["live"]);
  });

  test("a fetch that fails after reset is made again with the next connection", async () => {
    const { last, log, clock, applied, attempts } = await scene();
    log.answers = false;
    last().says({ type: "reset", number: 38, epoch: "second" }, ready(38));
    await settled();
    expect(last().closed).toBe(true);
    Object.assign(log, { answers: true, number: 44, epoch: "second" });
    clock.advance(1_000);
    expect(attempts).toHaveLength(2);
    expect(last().hello).toMatchObject({ since: 10, epoch: EPOCH });
    last().says({ type: "reset", number: 43, epoch: "second" }, ready(43));
    await settled();
    expect(applied()).toEqual([44]);
  });

  test("a connection that takes over in the middle of a fetch is live when the fetch is done", async () => {
    const { last, states, follower, log } = await scene();
    log.number = 12;
    const fetching = follower.reset();
    last().says(event(13), ready(13));
    expect(states).toEqual([]);
    await fetching;
    await settled();
    expect(states).toEqual(["live"]);
    expect(follower.position?.number).toBe(13);
  });
});

describe("a lost connection", () => {
  test("comes back after 250 ms and a random part of a span that doubles up to 30 s", async () => {
    for (const [failures, span] of [
      [0, 500],
      [1, 1_000],
      [3, 4_000],
      [6, 30_000],
      [40, 30_000],
    ] as const) {
      expect(retryWaitMs(failures, () => 0)).toBe(250);
      expect(retryWaitMs(failures, () => 0.5)).toBe(250 + span / 2);
    }
    const { clock, last } = await scene({ random: () => 0.5 });
    const waits: (number | undefined)[] = [];
    for (let failures = 0; failures < 9; failures++) {
      last().on.closed(1006);
      waits.push(clock.next());
      clock.advance(clock.next() ?? 0);
    }
    expect(waits).toEqual([500, 750, 1_250, 2_250, 4_250, 8_250, 15_250, 15_250, 15_250]);
  });

  test("waits longer each time also when connections open and break at once, and short again after a good one", async () => {
    const { clock, last } = await scene({ random: () => 0.5 });
    const breaks = () => {
      last().on.closed(4008);
      const wait = clock.next();
      clock.advance(wait ?? 0);
      return wait;
    };
    for (const wait of [500, 750, 1_250]) {
      last().says(ready(10));
      expect(breaks()).toBe(wait);
    }
    last().says(ready(10));
    clock.advance(10_000);
    expect(breaks()).toBe(500);
  });

  test("reconnects at once when the network is back or the page becomes visible", async () => {
    const { clock, stream, last, attempts, failsOnce } = await scene({ random: () => 0.999 });
    failsOnce();
    last().on.closed(1006);
    expect(clock.next()).toBeGreaterThan(1_000);
    stream.wake();
    expect(attempts).toHaveLength(3);
    stream.wake();
    expect(attempts).toHaveLength(3);
    // Failures from before the network came back do not count.
    last().on.closed(1006);
    expect(clock.next()).toBeLessThan(750);
  });

  test.each([NOT_VALID, NOT_UNDERSTOOD])("does not come back after %i", async (code) => {
    const { clock, stream, last, attempts, states, ends } = await scene();
    last().says(ready(10));
    last().on.closed(code);
    expect(ends).toEqual([code]);
    expect(states).toEqual(["live", "offline"]);
    clock.advance(3_600_000);
    stream.wake();
    expect(attempts).toHaveLength(1);
    expect(clock.next()).toBeUndefined();
  });

  test("the codes that end it are those of the contract", () => {
    expect([NOT_VALID, NOT_UNDERSTOOD, MOVED]).toEqual([liveClose.token, liveClose.frame, liveClose.moved]);
  });

  test("says connecting after a loss, offline once an attempt has failed, and live when nothing is missing", async () => {
    const { last, states, clock } = await scene();
    last().says(event(11));
    expect(states).toEqual([]);
    last().says(ready(11));
    last().on.closed(1012);
    clock.advance(250);
    last().on.closed(1006);
    clock.advance(250);
    last().says(ready(11));
    expect(states).toEqual(["live", "connecting", "offline", "live"]);
  });

  test("after close nothing is received, sent or tried again", async () => {
    const { clock, stream, last, states, applied } = await scene();
    last().says(ready(10));
    stream.close();
    expect(last().closed).toBe(true);
    last().says(event(11));
    last().on.closed(1006);
    stream.send({ type: "page", url: "https://acme.test/", title: "" });
    expect(clock.next()).toBeUndefined();
    expect(applied()).toEqual([10]);
    expect(last().sent).toEqual([]);
    expect(states).toEqual(["live"]);
  });
});

describe("silence", () => {
  test("is broken with a ping after 25 s, and 45 s of it end the connection", async () => {
    const { clock, last, attempts } = await scene();
    last().says(ready(10));
    clock.advance(24_999);
    expect(last().sent).toEqual([]);
    clock.advance(1);
    expect(last().sent).toEqual([{ type: "ping" }]);
    last().says({ type: "pong" });
    clock.advance(44_999);
    expect(last().closed).toBe(false);
    clock.advance(1);
    expect(attempts[0]?.closed).toBe(true);
    clock.advance(250);
    expect(attempts).toHaveLength(2);
  });

  test("of a fallback, which cannot ask, ends it as well", async () => {
    const { clock, attempts, last, failsOnce } = await scene();
    for (let opening = 0; opening < 3; opening++) failsOnce();
    expect(last().over).toBe("events");
    last().says(ready(10));
    clock.advance(44_999);
    expect(attempts[3]?.closed).toBe(false);
    clock.advance(1);
    expect(attempts[3]?.closed).toBe(true);
  });

  test("when the page becomes visible, a good connection is pinged, and given up after 5 s without an answer", async () => {
    const { clock, stream, last, attempts } = await scene();
    last().says(ready(10));
    stream.wake();
    expect(last().sent).toEqual([{ type: "ping" }]);
    last().says({ type: "pong" });
    clock.advance(20_000);
    expect(attempts[0]?.closed).toBe(false);
    stream.wake();
    clock.advance(5_000);
    expect(attempts[0]?.closed).toBe(true);
  });

  test("an opening that brings nothing within 10 s has failed", async () => {
    const { clock, attempts, states } = await scene();
    clock.advance(9_999);
    expect(attempts[0]?.closed).toBe(false);
    clock.advance(1);
    expect(attempts[0]?.closed).toBe(true);
    expect(states).toEqual(["offline"]);
  });
});

describe("ways around what lets no socket through", () => {
  test("after three failed openings come server-sent events, then polling, then a socket again", async () => {
    const { over, failsOnce } = await scene();
    for (let opening = 0; opening < 6; opening++) failsOnce();
    expect(over()).toEqual(["socket", "socket", "socket", "events", "poll", "socket", "socket"]);
  });

  test("a socket that opened and broke is tried three times again", async () => {
    const { over, last, failsOnce } = await scene();
    failsOnce();
    failsOnce();
    last().says(ready(10));
    for (let opening = 0; opening < 4; opening++) failsOnce();
    expect(over()).toEqual([...Array(6).fill("socket"), "events"]);
  });

  test("a fallback stays while it works, and after a minute a socket is tried again", async () => {
    const { clock, over, last, attempts, failsOnce } = await scene();
    for (let opening = 0; opening < 3; opening++) failsOnce();
    const alive = (minutes: number) => {
      for (let half = 0; half < minutes * 2; half++) {
        if (last().over !== "socket") last().says(ready(10));
        clock.advance(30_000);
      }
    };
    alive(1);
    expect(over()).toEqual([...Array(3).fill("socket"), "events", "socket"]);
    expect(attempts[3]?.closed).toBe(true);
    // One failed attempt falls back, and the next one comes later.
    failsOnce();
    expect(last().over).toBe("events");
    const before = attempts.length;
    alive(1);
    expect(attempts).toHaveLength(before);
    alive(1);
    expect(last().over).toBe("socket");
    last().says(ready(10));
    clock.advance(20_000);
    expect(last().closed).toBe(false);
  });

  test("what happens at this moment is sent over a live socket alone", async () => {
    const { stream, last, failsOnce } = await scene();
    const page = { type: "page", url: "https://acme.test/", title: "Shop" } as const;
    stream.send(page);
    expect(last().sent).toEqual([]);
    last().says(ready(10));
    stream.send(page);
    expect(last().sent).toEqual([page]);
    for (let opening = 0; opening < 5; opening++) failsOnce();
    expect(last().over).toBe("poll");
    last().says(ready(10));
    stream.send(page);
    expect(last().sent).toEqual([]);
  });

  test("what is no frame ends the connection and nothing else", async () => {
    const { last, attempts, states, clock } = await scene();
    last().on.frame("<html>Please sign in to the network</html>");
    expect(attempts[0]?.closed).toBe(true);
    clock.advance(250);
    last().says(ready(10));
    expect(states).toEqual(["offline", "live"]);
  });
});
