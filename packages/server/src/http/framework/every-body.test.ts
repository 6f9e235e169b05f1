/** Decision 28 for every request that takes JSON: an invalid body is refused, by the name of its field, and changes nothing. */
import { type RestOperation, rest } from "@frontdesk/core/contract";
import { dump } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { signedInRequests, UNKNOWN_ID } from "@frontdesk/testing/signed-in-requests";
import { startTestApp, type TestAnswer } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const kit = await startTestApp();
const acme = await kit.team();
const olga = await signedIn(kit, acme, "CHAT_AGENT_OWNER");
// The first use of a key is noted in its row; what follows is not.
await acme.get("/widgets");

interface Asked {
  name: string;
  body: object;
  send(body: unknown): Promise<TestAnswer>;
}

const overRest: Asked[] = Object.values<RestOperation>(rest).flatMap(({ method, path, example }) => {
  const at = path.replaceAll(/\{\w+\}/g, UNKNOWN_ID);
  const headers = { "x-api-key": acme.apiKey };
  const send = (body: unknown) => kit.request(method, at, { headers, body });
  return example.body ? [{ name: `${method} ${path}`, body: example.body, send }] : [];
});

const overSession: Asked[] = signedInRequests(UNKNOWN_ID).flatMap(({ method, path, body }) => {
  const send = (sent: unknown) => olga.request(method, path, sent);
  return body ? [{ name: `${method} ${path}`, body, send }] : [];
});

test.each([...overRest, ...overSession])("$name refuses what is no such object, and names the field", async (asked) => {
  const before = await dump(kit.storage);
  for (const body of [[], "null", '"text"', "1"]) expect((await asked.send(body)).status).toBe(422);
  expect((await asked.send('{"cut": ')).status).toBe(400);
  for (const [field, value] of Object.entries(asked.body)) {
    const wrong = typeof value === "object" ? 7 : { of: "another kind" };
    const { status, body } = await asked.send({ ...asked.body, [field]: wrong });
    expect({ field, status, named: Object.keys(body.errors ?? {}) }).toEqual({ field, status: 422, named: [field] });
  }
  expect((await dump(kit.storage)) === before).toBe(true);
});
