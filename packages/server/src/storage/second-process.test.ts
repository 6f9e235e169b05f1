/** Two processes on one set of data: a command line next to the server on SQLite, any number of servers on PostgreSQL. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { addressOf, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";

const { team, storage } = await startTestApp();
const program = fileURLToPath(import.meta.resolve("@frontdesk/testing/write-messages"));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

/** The program, ready to begin; `confirmed` collects the ids whose writes were confirmed. */
async function secondProcess(acme: TestTeam, count: number) {
  const order = JSON.stringify({ ...(await addressOf(storage)), teamId: acme.teamId, widgetId: acme.widgetId, count });
  const child = spawn(process.execPath, [program, order], { stdio: ["pipe", "pipe", "inherit"] });
  started.push(child);
  const confirmed: string[] = [];
  const lines = createInterface({ input: child.stdout });
  const ready = once(lines, "line");
  const ended = once(child, "exit");
  await Promise.race([ready, ended.then(() => Promise.reject(new Error("The second process ended at once.")))]);
  lines.on("line", (id) => confirmed.push(id));
  return { child, confirmed, ended, begin: () => child.stdin.write("begin\n") };
}

/** Nothing lost, nothing half done, no gap. */
async function expectWhole(acme: TestTeam, confirmed: readonly string[]): Promise<void> {
  const stored = await query(storage, `SELECT id FROM messages WHERE team_id = '${acme.teamId}'`);
  const ids = new Set(stored.map(({ id }) => id));
  expect(confirmed.filter((id) => !ids.has(id))).toEqual([]);

  const events = await acme.events();
  expect(events.map(({ number }) => number)).toEqual(events.map((_event, index) => index + 1));
  expect(events.filter(({ name }) => name === "message.received")).toHaveLength(ids.size);
  const [counters] = await query(storage, `SELECT * FROM team_counters WHERE team_id = '${acme.teamId}'`);
  expect(counters?.event_number).toBe(events.length);
  for (const table of ["contacts", "conversations"]) {
    const [row] = await query(storage, `SELECT count(*) AS n FROM ${table} WHERE team_id = '${acme.teamId}'`);
    expect(counters?.[table]).toBe(row?.n);
  }
}

test("two processes that write at the same time lose nothing, and the log has no gap", async () => {
  const acme = await team();
  const { begin, confirmed, ended } = await secondProcess(acme, 300);
  begin();
  const mine: string[] = [];
  while (confirmed.length < 200) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        acme.post("/conversations", {
          widget_id: n % 3 === 2 ? acme.teamId : acme.widgetId,
          content: `First process ${n}`,
          email: `vera${n}@visitor.test`,
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_answer, n) => (n % 3 === 2 ? 404 : 200)));
    mine.push(...answers.flatMap(({ body }) => body.data?.id ?? []));
  }
  expect(await ended).toEqual([0, null]);
  expect(confirmed).toHaveLength(200);
  expect(mine.length).toBeGreaterThan(5);
  await expectWhole(acme, [...confirmed, ...mine]);
  // Ten e-mails, ten contacts, whichever request was first.
  expect((await acme.get("/contacts")).body.meta.pagination.total).toBe(10);
});

test("a process that is killed in the middle loses nothing that was confirmed as written, and leaves nothing half done", async () => {
  const acme = await team();
  const { child, begin, confirmed, ended } = await secondProcess(acme, 100_000);
  begin();
  await expect.poll(() => confirmed.length).toBeGreaterThan(100);
  child.kill("SIGKILL");
  await ended;
  expect((await acme.post("/conversations", { widget_id: acme.widgetId, content: "Still here" })).status).toBe(200);
  await expectWhole(acme, confirmed);
});
