/** The outbox: a delivery is in the commit of its event, or there is none (docs/decisions/0014; invariant 2). */
import { setImmediate as nextTurn } from "node:timers/promises";
import { eventNames } from "@frontdesk/core/contract";
import { everyPublicEvent } from "@frontdesk/testing/public-events";
import { openBeside, query, sqlText } from "@frontdesk/testing/second-app";
import { subscribe } from "@frontdesk/testing/subscriber";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, veraArrives, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import type { Operation } from "../context.ts";
import { receiveVisitorMessage } from "../conversations/receive-visitor-message.ts";

// The app does not run: queued deliveries stay queued.
const { app, team, clock, storage } = await startTestApp();
const beside = await openBeside(storage);
const breaking = await startTestApp();

const URL_OF_ACME = "https://hooks.acme.test/";

const deliveriesOf = ({ teamId }: TestTeam) =>
  query(storage, `SELECT * FROM outbox_items WHERE team_id = '${teamId}' ORDER BY event_number, queue_id`);

test("each public event is queued for exactly the subscriptions that name it, under its own number and id", async () => {
  const acme = await team();
  const all = await subscribe(acme, URL_OF_ACME, { events: [...eventNames] });
  const ofEach = new Map<string, string>();
  for (const name of eventNames) ofEach.set(name, (await subscribe(acme, URL_OF_ACME, { events: [name] })).id);
  await subscribe(acme, URL_OF_ACME, { events: [...eventNames], is_active: false });
  clock.advance(1_000);
  await everyPublicEvent(app, acme);

  const expected = (await acme.events())
    .filter(({ name }) => ofEach.has(name))
    .flatMap((event) =>
      [all.id, ofEach.get(event.name) as string].toSorted().map((queue_id) => ({
        team_id: acme.teamId,
        queue_id,
        event_number: event.number,
        receiver: "webhook",
        event_id: event.id,
        event_name: event.name,
        order_key: event.conversation_id,
        state: "waiting",
        attempt: 1,
        last_attempt: 4,
        run_at: 0,
        claim_id: null,
        created_at: clock.now(),
        ended_at: null,
        message_id: null,
      })),
    );
  expect(new Set(expected.map(({ event_name }) => event_name)).size).toBe(eventNames.length);
  expect(await deliveriesOf(acme)).toEqual(expected);
});

test("several events of one commit are queued under their own numbers", async () => {
  const acme = await team();
  await subscribe(acme, URL_OF_ACME, { events: ["message.received", "conversation.created"] });
  await veraArrives(acme, { message: { content: "Hello?", urls: [] } });
  const events = await acme.events();
  const queued = (await deliveriesOf(acme)).map(({ event_name, event_number }) => [event_name, event_number]);
  expect(queued).toHaveLength(2);
  expect(queued).toEqual(
    events
      .filter(({ name }) => name === "message.received" || name === "conversation.created")
      .map(({ name, number }) => [name, number]),
  );
});

test("what happened before a subscription was made, or while it was off, is never queued for it", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  const hook = await subscribe(acme, URL_OF_ACME, { events: ["message.sent"] });
  await acme.patch(hook.path, { is_active: false });
  await adaReplies(acme, conversationId);
  await acme.patch(hook.path, { is_active: true });
  expect(await deliveriesOf(acme)).toEqual([]);
  await adaReplies(acme, conversationId);
  expect(await deliveriesOf(acme)).toHaveLength(1);
});

test("a request that is refused leaves no delivery", async () => {
  const acme = await team();
  await subscribe(acme, URL_OF_ACME, { events: [...eventNames] });
  const { conversationId } = await veraWrites(acme);
  const before = await deliveriesOf(acme);
  const refused = [
    await acme.post("/conversations", { widget_id: acme.teamId, content: "Hi" }),
    await acme.post("/conversations", { widget_id: acme.widgetId, content: "" }),
    await acme.post("/messages", { conversation_id: conversationId, content: "Hi", agent_id: "nobody" }),
    await acme.post(`/conversations/${conversationId}/resolve`, { status: "eaten" }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([404, 422, 422, 422]);
  expect(await deliveriesOf(acme)).toEqual(before);
});

test("an operation that fails in the end leaves none, also beside others in its commit that succeed", async () => {
  const acme = await team();
  await subscribe(acme, URL_OF_ACME);
  const message = { widgetId: acme.widgetId, content: "Hello?" };
  const failing: Operation<object, void> = {
    name: "receive-visitor-message",
    mode: "write",
    async run(ctx) {
      await receiveVisitorMessage.run(ctx, message);
      throw new Error("In the end it fails.");
    },
  };
  const outcomes = await Promise.allSettled([
    app.perform(acme.actor, receiveVisitorMessage, message),
    app.perform(acme.actor, failing, {}),
    app.perform(acme.actor, receiveVisitorMessage, message),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const received = (await acme.events()).filter(({ name }) => name === "message.received");
  expect(received).toHaveLength(2);
  expect((await deliveriesOf(acme)).map(({ event_id }) => event_id)).toEqual(received.map(({ id }) => id));
});

test("an event whose deliveries cannot be stored has not happened", async () => {
  const acme = await breaking.team();
  await subscribe(acme, URL_OF_ACME);
  const rule =
    breaking.storage.engine === "sqlite"
      ? "CREATE TRIGGER refuse BEFORE INSERT ON outbox_items BEGIN SELECT raise(abort, 'refused'); END"
      : "ALTER TABLE outbox_items ADD CONSTRAINT refuse CHECK (state IS NULL)";
  await query(breaking.storage, rule);
  const before = await acme.events();
  const answer = await acme.post("/conversations", { widget_id: acme.widgetId, content: "Hello?" });
  expect(answer.status).toBe(500);
  expect(await acme.events()).toEqual(before);
  expect((await acme.get("/conversations/all")).body.data).toEqual([]);
});

test("no reader ever sees an event without its deliveries, or a delivery without its event", async () => {
  const acme = await team();
  for (let hook = 0; hook < 3; hook += 1) await subscribe(acme, URL_OF_ACME);
  const look = sqlText(`SELECT
    (SELECT count(*) FROM events WHERE team_id = '${acme.teamId}' AND name = 'message.received') AS events,
    (SELECT count(*) FROM outbox_items WHERE team_id = '${acme.teamId}') AS deliveries`);
  let writing = true;
  const writers = Promise.all(
    Array.from({ length: 5 }, async (_, lane) => {
      for (let count = 0; count < 20; count += 1) await veraWrites(acme, { email: `v${lane}@visitor.test` });
    }),
  ).finally(() => {
    writing = false;
  });
  const seen: number[] = [];
  while (writing) {
    await nextTurn();
    const [row] = await beside.read((db) => db.all(look, {}));
    expect(Number(row?.deliveries)).toBe(3 * Number(row?.events));
    seen.push(Number(row?.events));
  }
  await writers;
  expect(new Set(seen).size).toBeGreaterThan(3);
  expect(await deliveriesOf(acme)).toHaveLength(300);
});
