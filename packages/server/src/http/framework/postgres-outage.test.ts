/** PostgreSQL goes away and comes back (decision 32; reference row 8). A cluster of our own, with fsync as in production. */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { foundTeam } from "@frontdesk/testing/found-team";
import { startPostgres } from "@frontdesk/testing/postgres-cluster";
import { appOn, overTheWire, query } from "@frontdesk/testing/second-app";
import { afterAll, expect, test } from "vitest";
import { openVault } from "../../access/vault.ts";
import { createRuntime } from "../../runtime.ts";
import { openStorage } from "../../storage/open-storage.ts";

const cluster = await startPostgres({ fsync: true });
afterAll(() => cluster.stop());
const storage = openStorage({ databaseUrl: cluster.url, dataDir: "" });
await storage.migrate();
const runtime = createRuntime(openVault(randomBytes(32)));
const app = await appOn({ storage, runtime });
const base = await app.start();
const acme = await foundTeam(app, runtime);

const headers = { "x-api-key": acme.apiKey, "content-type": "application/json" };
const get = (path: string) => overTheWire(base, { path, headers });
const write = (content: string) =>
  overTheWire(base, {
    method: "POST",
    path: "/api/v1/conversations",
    headers,
    body: JSON.stringify({ widget_id: acme.widgetId, content }),
  });

test("while PostgreSQL is away reads and writes are 503 quickly; when it is back all resumes, and nothing that was answered is lost", async () => {
  const confirmed: string[] = [];
  const statuses = new Set<number>();
  let stop = false;
  const writers = Array.from({ length: 10 }, async (_, writer) => {
    for (let count = 0; !stop; count += 1) {
      const answer = await write(`Message ${writer}.${count}`);
      statuses.add(answer.status);
      if (answer.status === 200) confirmed.push(answer.body.data.id);
      else expect(answer.body).toEqual({ message: expect.stringContaining("try again") });
    }
  });
  while (confirmed.length < 100) await delay(5);
  await cluster.kill();
  stop = true;
  await Promise.all(writers);
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);

  const away = await Promise.all([
    get("/api/v1/contacts"),
    write("Nobody hears"),
    ...Array.from({ length: 30 }, () => get("/api/v1/widgets")),
  ]);
  for (const { status, headers: told, body } of away) {
    expect(status).toBe(503);
    expect(body).toEqual({ message: "The service cannot reach its storage. Please try again shortly." });
    expect(told["retry-after"]).toMatch(/^[1-9]\d*$/);
    expect(told["x-request-id"]).toBeTruthy();
  }
  expect((await get("/health/ready")).status).toBe(503);
  expect((await get("/health/live")).status).toBe(200);

  await cluster.restart();
  await expect.poll(async () => (await get("/health/ready")).status).toBe(200);
  const again = await write("Is anybody there?");
  expect(again.status).toBe(200);
  const stored = new Set((await query(storage, "SELECT id FROM messages")).map(({ id }) => id));
  expect(confirmed.filter((id) => !stored.has(id))).toEqual([]);
  expect(stored.has(again.body.data.id)).toBe(true);

  const numbers = await query(storage, "SELECT number FROM events ORDER BY number");
  expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_row, index) => index + 1));
  const [kept] = await query(storage, "SELECT * FROM team_counters");
  expect(kept).toMatchObject({ event_number: numbers.length, contacts: stored.size, conversations: stored.size });
});

test("a PostgreSQL that ends our connections, as in a restart, costs nothing but a retry", async () => {
  await query(storage, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()").catch(
    () => {},
  );
  const statuses = new Set<number>();
  await expect
    .poll(async () => {
      const answer = await write("After the restart");
      statuses.add(answer.status);
      return answer.status;
    })
    .toBe(200);
  expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true);
});
