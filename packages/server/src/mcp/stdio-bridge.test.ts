/** The bridge between a host's lines and our endpoint, line by line; the official clients drive it in `cli/mcp.test.ts`. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { freePort } from "@frontdesk/testing/free-port";
import { connectAssistant, listenBeside } from "@frontdesk/testing/mcp-app";
import { modern, request } from "@frontdesk/testing/mcp-requests";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, onTestFinished, test } from "vitest";
import type { McpFixtures } from "./mcp-routes.ts";
import { bridgeStdio } from "./stdio-bridge.ts";

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const acme = await kit.team();
const robin = await connectAssistant(kit.app, acme);
const origin = await kit.app.start();

/** A host: what it writes goes over the bridge, what it hears is kept. */
function host(url: string, token = robin.token) {
  const input = new PassThrough();
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  const heard: any[] = [];
  const over = bridgeStdio({
    url,
    token,
    lines: createInterface({ input }),
    say: (message) => heard.push(message),
  });
  onTestFinished(() => void input.end());
  return {
    heard,
    /** Writes a line; an object is one of JSON. */
    write: (line: unknown) => void input.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`),
    /** Ends its output, and waits until the bridge has ended. */
    end() {
      input.end();
      return over;
    },
  };
}

/** What is received in answer to one line. */
async function answerTo(url: string, line: unknown, token?: string) {
  const { heard, write, end } = host(url, token);
  write(line);
  await end();
  return heard;
}

const viewTags = (id: string | number = 1) => request(id, "tools/call", { name: "view-tags", arguments: {} });

test("requests of either era, batches and notifications are carried, and what was asked before the end is answered", async () => {
  const { heard, write, end } = host(`${origin}/mcp`);
  const handshake = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "host", version: "1" } };
  write(request("hello", "initialize", handshake));
  await expect.poll(() => heard.length).toBe(1);
  expect(heard[0]).toMatchObject({ id: "hello", result: { protocolVersion: "2025-06-18" } });
  write({ jsonrpc: "2.0", method: "notifications/initialized" });
  write("");
  write(viewTags(1));
  write(modern(viewTags("2")));
  write([viewTags(3), viewTags(4)]);
  write(modern(request(5, "tools/call", { name: "größer\n", arguments: {} })));
  write(modern(request(6, "no/such/method")));
  await end();

  const answers = new Map(heard.slice(1).map((message) => [message.id, message]));
  expect([...answers.keys()].toSorted()).toEqual([1, "2", 3, 4, 5, 6]);
  for (const id of [1, "2", 3, 4]) expect(answers.get(id).result.structuredContent).toEqual({ tags: [] });
  expect(answers.get(5).error).toMatchObject({ code: -32_602, message: expect.stringContaining("größer") });
  expect(answers.get(6).error).toMatchObject({ code: -32_601 });
});

test("a request of 2025 names the revision that its handshake has agreed on", async () => {
  const asked: [method: string, version: string | undefined][] = [];
  const url = await answering((given, answer) => {
    const chunks: Buffer[] = [];
    given.on("data", (chunk) => chunks.push(chunk));
    given.on("end", () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
      asked.push([method, given.headers["mcp-protocol-version"] as string | undefined]);
      answer.setHeader("content-type", "application/json");
      answer.end(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: "2025-11-25" } }));
    });
  });
  const { heard, write, end } = host(url);
  write(request(1, "initialize"));
  await expect.poll(() => heard.length).toBe(1);
  write(request(2, "ping"));
  await end();
  expect(asked).toEqual([
    ["initialize", undefined],
    ["ping", "2025-11-25"],
  ]);
});

test("a line that is no JSON is answered as JSON-RPC has it", async () => {
  expect(await answerTo(`${origin}/mcp`, "{")).toEqual([
    { jsonrpc: "2.0", id: null, error: { code: -32_700, message: "This line is not valid JSON." } },
  ]);
});

test("what HTTP refuses is an error of JSON-RPC, in a sentence for a person", async () => {
  const limited = await listenBeside(kit, { env: { TOOL_RATE_LIMIT: "1" } });
  await answerTo(`${limited.origin}/mcp`, viewTags());
  const elsewhere = await answering((_given, answer) =>
    answer.writeHead(308, { location: "https://chat.test/mcp" }).end(),
  );
  const words = "This server does not serve this host name. The operator sets it with PUBLIC_URL.";
  const forbidden = await answering((_given, answer) => {
    answer.writeHead(403, { "content-type": "application/json; charset=utf-8" });
    answer.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: 403, message: words }, message: words }));
  });
  const page = await answering((_given, answer) => answer.setHeader("content-type", "text/html").end("<html>"));
  const cut = await answering((_given, answer) => {
    answer.writeHead(200, { "content-type": "text/event-stream" }).write(": wait\n\n");
    answer.socket?.end();
  });
  const nobody = `http://127.0.0.1:${await freePort()}/mcp`;

  const cases: [url: string, code: number, says: RegExp, token?: string][] = [
    [`${origin}/mcp`, 401, /^Frontdesk does not know the token in FRONTDESK_TOKEN; .* An admin can create a new/, "x"],
    [`${limited.origin}/mcp`, 429, /^Too many.* Try again in \d+ seconds\.$/],
    [forbidden, 403, new RegExp(`^${words}$`)],
    [`${origin}/elsewhere`, 404, /address/],
    [elsewhere, 308, / redirects to https:\/\/chat\.test\/mcp\. Use that address with --url\.$/],
    [page, 502, / returned HTTP 200 but is not a Frontdesk server\./],
    [cut, 502, /^The connection to Frontdesk closed before the response arrived\.$/],
    [nobody, 503, new RegExp(`^Frontdesk cannot be reached at ${nobody} \\(ECONNREFUSED\\)\\.`)],
  ];
  for (const [url, code, says, token] of cases) {
    for (const line of [viewTags("ours"), modern(viewTags("ours"))]) {
      const [answer, ...more] = await answerTo(url, line, token);
      expect(more).toEqual([]);
      expect(answer, url).toMatchObject({
        jsonrpc: "2.0",
        id: "ours",
        error: { code, message: expect.stringMatching(says) },
      });
      if (code === 429) expect(answer.error.data).toEqual({ retry_after_seconds: expect.any(Number) });
    }
    const both = await answerTo(url, [viewTags(1), viewTags(2)], token);
    expect(both.map(({ id, error }) => [id, error.code])).toEqual([
      [1, code],
      [2, code],
    ]);
    // A notification is not answered, whatever its outcome.
    expect(await answerTo(url, { jsonrpc: "2.0", method: "notifications/initialized" }, token)).toEqual([]);
  }
});

test("a request that the host cancels is given up at the server, and not answered", async () => {
  let serving = 0;
  const hold: McpFixtures = (server) => {
    server.setRequestHandler("tools/call", async (_asked, { mcpReq: { signal } }) => {
      serving += 1;
      await once(signal, "abort");
      serving -= 1;
      return { content: [] };
    });
  };
  const held = await listenBeside(kit, { mcpFixtures: hold });
  const { heard, write, end } = host(`${held.origin}/mcp`);
  for (const line of [viewTags(1), modern(viewTags(2))]) {
    write(line);
    await expect.poll(() => serving).toBe(1);
    write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } });
    expect(serving).toBe(1);
    write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: line.id, reason: "enough" } });
    await expect.poll(() => serving).toBe(0);
  }
  await end();
  expect(heard).toEqual([]);
});

test("a stream is carried as it comes: until the host ends it, until it ends, or until its server does", async () => {
  const sam = await connectAssistant(kit.app, acme);
  const listen = (id: string) =>
    modern(request(id, "subscriptions/listen", { notifications: { toolsListChanged: true } }));
  const stopping = await listenBeside(kit);
  const { heard, write, end } = host(`${stopping.origin}/mcp`, sam.token);
  const of = (id: string) =>
    heard
      .filter((message) => (message.params?._meta?.["io.modelcontextprotocol/subscriptionId"] ?? message.id) === id)
      .map(({ method, result, error }) => method ?? result?.resultType ?? error.code);
  for (const id of ["one", "two"]) write(listen(id));
  const acknowledged = ["notifications/subscriptions/acknowledged"];
  await expect.poll(() => [of("one"), of("two")]).toEqual([acknowledged, acknowledged]);

  write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "one" } });
  await sam.grant(["view_tags"]);
  const told = [...acknowledged, "notifications/tools/list_changed"];
  await expect.poll(() => of("two")).toEqual(told);
  await stopping.app.close();
  await expect.poll(() => of("two")).toEqual([...told, "complete"]);
  // An open one does not keep the bridge from ending.
  await end();
  expect(of("one")).toEqual(acknowledged);

  const third = host(`${origin}/mcp`, sam.token);
  third.write(listen("three"));
  await expect.poll(() => third.heard.length).toBe(1);
  const fourth = host(`${origin}/mcp`, sam.token);
  fourth.write(listen("four"));
  await expect.poll(() => fourth.heard.length).toBe(1);
  await third.end();
  expect(third.heard).toHaveLength(1);
  await sam.setState("revoked");
  await expect.poll(() => fourth.heard[1]?.error).toMatchObject({ code: 502 });
});

/** A server that is not ours; answers its address. */
async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
