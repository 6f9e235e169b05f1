/** A client that reconnects gets exactly the events that it has missed (docs/decisions/0020-live-stream.md). */
import { randomUUID } from "node:crypto";
import { AgentEventFrame, VisitorEventFrame, visitorEventNames } from "@frontdesk/core/contract/live";
import { closed, problemsOf } from "@frontdesk/testing/ajv";
import { browser } from "@frontdesk/testing/browser-visitor";
import { busyTeam } from "@frontdesk/testing/busy-team";
import { type Frame, type LiveSocket, listen } from "@frontdesk/testing/live-client";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { seededRandom } from "../demo/seeded-random.ts";

const { app, storage, team } = await startTestApp();
const origin = await app.start();

/** A team at work, with visitors of its widget who write and read between all else. */
async function atWork(seed: number) {
  const acme = await team();
  const visitors = [browser(app, acme), browser(app, acme)];
  for (const visitor of visitors) await visitor.write("Hello", { name: `Vera ${randomUUID()}` });
  const busy = busyTeam(app.perform, { ...acme, ownerId: acme.ada.id }, seed);
  const chance = seededRandom(seed);
  const act = async () => {
    const visitor = visitors[Math.floor(chance() * visitors.length)] as (typeof visitors)[number];
    const dice = chance();
    if (dice < 0.5) return void (await busy.act());
    const { conversation, messages } = (await visitor.chat()).body;
    if (dice < 0.65) return void (await visitor.write("And then?"));
    if (dice < 0.75) return void (await visitor.seen(conversation.id, messages[0].sort_number));
    if (dice < 0.85) return void (await adaReplies(acme, conversation.id));
    if (dice < 0.95) return void (await adaReplies(acme, conversation.id, { type: "note", content: "SECRET" }));
    await acme.post(`/conversations/${conversation.id}/resolve`, { status: "resolved" });
  };
  return { acme, visitors, chance, act };
}

const hello = (acme: TestTeam, visitor?: { token: string }) =>
  visitor ? { token: visitor.token, widget_id: acme.widgetId } : { token: acme.apiKey };

/** Waits until the stream has everything so far: it gets a last reply to the visitor and the team. */
async function hasAll(streams: readonly LiveSocket[], last: () => number): Promise<void> {
  for (const stream of streams) {
    await expect.poll(() => stream.events().at(-1)?.number ?? 0).toBe(last());
  }
}

/** An event without the parts that are read at the moment of sending. */
const lasting = ({ conversation: _, ...event }: Frame) => event;

test.each([1, 2, 3])(
  "a replay from any number is what a stream that was never cut has heard, also while writes go on (seed %i)",
  async (seed) => {
    const { acme, visitors, chance, act } = await atWork(seed);
    const eyes = [undefined, ...visitors];
    const whole = await Promise.all(eyes.map((visitor) => listen(origin, { ...hello(acme, visitor) })));
    const starts = await Promise.all(whole.map((stream) => stream.heard("ready")));
    for (let n = 0; n < 120; n += 1) await act();

    const { epoch } = starts[0];
    const now = (await acme.events()).length;
    const first = starts[0].number;
    expect(now).toBeGreaterThan(first + 100);
    const since = Array.from({ length: 12 }, () => first + Math.floor(chance() * (now - first + 1)));
    let writing = true;
    const writer = (async () => {
      while (writing) await act();
    })();
    const returned = await Promise.all(
      since.flatMap((from) => eyes.map((visitor) => listen(origin, { ...hello(acme, visitor), since: from, epoch }))),
    );
    for (const stream of returned) await stream.heard("ready");
    writing = false;
    await writer;
    // An event that all viewers see is the last one.
    for (const visitor of visitors) {
      await adaReplies(acme, (await visitor.chat()).body.conversation.id, { content: "The end." });
    }
    const ends = await Promise.all(
      eyes.map(async (visitor, index) => {
        const contact = visitor && (await visitor.chat()).body.contact.id;
        const log = (await acme.events()).filter(
          ({ number, name, contact_id }) =>
            number > starts[index].number &&
            (!visitor || (contact_id === contact && (visitorEventNames as readonly string[]).includes(name))),
        );
        return log.map(({ number }) => number);
      }),
    );
    for (const [index, stream] of whole.entries()) {
      await hasAll([stream], () => ends[index]?.at(-1) ?? 0);
      expect(stream.events().map(({ number }) => number)).toEqual(ends[index]);
      const schema = index === 0 ? AgentEventFrame : closed(VisitorEventFrame);
      for (const event of stream.events()) expect(problemsOf(schema, event)).toEqual([]);
    }
    for (const [index, stream] of returned.entries()) {
      const never = whole[index % eyes.length] as LiveSocket;
      const from = since[Math.floor(index / eyes.length)] as number;
      await hasAll([stream], () => never.events().at(-1).number);
      const expected = never.events().filter(({ number }) => number > from);
      expect(stream.events().map(lasting)).toEqual(expected.map(lasting));
      // The last snapshot of each conversation is what it has become.
      const snapshots = (of: LiveSocket) =>
        Object.fromEntries(of.events().flatMap(({ conversation: c }) => (c ? [[c.id, c]] : [])));
      expect(snapshots(never)).toMatchObject(snapshots(stream));
    }
    for (const stream of [...whole.slice(1), ...returned.filter((_, index) => index % eyes.length > 0)]) {
      expect(JSON.stringify(stream.frames)).not.toContain("SECRET");
    }
    for (const stream of [...whole, ...returned]) stream.leave();
  },
);

test("a stream that begins without a number gets the events from then on", async () => {
  const acme = await team();
  await veraWrites(acme);
  const stream = await listen(origin, hello(acme));
  expect((await stream.heard("ready")).number).toBe((await acme.events()).length);
  expect(stream.events()).toEqual([]);
});

test("a replay of some thousand events comes in their order, with a reader who takes a rest", async () => {
  const acme = await team();
  const vera = browser(app, acme);
  const { body, chat } = await vera.write("Hello");
  const { conversation_id } = body.message;
  for (let n = 0; n < 30; n += 1) {
    await Promise.all(
      Array.from({ length: 50 }, () => adaReplies(acme, conversation_id, { content: "We do. ".repeat(200) })),
    );
  }
  // A visitor who missed more than 512 kB begins anew (live-bounds.test.ts).
  for (const [who, missed] of [
    [hello(acme), 1_500],
    [hello(acme, vera), 150],
  ] as const) {
    const since = chat.number + 1_500 - missed;
    const stream = await listen(origin, { ...who, epoch: chat.epoch, since });
    stream.socket.pause();
    setTimeout(() => stream.socket.resume(), 500);
    await stream.heard("ready");
    expect(stream.closed()).toBeUndefined();
    expect(stream.events().map(({ number }) => number)).toEqual(
      Array.from({ length: missed }, (_, index) => since + 1 + index),
    );
    stream.leave();
  }
});

test("a number beyond the log, another log's, and one older than what is kept get `reset`, and go on live", async () => {
  const acme = await team();
  const vera = await veraWrites(acme);
  const { number, epoch } = await (await listen(origin, hello(acme))).heard("ready");
  const resets = async (asked: object, isCut = true) => {
    const stream = await listen(origin, { ...hello(acme), ...asked });
    const ready = await stream.heard("ready");
    const frames = stream.frames.filter(({ type }) => type !== "presence");
    expect(frames).toMatchObject(
      isCut
        ? [{ type: "reset", number: ready.number, epoch }, { type: "ready" }]
        : [{ type: ready.number ? "ready" : "" }],
    );
    return stream;
  };
  const beyond = await resets({ since: number + 1, epoch });
  await resets({ since: number, epoch: "another" });
  await resets({ since: number, epoch: null });
  await resets({ since: number, epoch }, false);
  await adaReplies(acme, vera.conversationId);
  expect(await beyond.heard("event")).toMatchObject({ number: number + 1, name: "message.sent" });

  await query(storage, `DELETE FROM events WHERE team_id = '${acme.teamId}' AND number <= ${number - 1}`);
  await resets({ since: number - 2, epoch });
  const kept = await listen(origin, { ...hello(acme), since: number - 1, epoch });
  await kept.heard("ready");
  expect(kept.events().map((event) => event.number)).toEqual([number, number + 1]);
  await query(storage, `DELETE FROM events WHERE team_id = '${acme.teamId}'`);
  await resets({ since: number, epoch });
});
