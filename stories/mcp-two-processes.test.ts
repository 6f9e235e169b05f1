/**
 * Two `frontdesk serve` on one PostgreSQL and one Redis, and assistants whose requests and streams go to either: they share the
 * limit, the tokens and changes of lists (decisions 49, 50, 57).
 */
import { commandInProcess } from "@frontdesk/testing/command-in-process";
import { messagesIn, modern, post, request } from "@frontdesk/testing/mcp-requests";
import { type RedisServer, startRedis } from "@frontdesk/testing/redis-server";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { type ServerPair, startServerPair } from "../packages/server/test/attack/server-pair.ts";
import type { SetUpTeam } from "../packages/server/test/attack/server-process.ts";

const LIMIT = 40;

let redis: RedisServer;
let servers: ServerPair;
let settings: Record<string, string>;
let remove: () => Promise<void>;
let acme: SetUpTeam;
beforeAll(async () => {
  redis = await startRedis();
  // A busy machine may take longer than the 100 ms of the product, from which on each process counts on its own.
  const shared = { REDIS_URL: redis.url, REDIS_TIMEOUT_MS: "10000", TOOL_RATE_LIMIT: String(LIMIT) };
  ({ servers, settings, remove } = await startServerPair(inject("postgresUrl"), shared));
  acme = await servers[0].team("Acme");
});
afterAll(async () => {
  await remove();
  await redis.kill();
});

const viewTags = modern(request(1, "tools/call", { name: "view-tags", arguments: {} }));

test("a connection's limit is one over both processes, with batches and /tools, and no other connection's", async () => {
  const [robin, sam] = [await connection("Robin"), await connection("Sam")];
  const origins = servers.map(({ origin }) => origin);
  const call = (index: number) => post(origins[index % 2] as string, robin, viewTags);

  const batch = Array.from({ length: 5 }, (_, id) => request(id, "tools/list"));
  expect((await post(origins[0] as string, robin, batch)).status).toBe(200);
  const plain = await fetch(`${origins[1]}/tools`, { headers: { authorization: `Bearer ${robin.token}` } });
  expect([plain.status, plain.headers.get("x-ratelimit-remaining")]).toEqual([200, String(LIMIT - 6)]);

  const answers = await Promise.all(Array.from({ length: LIMIT }, (_, index) => call(index)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT - 6);
  for (const index of [0, 1]) {
    const refused = await call(index);
    expect([refused.status, refused.body.error.code]).toEqual([429, 429]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await post(origins[index] as string, sam, viewTags)).status).toBe(200);
  }
  expect(servers.map((server) => server.log())).toEqual(["", ""]);
});

test("a token and its changes are known to both at once; the streams of both announce them, and only its own", async () => {
  const [robin, sam] = [await connection("Robin"), await connection("Sam")];
  const robins = await Promise.all(servers.map(({ origin }) => listening(origin, robin)));
  const sams = await Promise.all(servers.map(({ origin }) => listening(origin, sam)));
  const heard = (streams: { changes: number }[]) => streams.map(({ changes }) => changes);
  expect(await answersTo(robin)).toEqual(["result", "result"]);

  await command("assistant", "pause", robin.id);
  // Both processes hear of it by one announcement, which is on its way for a moment.
  await expect.poll(() => heard(robins)).toEqual([1, 1]);
  expect(await answersTo(robin)).toEqual(["refusal", "refusal"]);
  for (const { client } of robins) expect((await client.listTools()).tools).toEqual([]);

  expect(heard(sams)).toEqual([0, 0]);
  await command("assistant", "pause", sam.id);
  await expect.poll(() => heard(sams)).toEqual([1, 1]);

  await command("assistant", "revoke", robin.id);
  expect(await Promise.all(robins.map(({ closed }) => closed))).toEqual(["remote", "remote"]);
  expect(await answersTo(robin)).toEqual([401, 401]);
  expect(heard(robins)).toEqual([1, 1]);

  // One process stops: its stream ends as the protocol requires, the other's stays open and still gets changes.
  expect(await servers[0].stop()).toBe(0);
  expect(await sams[0]?.closed).toBe("graceful");
  await command("assistant", "resume", sam.id);
  await expect.poll(() => heard(sams)).toEqual([1, 2]);
  expect(servers[1].log()).toBe("");
});

/** Both processes' answers to a call of the connection. */
async function answersTo(connection: { token: string }): Promise<(number | "result" | "refusal")[]> {
  return Promise.all(
    servers.map(async ({ origin }) => {
      const answer = await post(origin, connection, viewTags);
      if (answer.status !== 200) return answer.status;
      return messagesIn(answer)[0].result.isError ? "refusal" : "result";
    }),
  );
}

/** An assistant with all permissions, created without the servers. */
async function connection(name: string): Promise<{ id: string; token: string }> {
  const made = await command("assistant", "create", "--name", name, "--permissions", "all", "--widgets", "all");
  return { id: String(made.id), token: String(made.token) };
}

function command(...args: string[]): Promise<Record<string, unknown>> {
  const env = { PATH: process.env.PATH, DATA_DIR: servers[0].dataDir, ...settings };
  return commandInProcess([...args, "--team", acme.teamId], env);
}

/** An official client that listens for changes of its list. */
async function listening(origin: string, { token }: { token: string }) {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  onTestFinished(() => client.close());
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", origin), { requestInit: { headers } }));
  const stream = { client, changes: 0 };
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    stream.changes += 1;
  });
  const { closed } = await client.listen({ toolsListChanged: true });
  return Object.assign(stream, { closed });
}
