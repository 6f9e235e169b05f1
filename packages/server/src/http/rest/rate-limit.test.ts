/** Specification, "Limits" and 429; decision 30. */

import { startTestApp, type TestAnswer } from "@frontdesk/testing/test-kit";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { updateTeam } from "../../teams/update-team.ts";

const LIMIT = 60;
const { app, team, request } = await startTestApp({ REST_RATE_LIMIT: String(LIMIT) });

// The limiter's monotonic clock is stopped, so that the minute is as long as the test wants.
vi.useFakeTimers({ toFake: ["performance"] });
const seconds = (count: number) => vi.advanceTimersByTime(count * 1_000);
afterEach(() => void seconds(120));
afterAll(() => void vi.useRealTimers());

const limits = ({ headers }: TestAnswer) => ({
  limit: headers["x-ratelimit-limit"],
  remaining: headers["x-ratelimit-remaining"],
  reset: headers["x-ratelimit-reset"],
});
/** Header values as texts, also those that are numbers. */
const told = (limit: number, remaining: number, reset: number) => ({
  limit: String(limit),
  remaining: String(remaining),
  reset: String(reset),
});
const asText = (answer: TestAnswer) =>
  Object.fromEntries(Object.entries(limits(answer)).map(([name, value]) => [name, String(value)]));

test("of 500 requests at once exactly 60 pass, and the others are 429 with an honest Retry-After", async () => {
  const acme = await team();
  const answers = await Promise.all(Array.from({ length: 500 }, () => acme.get("/widgets")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(500 - LIMIT);
  for (const answer of refused) {
    expect(answer.body).toEqual({ message: "Too many requests. Please wait a moment and try again." });
    expect(String(answer.headers["retry-after"])).toBe("60");
    expect(asText(answer)).toEqual(told(LIMIT, 0, 60));
  }
  seconds(59);
  expect((await acme.get("/widgets")).status).toBe(429);
  seconds(1);
  expect((await acme.get("/widgets")).status).toBe(200);
});

test("the window slides: each request makes room again a minute after it came", async () => {
  const acme = await team();
  for (let count = 0; count < 30; count += 1) await acme.get("/widgets");
  seconds(40);
  for (let count = 0; count < 30; count += 1) expect((await acme.get("/widgets")).status).toBe(200);
  const over = await acme.get("/widgets");
  expect(over.status).toBe(429);
  expect(String(over.headers["retry-after"])).toBe("20");
  expect(asText(over)).toEqual(told(LIMIT, 0, 60));
  seconds(20);
  const answers = await Promise.all(Array.from({ length: 40 }, () => acme.get("/widgets")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
});

test("every answer to a key carries the limit, whatever it is, and each request counts, also one that is refused later", async () => {
  const acme = await team();
  const answers = [
    await acme.get("/widgets"),
    await acme.get("/contacts/unknown"),
    await acme.get("/agents/unknown"),
    await acme.get("/contacts?limit=abc"),
    await acme.get("/contacts?search=%ff"),
    await acme.get("/contacts?search=%00"),
    await acme.post("/messages", {}),
    await acme.post("/messages", "not json"),
    await acme.post("/messages", "{}", { "content-type": "text/plain" }),
    await acme.post("/messages", `"${"x".repeat(1_048_576)}"`),
    await acme.post("/conversations", { widget_id: acme.widgetId, content: "Hi" }, { "idempotency-key": "" }),
    await acme.post("/conversations", { widget_id: acme.widgetId, content: "Hi" }, { "idempotency-key": "1" }),
    await acme.post("/conversations", { widget_id: acme.widgetId, content: "Hi" }, { "idempotency-key": "1" }),
  ];
  const statuses = [200, 404, 403, 422, 400, 422, 422, 400, 415, 413, 422, 200, 200];
  expect(answers.map(({ status }) => status)).toEqual(statuses);
  expect(answers.map(asText)).toEqual(statuses.map((_status, index) => told(LIMIT, LIMIT - 1 - index, 60)));
  await app.perform(acme.actor, updateTeam, { apiAccess: false });
  const off = await acme.get("/widgets");
  expect(off.status).toBe(403);
  expect(asText(off)).toEqual(told(LIMIT, LIMIT - 1 - statuses.length, 60));
});

test("keys are limited each for itself, and who has no key is not counted", async () => {
  const [acme, sams] = [await team(), await team()];
  await Promise.all(Array.from({ length: LIMIT }, () => acme.get("/widgets")));
  expect((await acme.get("/widgets")).status).toBe(429);
  expect(asText(await sams.get("/widgets"))).toEqual(told(LIMIT, LIMIT - 1, 60));
  expect(limits(await request("GET", "/widgets"))).toEqual({
    limit: undefined,
    remaining: undefined,
    reset: undefined,
  });
});

test("a request over the limit is refused before its body is looked at, and changes nothing", async () => {
  const acme = await team();
  await Promise.all(Array.from({ length: LIMIT }, () => acme.get("/widgets")));
  const before = await acme.events();
  expect((await acme.post("/messages", "not json")).status).toBe(429);
  expect((await acme.post("/conversations", { widget_id: acme.widgetId, content: "Hi" })).status).toBe(429);
  expect(await acme.events()).toEqual(before);
});
