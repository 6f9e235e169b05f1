/** What an operation does not ask for is not looked at, whatever it is: it needs no status that the document does not list. */

import { appOn, overTheWire } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { team, storage, runtime } = await startTestApp();
const acme = await team();
const base = await (await appOn({ storage, runtime })).start();
const headers = { "x-api-key": acme.apiKey };

const bodies = [
  ["of another type", "text/plain", "hello"],
  ["without a type", undefined, "hello"],
  ["that is no JSON", "application/json", "{{{"],
  ["that is empty", "application/json", ""],
  ["over 1 MiB", "application/json", `"${"x".repeat(1_048_576)}"`],
  ["of JSON", "application/json", '{"name":"Vera"}'],
] as const;

test.each(bodies)("a DELETE with a body %s deletes", async (_what, type, body) => {
  const hook = await acme.post("/webhooks", { endpoint_url: "https://a.test/hook", events: ["message.sent"] });
  const path = `/api/v1/webhooks/${hook.body.data.id}`;
  const unasked = { ...headers, "content-length": String(body.length), ...(type && { "content-type": type }) };
  expect((await overTheWire(base, { method: "DELETE", path, headers: unasked, body })).status).toBe(200);
  expect((await acme.get(`/webhooks/${hook.body.data.id}`)).status).toBe(403);
});

test.each(bodies)("a GET with a body %s answers", async (_what, type, body) => {
  const unasked = { ...headers, "content-length": String(body.length), ...(type && { "content-type": type }) };
  expect((await overTheWire(base, { path: "/api/v1/widgets", headers: unasked, body })).status).toBe(200);
});

test("a query where none is asked for is not looked at", async () => {
  for (const query of ["a=%00", "%ff", "%", "limit=abc&limit=2", "x=1"]) {
    expect({ query, status: (await acme.get(`/agents/${acme.ada.id}?${query}`)).status }).toEqual({
      query,
      status: 200,
    });
    expect({ query, status: (await acme.get(`/webhooks/events?${query}`)).status }).toEqual({ query, status: 200 });
  }
});
