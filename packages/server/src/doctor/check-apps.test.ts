/** What `frontdesk doctor` says about apps that connect by address, before a good server and behind bad proxies (F18). */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { freePort } from "@frontdesk/testing/free-port";
import { listenBeside } from "@frontdesk/testing/mcp-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { checkApps } from "./check-apps.ts";

const kit = await startTestApp();

async function behind(listener: (origin: string) => RequestListener): Promise<string> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on("request", listener(origin));
  return origin;
}

test("on this machine, programs of it can connect, and the internet cannot", async () => {
  const port = String(await freePort());
  await listenBeside(kit, { env: { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` } });
  expect(await checkApps({ publicUrl: `http://127.0.0.1:${port}` })).toEqual({
    ...{ name: "apps", state: "note" },
    says: `Programs on this machine and in its network can connect to http://127.0.0.1:${port}/mcp. claude.ai and ChatGPT cannot: it is not on the internet.`,
  });
});

test.each([
  ["http://chat.example.com", /is not https/],
  ["https://example.com/chat", /has a path/],
])("%s: off, and why", async (publicUrl, says) => {
  expect(await checkApps({ publicUrl })).toMatchObject({ state: "note", says: expect.stringMatching(says) });
});

test.each([
  ["no address", [], /has no address/],
  ["IPv6 alone", ["2606:4700::1111"], /only IPv6/],
  ["a private address", ["10.1.2.3"], /private address \(10\.1\.2\.3\)/],
])("a name with %s", async (_what, found, says) => {
  const check = await checkApps({ publicUrl: "https://chat.example.com" }, async () => found);
  expect(check).toMatchObject({ state: "warning", says: expect.stringMatching(says), do: expect.any(String) });
});

/** Both documents in one. */
const ours = (origin: string) => JSON.stringify({ issuer: origin, resource: `${origin}/mcp` });
test.each<[string, (origin: string) => RequestListener, RegExp]>([
  [
    "redirects to another host",
    () => (_asked, answer) => answer.writeHead(301, { location: "https://www.x.test/" }).end(),
    /redirects to https:\/\/www\.x\.test/,
  ],
  ["blocks programs", () => (_asked, answer) => answer.writeHead(403).end("Checking your browser"), /answers with 403/],
  ["answers with another page", () => (_asked, answer) => answer.end("<html>"), /Something else answers/],
  [
    "answers for another issuer",
    () => (_asked, answer) => answer.end('{"issuer":"http://internal:8080"}'),
    /Something else answers/,
  ],
  [
    "answers for another resource",
    (origin) => (_asked, answer) => answer.end(JSON.stringify({ issuer: origin, resource: `${origin}/mcp/` })),
    /Something else answers at .*oauth-protected-resource/,
  ],
  [
    "removes the challenge",
    (origin) => (asked, answer) => (asked.method === "POST" ? answer.writeHead(401).end() : answer.end(ours(origin))),
    /WWW-Authenticate header .* is removed/,
  ],
  [
    "does not pass /mcp on",
    (origin) => (asked, answer) => (asked.method === "POST" ? answer.writeHead(405).end() : answer.end(ours(origin))),
    /answers with 405\./,
  ],
])("a proxy that %s", async (_what, listener, says) => {
  const publicUrl = await behind(listener);
  expect(await checkApps({ publicUrl })).toMatchObject({
    state: "warning",
    says: expect.stringMatching(says),
    do: expect.any(String),
  });
});

test("where nothing answers, it could not be checked", async () => {
  const publicUrl = `http://127.0.0.1:${await freePort()}`;
  expect(await checkApps({ publicUrl })).toMatchObject({ state: "note", says: expect.stringMatching(/ECONNREFUSED/) });
});
