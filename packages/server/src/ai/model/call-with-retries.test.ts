/** Every error of a server ends the call in time, with a name (B18); what may help is tried once more. */
import { type HeldTimeouts, heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { type Persona, type ScriptedModel, startScriptedModel } from "@frontdesk/testing/scripted-model";
import { describe, expect, onTestFinished, test } from "vitest";
import { CALL_MS } from "./call-with-retries.ts";
import { FIRST_BYTE_MS } from "./chat-completions.ts";
import { createModelClients } from "./model-clients.ts";
import { ModelFailure } from "./model-errors.ts";

const CLOCK = { now: Date.now, steadyNow: Date.now, random: () => 0.5 };

const KEY = "sk-secret-1";
const request = { messages: [{ role: "user", content: "Hello" }], maxTokens: 100 } as const;

async function scene(persona: Persona = "honest") {
  const server = await startScriptedModel({ persona, apiKey: KEY });
  const timeouts = heldTimeouts();
  const clients = createModelClients({ ...CLOCK, allowedNetworks: ["127.0.0.0/8"], timeouts });
  onTestFinished(async () => {
    clients.close();
    await server.stop();
  });
  const clientFor = (baseUrl: string) =>
    clients.clientFor({ baseUrl, model: "scripted", apiKey: KEY, embeddingModel: "" });
  return { server, timeouts, clientFor, client: clientFor(server.url) };
}

const failureOf = (call: Promise<unknown>): Promise<ModelFailure> =>
  call.then(
    () => expect.unreachable("It has answered."),
    (error) => {
      expect(error).toBeInstanceOf(ModelFailure);
      return error;
    },
  );

const asked = (server: ScriptedModel, times: number) => expect.poll(() => server.requests.length).toBe(times);

/** With the chance of the scene: halfway from 0.5 to 1 s. */
const REPEAT_MS = 750;

/** Waits until the call waits before its repeat, then lets that time pass. */
async function afterItsWait(timeouts: HeldTimeouts, ms = REPEAT_MS): Promise<void> {
  await expect.poll(() => timeouts.waits(ms), { interval: 5 }).toBe(true);
  timeouts.advance(ms);
}

test.each([400, 401, 402, 403, 404, 405, 409, 413, 418, 422, 301, 302, 307, 308])(
  "%i is not repeated",
  async (status) => {
    const { server, client } = await scene();
    server.failNext(status, { message: `no: ${KEY}` });
    const failure = await failureOf(client.chat(request));
    const kind = status < 400 ? "garbage" : [401, 403, 404].includes(status) ? "refused" : "rejected";
    expect(failure).toMatchObject({ kind, status, request: server.requests[0]?.raw });
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify({ ...failure, message: failure.message })).not.toContain(KEY);
  },
);

test.each([408, 500, 502, 503, 504, 529])("%i is repeated once, after a short wait", async (status) => {
  const { server, client, timeouts } = await scene();
  server.failNext(status);
  const answer = client.chat(request);
  await afterItsWait(timeouts);
  await expect(answer).resolves.toMatchObject({ finish: "stop" });
  server.failNext(status, { times: 2 });
  const failing = failureOf(client.chat(request));
  await afterItsWait(timeouts);
  expect(await failing).toMatchObject({ kind: "failing", status });
  expect(server.requests).toHaveLength(4);
});

describe("429", () => {
  test("is waited for when the server asks for five seconds or less", async () => {
    const { server, client, timeouts } = await scene();
    server.failNext(429, { retryAfter: 5 });
    const answer = client.chat(request);
    await afterItsWait(timeouts, 5_000);
    await expect(answer).resolves.toMatchObject({ finish: "stop" });
    expect(server.requests).toHaveLength(2);
  });

  test.each([6, 60, undefined])("with Retry-After %s is not", async (retryAfter) => {
    const { server, client } = await scene();
    server.failNext(429, retryAfter === undefined ? {} : { retryAfter });
    expect(await failureOf(client.chat(request))).toMatchObject({
      ...{ kind: "busy", status: 429 },
      retryAfterMs: retryAfter === undefined ? null : retryAfter * 1_000,
    });
    expect(server.requests).toHaveLength(1);
  });
});

test("no server there is repeated once", async () => {
  const { server, timeouts, clientFor } = await scene();
  await server.stop();
  const again = await startScriptedModel({ apiKey: KEY });
  onTestFinished(() => again.stop());
  const failing = failureOf(clientFor(server.url).chat(request));
  await afterItsWait(timeouts);
  expect(await failing).toMatchObject({ kind: "unreachable", status: null });
  server.stop = async () => {};
});

test("an answer that breaks off is repeated, unless some of it has been handed out", async () => {
  const { server, client, timeouts } = await scene("cut");
  const failing = failureOf(client.chat(request));
  await afterItsWait(timeouts);
  expect(await failing).toMatchObject({ kind: "cut", status: 200 });
  expect(await failureOf(client.chat(request, { onText: () => {} }))).toMatchObject({ kind: "cut", hasBegun: true });
  expect(server.requests).toHaveLength(3);
});

test("a silent server is given up after ten seconds", async () => {
  const { server, client, timeouts } = await scene("silent");
  const failing = failureOf(client.chat(request));
  await asked(server, 1);
  timeouts.advance(FIRST_BYTE_MS);
  expect(await failing).toMatchObject({ kind: "timeout", status: null });
  expect(server.requests).toHaveLength(1);
});

test("an answer that drips is given up after thirty seconds", async () => {
  const { client, timeouts } = await scene("drip");
  let shown = "";
  const failing = failureOf(
    client.chat(request, {
      onText: (piece) => {
        shown += piece;
      },
    }),
  );
  await expect.poll(() => shown).not.toBe("");
  timeouts.advance(CALL_MS);
  expect(await failing).toMatchObject({ kind: "timeout", status: 200 });
});

test.each<Persona>(["garbage", "gigabyte"])("a server that sends %s is not asked again", async (persona) => {
  const { server, client } = await scene(persona);
  expect(await failureOf(client.chat(request))).toMatchObject({ kind: "garbage", status: 200 });
  expect(server.requests).toHaveLength(1);
});

test("an error of what reads the answer ends the call, and is not repeated", async () => {
  const { server, client } = await scene();
  const broken = new Error("The reader is broken.");
  const onText = () => {
    throw broken;
  };
  await expect(client.chat(request, { onText })).rejects.toBe(broken);
  expect(server.requests).toHaveLength(1);
});

test("an answer that is too long, withheld or empty is none", async () => {
  const { server, client } = await scene();
  server.answerNext("x".repeat(1_000));
  expect(await failureOf(client.chat(request))).toMatchObject({ kind: "length" });
  server.setQuirks({ finish: "content_filter" });
  expect(await failureOf(client.chat(request))).toMatchObject({ kind: "filtered" });
  server.setQuirks({});
  server.answerNext("");
  expect(await failureOf(client.chat(request))).toMatchObject({ kind: "empty" });
});

test("the caller can end a call, before it, while it waits and while it reads", async () => {
  const { server, client, timeouts } = await scene("silent");
  expect(await failureOf(client.chat(request, { signal: AbortSignal.abort() }))).toMatchObject({ kind: "aborted" });
  for (const persona of ["silent", "drip"] as const) {
    server.setPersona(persona);
    const before = server.requests.length;
    const ending = new AbortController();
    const failing = failureOf(client.chat(request, { signal: ending.signal }));
    await asked(server, before + 1);
    ending.abort();
    expect(await failing).toMatchObject({ kind: "aborted" });
  }
  timeouts.advance(CALL_MS);
});
