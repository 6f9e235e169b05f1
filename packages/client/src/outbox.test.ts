/** What Vera writes reaches the service once and in order, whatever happens on the way. The clock is held. */
import type { ChatMessage } from "@frontdesk/core/contract/visitor";
import { afterEach, describe, expect, test } from "vitest";
import type { Locks } from "./browser.ts";
import { storedValues } from "./browser-storage.ts";
import { heldClock } from "./clock-for-tests.ts";
import { newClientId, newVisitorToken, timeOfClientId } from "./new-ids.ts";
import { type Outbox, openOutbox } from "./outbox.ts";
import { browserStorage } from "./storage-for-tests.ts";
import type { MessageToSend, VisitorAnswer } from "./visitor-requests.ts";

type Answer = VisitorAnswer<"sendMessage">;

const open: Outbox[] = [];
afterEach(() => {
  for (const outbox of open.splice(0)) outbox.close();
});

const answered = (client_id: string): Answer => ({
  ok: true,
  body: { message: { client_id } as ChatMessage, contact: { id: "vera", name: "Vera", email: null } },
});
const problem = (status: number, { retryAfterMs = 0, message = "" } = {}): Answer => ({
  ok: false,
  status,
  body: { message },
  retryAfterMs,
});

/** A browser, and a scripted service: answers from `script` first, then success. */
function browser({ script = [] as Answer[], locks = undefined as Locks | undefined } = {}) {
  const clock = heldClock();
  const storage = browserStorage();
  const attempts: string[] = [];
  const sent: string[] = [];
  /** Answers held back until the test releases them. */
  let held: (() => void)[] | undefined;
  const tab = () => {
    const outbox = openOutbox({
      name: "outbox",
      values: storedValues(storage),
      locks,
      clock,
      async post(message: MessageToSend) {
        attempts.push(message.content);
        if (held) await new Promise<void>((resolve) => held?.push(resolve));
        return script.shift() ?? answered(message.client_id);
      },
      onSent: ({ message }) => sent.push(String(message.client_id)),
      onChange: () => {},
    });
    open.push(outbox);
    return outbox;
  };
  return {
    clock,
    storage,
    attempts,
    sent,
    script,
    tab,
    hold() {
      held = [];
    },
    letGo() {
      const waiting = held ?? [];
      held = undefined;
      for (const go of waiting) go();
    },
  };
}

/** Runs everything that does not wait for the clock. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("sending", () => {
  test("goes one after another, in the order in which it was written", async () => {
    const { tab, attempts, sent, hold, letGo } = browser();
    const outbox = tab();
    hold();
    const ids = ["one", "two", "three"].map((content) => outbox.add({ content }));
    await settled();
    expect(attempts).toEqual(["one"]);
    letGo();
    await settled();
    expect(attempts).toEqual(["one", "two", "three"]);
    expect(sent).toEqual(ids);
    expect(outbox.messages()).toEqual([]);
  });

  test.each([0, 500, 502, 503, 429])("status %i leaves the message, and those behind it, waiting", async (status) => {
    const { tab, attempts, clock, sent } = browser({ script: [problem(status), problem(status)] });
    const outbox = tab();
    outbox.add({ content: "one" });
    outbox.add({ content: "two" });
    await settled();
    expect(attempts).toEqual(["one"]);
    expect(outbox.messages()).toMatchObject([
      { content: "one", refused: null },
      { content: "two", refused: null },
    ]);
    clock.advance(249);
    await settled();
    expect(attempts).toHaveLength(1);
    for (let attempt = 0; attempt < 2; attempt++) {
      clock.advance(30_000);
      await settled();
    }
    expect(attempts).toEqual(["one", "one", "one", "two"]);
    expect(sent).toHaveLength(2);
  });

  test("waits as long as the service asks, also when the page becomes visible or a message is written meanwhile", async () => {
    const { tab, attempts, clock } = browser({ script: [problem(429, { retryAfterMs: 60_000 })] });
    const outbox = tab();
    outbox.add({ content: "one" });
    await settled();
    outbox.add({ content: "two" });
    outbox.wake();
    clock.advance(59_999);
    outbox.wake();
    await settled();
    expect(attempts).toEqual(["one"]);
    clock.advance(1);
    await settled();
    expect(attempts).toEqual(["one", "one", "two"]);
  });

  test("is tried after that wait also when the timer rings a moment before its time", async () => {
    const { tab, attempts, clock } = browser({ script: [problem(429, { retryAfterMs: 60_000 })] });
    const { after } = clock;
    clock.after = (ms, act) => after(ms - 1, act);
    tab().add({ content: "one" });
    await settled();
    clock.advance(59_999);
    await settled();
    expect(attempts).toEqual(["one", "one"]);
  });

  test("is tried at once when the network is back", async () => {
    const { tab, attempts } = browser({ script: [problem(0)] });
    const outbox = tab();
    outbox.add({ content: "one" });
    await settled();
    outbox.wake();
    await settled();
    expect(attempts).toEqual(["one", "one"]);
  });

  test("a repeat carries the same id", async () => {
    const { tab, clock, sent } = browser({ script: [problem(0), problem(503)] });
    const id = tab().add({ content: "one" });
    for (let attempt = 0; attempt < 3; attempt++) {
      await settled();
      clock.advance(30_000);
    }
    await settled();
    expect(sent).toEqual([id]);
  });
});

describe("a refusal", () => {
  test.each([400, 401, 403, 404, 413, 422])("%i is reported and kept, and later ones are sent", async (status) => {
    const { tab, attempts, clock } = browser({ script: [problem(status, { message: "No." })] });
    const outbox = tab();
    const id = outbox.add({ content: "one" });
    outbox.add({ content: "two" });
    await settled();
    expect(attempts).toEqual(["one", "two"]);
    expect(outbox.messages()).toEqual([
      expect.objectContaining({ client_id: id, refused: { status, message: "No." } }),
    ]);
    clock.advance(3_600_000);
    outbox.wake();
    await settled();
    expect(attempts).toHaveLength(2);
  });

  test("is sent again, changed, under the same id, when the visitor says so", async () => {
    const { tab, attempts, sent } = browser({ script: [problem(422)] });
    const outbox = tab();
    const id = outbox.add({ content: "one", email: "vera@" });
    await settled();
    outbox.retry(id, { content: "uno" });
    await settled();
    expect(attempts).toEqual(["one", "uno"]);
    expect(sent).toEqual([id]);
  });

  test("is gone when the visitor discards it", async () => {
    const { tab, storage } = browser({ script: [problem(422)] });
    const outbox = tab();
    outbox.discard(outbox.add({ content: "one" }));
    await settled();
    expect(outbox.messages()).toEqual([]);
    expect(storage.values.size).toBe(0);
  });
});

describe("a reload", () => {
  test("loses nothing: five messages written offline are sent once each, in order", async () => {
    const { tab, script, attempts, sent, clock } = browser({ script: [problem(0)] });
    const before = tab();
    const written = ["one", "two", "three", "four", "five"];
    const ids = written.map((content) => {
      clock.advance(1);
      return before.add({ content });
    });
    await settled();
    before.close();
    expect(script).toEqual([]);
    attempts.length = 0;
    const after = tab();
    expect(after.messages().map(({ content }) => content)).toEqual(written);
    await settled();
    expect(attempts).toEqual(written);
    expect(sent).toEqual(ids);
  });

  test("in the middle of an attempt sends the same message once more, under the same id", async () => {
    const { tab, hold, letGo, attempts, sent } = browser();
    const before = tab();
    hold();
    const id = before.add({ content: "one" });
    await settled();
    before.close();
    const after = tab();
    await settled();
    letGo();
    await settled();
    expect(attempts).toEqual(["one", "one"]);
    expect(new Set(sent)).toEqual(new Set([id]));
    expect(after.messages()).toEqual([]);
  });

  test("keeps a refusal", async () => {
    const { tab } = browser({ script: [problem(422, { message: "No." })] });
    const before = tab();
    before.add({ content: "one" });
    await settled();
    before.close();
    expect(tab().messages()).toMatchObject([{ content: "one", refused: { status: 422, message: "No." } }]);
  });

  test("where nothing can be stored, the messages last as long as the tab", async () => {
    const { clock, storage } = browser();
    storage.setItem = () => {
      throw new Error("The quota is used up.");
    };
    for (const each of [storage, undefined]) {
      const sent: (string | null)[] = [];
      const outbox = openOutbox({
        name: "outbox",
        values: storedValues(each),
        locks: undefined,
        clock,
        post: async ({ client_id }) => answered(client_id),
        onSent: ({ message }) => sent.push(message.client_id),
        onChange: () => {},
      });
      open.push(outbox);
      const id = outbox.add({ content: "one" });
      expect(outbox.messages()).toHaveLength(1);
      await settled();
      expect(sent).toEqual([id]);
    }
  });
});

describe("several tabs", () => {
  const locks = navigator.locks as unknown as Locks;

  test("one at a time sends, and none is sent twice", async () => {
    const { tab, attempts, hold, letGo, sent } = browser({ locks });
    const [left, right] = [tab(), tab()];
    hold();
    left.add({ content: "one" });
    right.add({ content: "two" });
    left.add({ content: "three" });
    await settled();
    await settled();
    expect(attempts).toEqual(["one"]);
    letGo();
    await expect.poll(() => sent.length).toBe(3);
    expect(attempts).toEqual(["one", "two", "three"]);
  });

  test("what one has written is sent by another when the first is closed", async () => {
    const { tab, attempts, script, clock } = browser({ locks, script: [problem(0)] });
    const left = tab();
    left.add({ content: "one" });
    await expect.poll(() => script.length).toBe(0);
    left.close();
    const right = tab();
    await expect.poll(() => attempts.length).toBe(2);
    expect(right.messages()).toEqual([]);
    clock.advance(60_000);
    await settled();
    expect(attempts).toHaveLength(2);
  });

  test("a frame that may not use locks sends all the same", async () => {
    const forbidden: Locks = { request: () => Promise.reject(new DOMException("", "SecurityError")) };
    const { tab, sent } = browser({ locks: forbidden });
    tab().add({ content: "one" });
    await settled();
    expect(sent).toHaveLength(1);
  });
});

describe("ids", () => {
  test("are UUIDs that sort by their time", () => {
    const times = [0, 1, 1_795_000_000_000, 1_795_000_000_001];
    const ids = times.map(newClientId);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.map(timeOfClientId)).toEqual(times);
  });

  test("of messages of one moment keep their order, also when the clock is set back", () => {
    const { tab, hold, clock } = browser();
    const outbox = tab();
    hold();
    const first = [1, 2, 3].map((each) => outbox.add({ content: String(each) }));
    clock.advance(-60_000);
    expect([...first, outbox.add({ content: "4" })]).toEqual(outbox.messages().map(({ client_id }) => client_id));
  });

  test("a token is 43 letters and digits, another one each time", () => {
    const tokens = Array.from({ length: 50 }, newVisitorToken);
    for (const token of tokens) expect(token).toMatch(/^fd_visitor_[0-9A-Za-z]{43}$/);
    expect(new Set(tokens).size).toBe(50);
  });
});
