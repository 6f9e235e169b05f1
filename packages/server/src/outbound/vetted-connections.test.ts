/** Which connections are opened, which are kept, and that none goes to a blocked address. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { newAuthority } from "@frontdesk/testing/certificates";
import {
  type Answer,
  hang,
  hangUp,
  namesOf,
  RECEIVER_NAMES,
  reset,
  startReceiver,
  status,
} from "@frontdesk/testing/https-receiver";
import { expect, onTestFinished, test } from "vitest";
import { createOutbound } from "./outbound.ts";
import type { PostRequest } from "./post.ts";

const SOCKETS_PER_ORIGIN = 8;
const A_MINUTE_MS = 60_000;

const authority = newAuthority();
const certificate = authority.certify(RECEIVER_NAMES);

async function newReceiver(host = "127.0.0.1") {
  const receiver = await startReceiver({ authority, certificate, host });
  onTestFinished(() => receiver.close());
  return receiver;
}

/** A door that knows where receiver.test is, with a clock that the test holds. */
function newDoor({ addresses = ["127.0.0.1"], allowed = ["127.0.0.0/8"] } = {}) {
  const names = namesOf({ "receiver.test": addresses });
  let time = 0;
  const outbound = createOutbound({
    allowedNetworks: allowed,
    extraCa: authority.ca,
    lookup: names.lookup,
    socketsPerOrigin: SOCKETS_PER_ORIGIN,
    now: () => time,
  });
  onTestFinished(() => outbound.close());
  return {
    names,
    post: (url: URL, more: Partial<PostRequest> = {}) =>
      outbound.post({ url, headers: {}, body: Buffer.from("{}"), timeoutMs: 10_000, ...more }),
    pass: (ms: number) => {
      time += ms;
    },
  };
}

test("a connection is kept for the next request to the same host, and the name is looked up once for it", async () => {
  const receiver = await newReceiver();
  const { post, names } = newDoor();
  for (let time = 0; time < 3; time += 1) expect(await post(receiver.url())).toMatchObject({ status: 200 });
  expect(receiver.received.map(({ connection }) => connection)).toEqual([1, 1, 1]);
  expect(names.asked).toEqual(["receiver.test"]);
});

test("a kept connection is closed by us after some seconds, before the other side would", async () => {
  const receiver = await newReceiver();
  const { post } = newDoor();
  await post(receiver.url());
  expect(receiver.connections.open).toBe(1);
  // The receiver never closes a quiet connection.
  await expect.poll(() => receiver.connections.open).toBe(0);
});

test("an answer on a kept connection may take longer than it would be kept", async () => {
  const receiver = await newReceiver();
  const late: Answer = ({ response }) => setTimeout(() => response.end("late"), 3_500);
  receiver.answers(status(200), late);
  const { post } = newDoor();
  await post(receiver.url());
  expect(await post(receiver.url())).toMatchObject({ status: 200, responseBody: Buffer.from("late") });
  expect(receiver.connections.opened).toBe(1);
});

test.each<[string, Answer]>([
  ["says that it keeps connections no longer than we would", status(200, { "Keep-Alive": "timeout=3" })],
  ["says that it closes", status(200, { Connection: "close" })],
])("a connection is not kept when the other side %s", async (_which, answer) => {
  const receiver = await newReceiver();
  receiver.answers(answer);
  const { post } = newDoor();
  await post(receiver.url());
  await expect.poll(() => receiver.connections.open).toBe(0);
  expect(await post(receiver.url())).toMatchObject({ status: 200 });
  expect(receiver.connections.opened).toBe(2);
});

test("a connection is kept when the other side says that it keeps it for longer", async () => {
  const receiver = await newReceiver();
  receiver.answers(status(200, { "Keep-Alive": "timeout=4" }));
  const { post } = newDoor();
  await post(receiver.url());
  await post(receiver.url());
  expect(receiver.connections.opened).toBe(1);
});

test.each<[string, Answer]>([
  ["resets", reset],
  ["closes", hangUp],
])(
  "a kept connection that the other side %s under the next request is a failure; the request is not sent again",
  async (_how, end) => {
    const receiver = await newReceiver();
    receiver.answers(status(200), end, status(200));
    const { post } = newDoor();
    expect(await post(receiver.url())).toMatchObject({ status: 200 });
    expect(await post(receiver.url())).toMatchObject({ outcome: "failed", error: "reset" });
    expect(receiver.received.map(({ connection }) => connection)).toEqual([1, 1]);
    expect(await post(receiver.url())).toMatchObject({ status: 200 });
    expect(receiver.connections.opened).toBe(2);
  },
);

test("what a server says on a kept connection without being asked answers no later request", async () => {
  const receiver = await newReceiver();
  const { post } = newDoor();
  receiver.answers(
    ({ response, socket }) => {
      response.end("first");
      response.once("finish", () => socket.write("HTTP/1.1 500 Unasked\r\nContent-Length: 0\r\n\r\n"));
    },
    status(200, {}, "second"),
  );
  expect(await post(receiver.url())).toMatchObject({ status: 200, responseBody: Buffer.from("first") });
  await expect.poll(() => receiver.connections.open).toBe(0);
  expect(await post(receiver.url())).toMatchObject({ status: 200, responseBody: Buffer.from("second") });
});

test("connections to one host have a limit; the rest waits for them, and a hanging host keeps no other waiting", async () => {
  const [receiver, other] = [await newReceiver(), await newReceiver()];
  const release = Promise.withResolvers<void>();
  receiver.answers(({ response }) => release.promise.then(() => response.end()));
  const { post } = newDoor();
  const posts = Array.from({ length: SOCKETS_PER_ORIGIN + 6 }, () => post(receiver.url()));
  await expect.poll(() => receiver.received.length).toBe(SOCKETS_PER_ORIGIN);
  expect(await post(other.url())).toMatchObject({ status: 200 });
  expect(receiver.connections.opened).toBe(SOCKETS_PER_ORIGIN);
  release.resolve();
  for (const outcome of await Promise.all(posts)) expect(outcome).toMatchObject({ status: 200 });
  expect(receiver.connections.opened).toBe(SOCKETS_PER_ORIGIN);
});

test("the connection goes to the address that was vetted, whatever the name says a moment later", async () => {
  const [vetted, later] = [await newReceiver(), await newReceiver()];
  const { post, names } = newDoor();
  names.table["receiver.test"] = new Proxy(["127.0.0.1"], {
    get(addresses, key, receiver) {
      // From the first look at the answer on, the name leads elsewhere.
      names.table["receiver.test"] = ["127.0.0.2"];
      return Reflect.get(addresses, key, receiver);
    },
  });
  expect(await post(vetted.url())).toMatchObject({ status: 200 });
  expect(names.asked).toHaveLength(1);
  expect([vetted.received.length, later.connections.opened]).toEqual([1, 0]);
});

test("a name that now leads inside is blocked at the next connection, and a kept one lasts a minute at most", async () => {
  const receiver = await newReceiver();
  const { post, pass, names } = newDoor({ allowed: ["127.0.0.1"] });
  expect(await post(receiver.url())).toMatchObject({ status: 200 });
  names.table["receiver.test"] = ["127.0.0.2"];
  pass(A_MINUTE_MS - 1);
  expect(await post(receiver.url())).toMatchObject({ status: 200 });
  pass(1);
  // The last one on the old connection: its age is looked at when it is put away.
  expect(await post(receiver.url())).toMatchObject({ status: 200 });
  expect(await post(receiver.url())).toMatchObject({ outcome: "failed", error: "blocked_address", final: false });
  expect(receiver.connections.opened).toBe(1);
});

test.each([
  ["an inner address beside a good one", ["127.0.0.1", "10.0.0.1"]],
  ["a good address beside an inner one", ["10.0.0.1", "127.0.0.1"]],
  ["an inner address of IPv6 beside a good one", ["127.0.0.1", "fd00::1"]],
])("a name with %s is not connected to at all", async (_which, addresses) => {
  const receiver = await newReceiver();
  const { post } = newDoor({ addresses });
  expect(await post(receiver.url())).toMatchObject({ error: "blocked_address", final: false });
  expect(receiver.connections.opened).toBe(0);
});

test("without allowed networks a name that leads to this machine is blocked; with them it works", async () => {
  const receiver = await newReceiver();
  expect(await newDoor({ allowed: [] }).post(receiver.url())).toMatchObject({ error: "blocked_address", final: false });
  expect(receiver.connections.opened).toBe(0);
  for (const url of [receiver.url(), receiver.url("/", "localhost"), receiver.url("/", "127.0.0.1")]) {
    expect(await newDoor().post(url)).toMatchObject({ status: 200 });
  }
});

test("where a connection has really come out is looked at before TLS says its first word", async () => {
  const heard: Buffer[] = [];
  const listener = createServer((socket) =>
    socket.on("error", () => {}).on("data", (chunk) => heard.push(Buffer.from(chunk))),
  );
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(() => void listener.close());
  const ended = once(listener, "connection").then(([socket]) => once(socket, "close"));
  // Allowed by its own name, but it resolves to 127.0.0.1, which is not.
  const { post } = newDoor({ allowed: ["0.0.0.0"] });
  const { port } = listener.address() as { port: number };
  expect(await post(new URL(`https://0.0.0.0:${port}/`))).toMatchObject({ error: "blocked_address", final: true });
  await ended;
  expect(heard).toEqual([]);
});

test("when the first address does not answer, the next one is tried", async () => {
  const receiver = await newReceiver("127.0.0.3");
  const { post } = newDoor({ addresses: ["127.0.0.2", "127.0.0.3"] });
  expect(await post(receiver.url())).toMatchObject({ status: 200 });
});

test("no proxy of the environment is used, and NODE_EXTRA_CA_CERTS is believed beside a further authority", async () => {
  const receiver = await newReceiver();
  let proxied = 0;
  const proxy = createServer((socket) => {
    proxied += 1;
    socket.destroy();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-outbound-"));
  onTestFinished(() => {
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(join(folder, "ca.pem"), authority.ca);
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`;
  const script = `
    const { createOutbound } = await import(${JSON.stringify(fileURLToPath(new URL("outbound.ts", import.meta.url)))});
    const extraCa = ${JSON.stringify(newAuthority().ca)};
    const outbound = createOutbound({ allowedNetworks: ["127.0.0.0/8"], extraCa });
    const url = new URL(${JSON.stringify(receiver.url("/", "localhost").href)});
    const { outcome, status, error } = await outbound.post({ url, headers: {}, body: Buffer.from("{}") });
    console.log(JSON.stringify({ outcome, status, error }));
    outbound.close();
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    env: {
      ...process.env,
      NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
      NODE_USE_ENV_PROXY: "1",
      ...Object.fromEntries(
        ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [
          [name, proxyUrl],
          [name.toLowerCase(), proxyUrl],
        ]),
      ),
      NO_PROXY: "",
      no_proxy: "",
    },
  });
  expect(JSON.parse(stdout)).toEqual({ outcome: "answered", status: 200 });
  expect([receiver.received.length, proxied]).toEqual([1, 0]);
});

test("a request that waits for a connection has its own time, and is never sent when that is over", async () => {
  const receiver = await newReceiver();
  receiver.answers(hang);
  const { post } = newDoor();
  const ending = new AbortController();
  const hanging = Array.from({ length: SOCKETS_PER_ORIGIN }, () =>
    post(receiver.url("/first"), { signal: ending.signal }),
  );
  await expect.poll(() => receiver.received.length).toBe(SOCKETS_PER_ORIGIN);
  const waiting = [
    post(receiver.url("/second"), { timeoutMs: 100 }),
    post(receiver.url("/third"), { signal: AbortSignal.timeout(100) }),
  ];
  expect((await Promise.all(waiting)).map((outcome) => "error" in outcome && outcome.error)).toEqual([
    "timeout",
    "aborted",
  ]);
  ending.abort();
  await Promise.all(hanging);
  await expect.poll(() => receiver.connections.open).toBe(0);
  expect(receiver.received.filter(({ path }) => path !== "/first")).toEqual([]);
});
