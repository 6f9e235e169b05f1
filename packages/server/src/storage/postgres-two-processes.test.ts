/** Architecture, 5: any number of servers share one PostgreSQL. Here two apps with connections of their own. */

import { appOn, openBeside, query, sqlText } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { StorageUnavailable } from "./database.ts";

const { app, team, storage, runtime } = await startTestApp();
const other = await appOn({ storage: await openBeside(storage), runtime });

/** A request to the first or the second app. */
async function send(which: number, acme: TestTeam, method: "GET" | "POST" | "DELETE", path: string, body?: object) {
  const { http } = which % 2 ? other : app;
  const answer = await http.inject({
    method,
    url: `/api/v1${path}`,
    headers: { "x-api-key": acme.apiKey },
    ...(body && { payload: body }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

test("under 200 writes of all kinds at once, failing ones among them, the log has no gap and the totals are right", async () => {
  const acme = await team();
  const first = await send(0, acme, "POST", "/conversations", {
    widget_id: acme.widgetId,
    content: "Hi",
    email: "vera0@visitor.test",
  });
  const conversation_id = first.body.data.attributes.conversation_id;
  const hook = { endpoint_url: "https://a.test/hook", events: ["message.sent"] };
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) => {
      const visitor = { widget_id: acme.widgetId, content: `Message ${n}`, email: `vera${n % 7}@visitor.test` };
      switch (n % 10) {
        case 0:
          return send(n / 10, acme, "POST", "/messages", { conversation_id, content: "Hello" });
        case 1:
          return send((n - 1) / 10, acme, "POST", `/conversations/${conversation_id}/resolve`, { status: "resolved" });
        case 2:
          return send((n - 2) / 10, acme, "POST", "/webhooks", hook);
        case 3:
          return send((n - 3) / 10, acme, "POST", "/conversations", { ...visitor, widget_id: acme.teamId });
        case 4:
          return send((n - 4) / 10, acme, "POST", "/messages", { conversation_id, content: "Hi", agent_id: "nobody" });
        case 5:
          return send((n - 5) / 10, acme, "POST", "/agents/invite", { agents: ["grace@acme.test"] });
        default:
          return send(n, acme, "POST", "/conversations", visitor);
      }
    }),
  );
  const expected = [201, 200, 201, 404, 422, undefined, 200, 200, 200, 200];
  for (const [n, { status }] of answers.entries()) {
    if (expected[n % 10] !== undefined) expect({ n, status }).toEqual({ n, status: expected[n % 10] });
  }
  expect(
    answers
      .filter((_answer, n) => n % 10 === 5)
      .map(({ status }) => status)
      .toSorted(),
  ).toEqual([200, ...Array(19).fill(422)]);

  const events = await acme.events();
  expect(events.map(({ number }) => number)).toEqual(events.map((_event, index) => index + 1));
  const [stored] = await query(storage, `SELECT * FROM team_counters WHERE team_id = '${acme.teamId}'`);
  expect(stored).toMatchObject({
    event_number: events.length,
    contacts: 7,
    conversations: 7,
    webhooks: 20,
    agents: 2,
    widgets: 1,
  });
});

test("200 first messages with one e-mail, through two servers, make one contact and one conversation", async () => {
  const acme = await team();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      send(n, acme, "POST", "/conversations", {
        widget_id: acme.widgetId,
        content: `Message ${n}`,
        email: "vera@visitor.test",
      }),
    ),
  );
  expect(new Set(answers.map(({ body }) => body.data.attributes.conversation_id)).size).toBe(1);
  for (const which of [0, 1]) {
    expect((await send(which, acme, "GET", "/contacts")).body.meta.pagination.total).toBe(1);
    expect((await send(which, acme, "GET", "/conversations/all")).body.meta.pagination.total).toBe(1);
  }
});

test("an idempotency key that comes to both servers at once has one effect", async () => {
  const acme = await team();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      (n % 2 ? other : app).http.inject({
        method: "POST",
        url: "/api/v1/conversations",
        headers: { "x-api-key": acme.apiKey, "idempotency-key": "once" },
        payload: { widget_id: acme.widgetId, content: "Hello" },
      }),
    ),
  );
  expect(new Set(answers.map(({ payload }) => payload)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers["idempotent-replayed"] === "true")).toHaveLength(49);
  expect((await acme.get("/contacts")).body.meta.pagination.total).toBe(1);
});

test("what one server has answered, the other one shows at once", async () => {
  const acme = await team();
  for (let n = 0; n < 20; n += 1) {
    const made = await send(n, acme, "POST", "/contacts/initialize", { widgetId: acme.widgetId });
    const seen = await send(n + 1, acme, "GET", `/contacts/${made.body.data.id}`);
    expect(seen.status).toBe(200);
  }
});

test("a server that stands still in the middle of a write loses it, and the other one's writes wait no longer than for that", async () => {
  const acme = await team();
  const paused = await openBeside(storage);
  const [locked, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const lost = expect(
    paused.write(acme.teamId, async (db) => {
      await db.all(sqlText(`UPDATE teams SET name = 'Acme, paused' WHERE team_id = '${acme.teamId}'`), {});
      locked.resolve();
      await resumed.promise;
    }),
  ).rejects.toBeInstanceOf(StorageUnavailable);
  await locked.promise;

  const message = { widget_id: acme.widgetId, content: "Is anybody there?" };
  expect((await send(1, acme, "POST", "/conversations", message)).status).toBe(200);
  resumed.resolve();
  await lost;
  const [row] = await query(storage, `SELECT name FROM teams WHERE team_id = '${acme.teamId}'`);
  expect(row?.name).not.toContain("paused");
});
