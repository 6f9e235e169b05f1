/** `App.close`: what is under way is finished. Reference row 22. */
import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { addressOf, appOn, openBeside, overTheWire, query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openStorage } from "../../storage/open-storage.ts";
import { createHttpServer } from "./http-server.ts";

const { team, storage, runtime } = await startTestApp();

/** A listening app with a storage of its own, as a process has. */
async function listening() {
  const app = await appOn({ storage: openStorage(await addressOf(storage)), runtime });
  return { app, base: await app.start() };
}
const [underLoad, halfway, stopping] = [await listening(), await listening(), await listening()];
const after = await openBeside(storage);

test("a stop under load: every request that has come in is answered, and its change is there; no other change is", async () => {
  const acme = await team();
  const { app, base } = underLoad;
  let arrived = 0;
  app.http.server.on("request", () => {
    arrived += 1;
    if (arrived === 60) void app.close();
  });
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, index) =>
      overTheWire(base, {
        method: "POST",
        path: "/api/v1/conversations",
        headers: { "x-api-key": acme.apiKey, "content-type": "application/json" },
        body: JSON.stringify({ widget_id: acme.widgetId, content: `Message ${index}` }),
      }),
    ),
  );
  await app.close().catch(() => {});

  const answers = results.filter((result) => result.status === "fulfilled").map(({ value }) => value);
  expect(answers.length).toBeGreaterThanOrEqual(60);
  expect(answers.length).toBe(arrived);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const stored = await query(after, `SELECT id FROM messages WHERE team_id = '${acme.teamId}'`);
  expect(stored.map(({ id }) => id).toSorted()).toEqual(answers.map(({ body }) => body.data.id).toSorted());
  const [counters] = await query(after, `SELECT * FROM team_counters WHERE team_id = '${acme.teamId}'`);
  expect(counters).toMatchObject({ contacts: answers.length, conversations: answers.length });
  const events = await acme.events();
  expect(events.map(({ number }) => number)).toEqual(events.map((_event, index) => index + 1));
  expect(events.filter(({ name }) => name === "message.received")).toHaveLength(answers.length);
});

/** A connection to write on by hand. */
async function connection(base: string) {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  return { socket, text: () => text };
}

test("a request that is still arriving when the stop begins is answered, and its connection closed", async () => {
  const acme = await team();
  const { app, base } = halfway;
  const body = JSON.stringify({ widget_id: acme.widgetId, content: "Slowly" });
  const { socket, text } = await connection(base);
  const reached = once(app.http.server, "request");
  socket.write(
    `POST /api/v1/conversations HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${acme.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
  );
  await reached;
  const closed = app.close();
  socket.write(body.slice(20));
  await Promise.all([closed, once(socket, "close")]);
  expect(text()).toMatch(/^HTTP\/1\.1 200 /);
  expect(text()).toMatch(/\r\nConnection: close\r\n/i);
  const [row] = await query(after, `SELECT count(*) AS messages FROM messages WHERE team_id = '${acme.teamId}'`);
  expect(row).toEqual({ messages: 1 });
});

test("while it stops it is not ready, answers in its own form what still comes in, and takes no new connection", async () => {
  const acme = await team();
  const { app, base } = stopping;
  const { socket, text } = await connection(base);
  const reached = once(app.http.server, "request");
  const body = JSON.stringify({ widget_id: acme.widgetId, content: "Held open" });
  socket.write(
    `POST /api/v1/conversations HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${acme.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await reached;
  const closed = app.close();
  while (app.http.server.listening) await nextTurn();
  await expect(overTheWire(base, { path: "/health/ready" })).rejects.toMatchObject({ code: "ECONNREFUSED" });
  socket.write(`${body}GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n`);
  await Promise.all([closed, once(socket, "close")]);
  expect(text()).toMatch(/^HTTP\/1\.1 200 /);
  expect(text()).not.toContain("statusCode");
});

test("a client that stalls in the middle of a request is cut off when the stop has waited long enough", async () => {
  const patience = { headersMs: 300_000, bodyMs: 600_000, checkMs: 100, stopMs: 200 };
  const logger = pino({ level: "silent" });
  const app = createHttpServer({ logger, trustProxy: false, onAnswer: () => {}, patience });
  app.post("/messages", async () => ({ done: true }));
  const { socket } = await connection(await app.listen({ host: "127.0.0.1", port: 0 }));
  const reached = once(app.server, "request");
  socket.write("POST /messages HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
  await reached;
  const cut = once(socket, "close");
  await Promise.all([app.close(), cut]);
});
