/** Decisions 48, 49 and 57: what the transport accepts, counts, refuses, and keeps open. */
import { tools } from "@frontdesk/core/contract/tools";
import { connectAssistant, listenBeside } from "@frontdesk/testing/mcp-app";
import { begin, messagesIn, modern, type OpenStream, openStream, post, request } from "@frontdesk/testing/mcp-requests";
import { overTheWire } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import type { McpFixtures } from "./mcp-routes.ts";

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const acme = await kit.team();
const robin = await connectAssistant(kit.app, acme);
const origin = await kit.app.start();

const list = (id: string | number = 1) => request(id, "tools/list");
const call = (name: string, given: object = {}) => request(1, "tools/call", { name, arguments: given });
const catalogue = Object.values(tools);
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };

test("GET and DELETE are 405 and say what is allowed", async () => {
  for (const path of ["/mcp", "/mcp/readonly"]) {
    for (const method of ["GET", "DELETE"]) {
      const headers = { authorization: `Bearer ${robin.token}`, accept: "text/event-stream" };
      const { status, headers: answered, body } = await overTheWire(origin, { method, path, headers });
      expect([status, answered.allow]).toEqual([405, "POST"]);
      expect(body).toEqual({ message: "This address accepts POST." });
    }
  }
});

test("what cannot be read is refused in JSON-RPC, with our own message beside it", async () => {
  const tooLarge = JSON.stringify({ ...list(), padding: "x".repeat(1_048_576) });
  const cases: [body: string, status: number, code: number, headers?: Record<string, string>][] = [
    [tooLarge, 413, 413],
    ["{", 400, -32_700],
    ["", 400, -32_700],
    [JSON.stringify(list()), 415, 415, { "content-type": "text/plain" }],
  ];
  for (const [text, status, code, headers] of cases) {
    const answer = await post(origin, robin, text, { headers: headers ?? {} });
    const { message } = answer.body;
    expect([answer.status, message], text.slice(0, 20)).toEqual([status, expect.stringMatching(/\w/)]);
    expect(answer.body).toEqual({ jsonrpc: "2.0", id: null, error: { code, message }, message });
  }
  // JSON that is no message is the protocol's to refuse.
  for (const body of [{}, [], "7", { jsonrpc: "2.0", id: 1 }]) {
    const { status, body: told } = await post(origin, robin, body);
    expect([status, told.error.code], JSON.stringify(body)).toEqual([400, expect.any(Number)]);
  }
});

test("without a token that is known, 401 with a challenge; a token in the address is not taken", async () => {
  for (const path of ["/mcp", "/mcp/readonly"]) {
    const headers = { authorization: "" };
    const forgotten = await post(origin, robin, list(), { path, headers });
    const inTheAddress = `${path}?token=${robin.token}&access_token=${robin.token}`;
    for (const answer of [forgotten, await post(origin, robin, list(), { path: inTheAddress, headers })]) {
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toMatch(
        /^Bearer realm="Frontdesk", scope="assist", resource_metadata="/,
      );
      expect(answer.body.error).toEqual({ code: 401, message: answer.body.message });
    }
    // The premise.
    expect((await post(origin, robin, list(), { path })).status).toBe(200);
  }
});

test("a host name that is not ours, and a page of another site, are 403", async () => {
  const { port } = new URL(origin);
  const cases: [headers: Record<string, string>, status: number][] = [
    [{ host: "chat.test" }, 200],
    [{ host: "chat.test:8443" }, 200],
    [{ host: "192.168.1.5" }, 200],
    [{ host: "evil.test" }, 403],
    [{ host: `localhost.evil.test:${port}` }, 403],
    [{ origin: "https://chat.test" }, 200],
    [{ origin: "http://localhost:3000" }, 200],
    [{ origin: "https://evil.test" }, 403],
    [{ origin: "https://chat.test.evil.test" }, 403],
    [{ origin: "null" }, 403],
  ];
  for (const [headers, status] of cases) {
    const answer = await post(origin, robin, list(), { headers });
    expect(answer.status, JSON.stringify(headers)).toBe(status);
    if (status === 403) expect(answer.body.error).toEqual({ code: 403, message: answer.body.message });
  }
});

test("each request of a batch counts, what only notifies does not, and a batch passes whole or not at all", async () => {
  const { origin } = await listenBeside(kit, { env: { TOOL_RATE_LIMIT: "10" } });
  const sam = await connectAssistant(kit.app, acme);
  const batch = (size: number) => Array.from({ length: size }, (_, index) => list(index));
  const left = async (body: unknown) => {
    const { status, headers } = await post(origin, sam, body);
    return [status, headers["x-ratelimit-remaining"]];
  };

  const answer = await post(origin, sam, [...batch(4), initialized]);
  expect([answer.status, answer.headers["x-ratelimit-remaining"]]).toEqual([200, "6"]);
  expect(
    messagesIn(answer)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([0, 1, 2, 3]);
  expect(await left(batch(7))).toEqual([429, "6"]);
  expect(await left([initialized, initialized])).toEqual([202, "6"]);
  expect(await left(initialized)).toEqual([202, "6"]);
  expect(await left(batch(6))).toEqual([200, "0"]);
  expect(await left(list())).toEqual([429, "0"]);
  expect(await left(initialized)).toEqual([202, "0"]);
});

test("a batch of more than 50 messages is refused, and none of it counts", async () => {
  const { origin } = await listenBeside(kit, { env: { TOOL_RATE_LIMIT: "51" } });
  const sam = await connectAssistant(kit.app, acme);
  const batch = (size: number) => Array.from({ length: size }, (_, index) => list(index));
  const { status, body } = await post(origin, sam, batch(51));
  expect([status, body.error.code, body.id]).toEqual([400, -32_600, null]);
  expect(body.message).toBe("A batch can have at most 50 messages.");
  const { status: passed, headers } = await post(origin, sam, batch(50));
  expect([passed, headers["x-ratelimit-remaining"]]).toEqual([200, "1"]);
});

test("past the limit it is HTTP 429 with Retry-After, as {message} and as JSON-RPC's answer to this request", async () => {
  const { origin } = await listenBeside(kit, { env: { TOOL_RATE_LIMIT: "2" } });
  const [sam, other] = [await connectAssistant(kit.app, acme), await connectAssistant(kit.app, acme)];
  for (const path of ["/mcp", "/mcp/readonly"]) {
    expect((await post(origin, sam, list(), { path })).status).toBe(200);
  }
  for (const body of [list("last"), modern(call("view-tags")), modern(request("s1", "subscriptions/listen"))]) {
    const answer = await post(origin, sam, body);
    expect(answer.status).toBe(429);
    const wait = Number(answer.headers["retry-after"]);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    const { message } = answer.body;
    expect(message).toMatch(/too many/i);
    expect(answer.body).toEqual({ jsonrpc: "2.0", id: body.id, error: { code: 429, message }, message });
  }
  // The limit is a connection's, whatever the address of its requests.
  expect((await post(origin, other, list())).status).toBe(200);
});

test("/mcp/readonly lists the tools that only read, and refuses the others", async () => {
  const path = "/mcp/readonly";
  const reading = catalogue.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);
  for (const form of [list(), modern(list())]) {
    const [{ result }] = messagesIn(await post(origin, robin, form, { path }));
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(reading);
    const [all] = messagesIn(await post(origin, robin, form));
    expect(all.result.tools).toHaveLength(catalogue.length);
  }
  const [read] = messagesIn(await post(origin, robin, modern(call("view-tags")), { path }));
  expect(read.result).toMatchObject({ structuredContent: { tags: [] } });
  for (const { name } of catalogue.filter(({ annotations }) => !annotations.readOnlyHint)) {
    const [{ result }] = messagesIn(await post(origin, robin, modern(call(name)), { path }));
    expect(result.isError, name).toBe(true);
    expect(result.content[0].text).toBe("This endpoint is read-only. Tools that change something are at /mcp.");
  }
});

test("the ninth stream of a connection ends its first, and no other connection's", async () => {
  const [sam, vic] = [await connectAssistant(kit.app, acme), await connectAssistant(kit.app, acme)];
  const others = await openStream(origin, vic);
  const own: OpenStream[] = [];
  for (let count = 0; count < 8; count += 1) own.push(await openStream(origin, sam));
  expect(own.map(({ ended }) => ended())).toEqual(own.map(() => undefined));
  const ninth = await openStream(origin, sam);
  await expect.poll(() => own[0]?.ended()).toBe("ended");
  const open = [...own.slice(1), ninth, others];
  expect(open.map(({ ended }) => ended())).toEqual(open.map(() => undefined));
  for (const { leave } of open) leave();
});

/** Counts the servers that are serving, and holds calls of `view-tags` until they are let go. */
function watched() {
  const state = { serving: 0, served: 0, held: 0, letGo: () => {} };
  const gate = new Promise<void>((resolve) => {
    state.letGo = resolve;
  });
  const fixtures: McpFixtures = (server) => {
    const connect = server.connect.bind(server);
    server.connect = async (transport) => {
      state.serving += 1;
      state.served += 1;
      const closed = server.onclose;
      server.onclose = () => {
        state.serving -= 1;
        closed?.();
      };
      await connect(transport);
    };
    const own = (Reflect.get(server, "_requestHandlers") as Map<string, (...given: unknown[]) => never>).get(
      "tools/call",
    );
    server.setRequestHandler("tools/call", async (asked, ctx) => {
      state.held += 1;
      await gate;
      return own?.(asked, ctx) as never;
    });
  };
  return { state, fixtures };
}

test("a stop ends streams at once, as the protocol has it, and lets calls come to their end", async () => {
  const { state, fixtures } = watched();
  const { app, origin } = await listenBeside(kit, { mcpFixtures: fixtures });
  const stream = await openStream(origin, robin);
  const answers = [post(origin, robin, modern(call("view-tags"))), post(origin, robin, call("view-tags"))];
  await expect.poll(() => state.held).toBe(2);

  const closed = app.close();
  await expect.poll(stream.ended).toBe("ended");
  expect(stream.frames.at(-1)).toMatchObject({ id: "s1", result: { resultType: "complete" } });
  await expect(post(origin, robin, list())).rejects.toMatchObject({ code: "ECONNREFUSED" });
  state.letGo();
  for (const answer of answers) {
    const [{ result }] = messagesIn(await answer);
    expect(result.structuredContent).toEqual({ tags: [] });
  }
  await closed;
});

test("every request's server is closed when it is answered, and when its host goes away before", async () => {
  const { state, fixtures } = watched();
  const { app, origin } = await listenBeside(kit, { mcpFixtures: fixtures });
  const answered = [
    list(),
    modern(list()),
    [list(1), list(2)],
    initialized,
    request(3, "ping"),
    request(4, "unknown/method"),
  ];
  for (const body of answered) await post(origin, robin, body);
  await expect.poll(() => state.serving).toBe(0);
  expect(state.served).toBeGreaterThanOrEqual(answered.length - 1);

  for (const body of [modern(call("view-tags")), call("view-tags")]) {
    const held = state.held;
    const asked = begin(origin, robin, body);
    await expect.poll(() => state.held).toBe(held + 1);
    expect(state.serving).toBe(1);
    asked.destroy();
    await expect.poll(() => state.serving).toBe(0);
  }
  state.letGo();

  const stream = await openStream(origin, robin);
  stream.leave();
  // No connection is left either, and the stop has nothing to wait for.
  await expect.poll(() => connectionsOf(app.http.server)).toBe(0);
});

function connectionsOf(server: import("node:net").Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
