/** What a subscriber's server may do, and how it is handled. Everything over TLS on real sockets. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { sharedAuthority } from "@frontdesk/testing/certificates";
import * as receivers from "@frontdesk/testing/https-receiver";
import { type Answer, bytes, drip, flood, hang, hangUp, namesOf, status } from "@frontdesk/testing/https-receiver";
import { describe, expect, onTestFinished, test } from "vitest";
import { createOutbound } from "./outbound.ts";
import { KEPT_BODY_BYTES, type PostRequest } from "./post.ts";

const LOOPBACK = ["127.0.0.0/8"];
/** For what must time out: long for this machine, short for a person who waits. */
const SHORT_MS = 300;

const authority = sharedAuthority();
const certificate = authority.certify(receivers.RECEIVER_NAMES);
const names = namesOf({ "receiver.test": ["127.0.0.1"], "other.receiver.test": ["127.0.0.1"] });

function newOutbound(options: Partial<Parameters<typeof createOutbound>[0]> = {}) {
  const outbound = createOutbound({
    allowedNetworks: LOOPBACK,
    extraCa: authority.ca,
    lookup: names.lookup,
    ...options,
  });
  onTestFinished(() => outbound.close());
  return outbound;
}

async function startReceiver(options: Parameters<typeof receivers.startReceiver>[0] = {}) {
  const receiver = await receivers.startReceiver({ authority, certificate, ...options });
  onTestFinished(() => receiver.close());
  return receiver;
}

function delivery(url: URL, more: Partial<PostRequest> = {}): PostRequest {
  return { url, headers: { "Content-Type": "application/json" }, body: Buffer.from('{"id":"evt_1"}'), ...more };
}

/** The outcome of one answer. */
async function outcomeOf(answer: Answer, more: Partial<PostRequest> = {}) {
  const receiver = await startReceiver();
  receiver.answers(answer);
  const outcome = await newOutbound().post(delivery(receiver.url(), more));
  return { outcome, receiver };
}

const freed = (receiver: receivers.Receiver) => expect.poll(() => receiver.connections.open).toBe(0);

describe("what is sent", () => {
  test("is one POST with exactly the bytes and headers that were given, and the host as it was written", async () => {
    const receiver = await startReceiver();
    const body = Buffer.from('{"text":"Grüße 👋\u2028\\u0000","b":1,"a":2}\r\n');
    const headers = {
      "Content-Type": "application/json",
      "X-Service-Delivery-Attempt": "1",
      "User-Agent": "Frontdesk",
    };
    const outcome = await newOutbound().post(
      delivery(receiver.url("/a%20b/ü?x=%0d%0a&y=1#part"), { headers, body: Uint8Array.from(body) }),
    );
    expect(outcome).toMatchObject({ outcome: "answered", status: 200 });
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]).toMatchObject({
      method: "POST",
      path: "/a%20b/%C3%BC?x=%0d%0a&y=1",
      servername: "receiver.test",
      headers: {
        host: `receiver.test:${receiver.port}`,
        "content-type": "application/json",
        "x-service-delivery-attempt": "1",
        "user-agent": "Frontdesk",
        "content-length": String(body.length),
        connection: "keep-alive",
      },
    });
    expect(Object.keys(receiver.received[0]?.headers ?? {})).toHaveLength(6);
    expect(receiver.received[0]?.body).toEqual(body);
  });

  test("a user name in the URL is never sent", async () => {
    const receiver = await startReceiver();
    const url = receiver.url();
    [url.username, url.password] = ["ada", "geheim"];
    await newOutbound().post(delivery(url));
    expect(receiver.received[0]?.headers).not.toHaveProperty("authorization");
  });

  test("a URL that is not https, and a header that would split the request, are faults of ours", async () => {
    const outbound = newOutbound();
    expect(() => outbound.post(delivery(new URL("http://receiver.test/")))).toThrow(TypeError);
    const receiver = await startReceiver();
    await expect(outbound.post(delivery(receiver.url(), { headers: { a: "1\r\nb: 2" } }))).rejects.toThrow(TypeError);
    expect(receiver.connections.opened).toBe(0);
  });
});

describe("an answer", () => {
  test("is its status, its head and its body", async () => {
    const { outcome } = await outcomeOf(status(202, { "Retry-After": "7", "X-Any": "thing" }, "thank you"));
    expect(outcome).toMatchObject({ status: 202, responseHead: { "retry-after": "7", "x-any": "thing" } });
    expect(outcome).toHaveProperty("responseBody", Buffer.from("thank you"));
    expect(outcome.durationMs).toBeGreaterThanOrEqual(0);
  });

  test("is an answer with every status from 200 to 599, and none is followed or repeated", async () => {
    const [receiver, elsewhere] = [await startReceiver(), await startReceiver()];
    const outbound = newOutbound();
    receiver.answers(({ request, response }) => {
      const code = Number(request.path.slice(1));
      response.writeHead(code, { Location: elsewhere.url("/elsewhere").href, "Retry-After": "0" }).end();
    });
    for (let code = 200; code <= 599; code += 1) {
      const outcome = await outbound.post(delivery(receiver.url(`/${code}`)));
      expect(outcome).toMatchObject({ outcome: "answered", status: code });
    }
    expect(receiver.received).toHaveLength(400);
    expect(elsewhere.connections.opened).toBe(0);
  });

  test.each(["http://169.254.169.254/latest/meta-data", "/again", "https://localhost/", "//receiver.test/"])(
    "that sends us to %s is the end of it",
    async (location) => {
      const receiver = await startReceiver();
      const codes = [301, 302, 303, 307, 308];
      receiver.answers(...codes.map((code) => status(code, { Location: location })));
      const outbound = newOutbound();
      for (const code of codes) expect(await outbound.post(delivery(receiver.url()))).toMatchObject({ status: code });
      expect(receiver.received.map(({ path }) => path)).toEqual(codes.map(() => "/hook"));
    },
  );

  test.each([
    ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["102 Processing", "HTTP/1.1 102 Processing\r\n\r\n"],
    ["103 Early Hints", "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"],
  ])("may come after a thousand of %s that were not requested", async (_which, interim) => {
    const { outcome } = await outcomeOf(
      bytes(`${interim.repeat(1_000)}HTTP/1.1 299 Fine\r\nContent-Length: 2\r\n\r\nok`),
    );
    expect(outcome).toMatchObject({ outcome: "answered", status: 299, responseBody: Buffer.from("ok") });
  });

  test.each([
    ["of HTTP/1.0 that ends with the connection", "HTTP/1.0 200 OK\r\n\r\nfine", 200, "fine"],
    ["that ends with the connection", "HTTP/1.1 200 OK\r\n\r\nfine", 200, "fine"],
    ["without a body", "HTTP/1.1 204 No Content\r\n\r\n", 204, ""],
    ["without a body, and one after it", "HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nfine", 204, ""],
    ["without a reason", "HTTP/1.1 200\r\nContent-Length: 4\r\n\r\nfine", 200, "fine"],
    ["in chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nfi\r\n2\r\nne\r\n0\r\n\r\n", 200, "fine"],
    ["that breaks off in its body", "HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\nfine", 200, "fine"],
    ["whose chunks are broken", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\nzz", 200, "fine"],
    ["of which more comes than it said", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfinefine", 200, "fine"],
  ])("%s is an answer", async (_which, text, code, body) => {
    const { outcome, receiver } = await outcomeOf(bytes(text, { thenEnd: true }));
    expect(outcome).toMatchObject({ outcome: "answered", status: code, responseBody: Buffer.from(body) });
    await freed(receiver);
  });

  test("is kept to its first 16 KiB, and one that is just so long is whole", async () => {
    const body = Buffer.alloc(KEPT_BODY_BYTES, "0123456789abcdef");
    const whole = await outcomeOf(status(500, {}, body));
    expect(whole.outcome).toHaveProperty("responseBody", body);
    expect(whole.receiver.connections.open).toBe(1);
    const longer = await outcomeOf(status(500, {}, Buffer.concat([body, Buffer.from("!")])));
    expect(longer.outcome).toHaveProperty("responseBody", body);
    await freed(longer.receiver);
  });

  test("of a gigabyte is a success, and nearly all of it is never taken", async () => {
    let handedOver = Number.POSITIVE_INFINITY;
    const { outcome, receiver } = await outcomeOf(
      flood(2 ** 30, (amount) => {
        handedOver = amount;
      }),
    );
    expect(outcome).toMatchObject({ outcome: "answered", status: 200 });
    expect(outcome).toHaveProperty("responseBody.byteLength", KEPT_BODY_BYTES);
    await freed(receiver);
    // What the sockets of both sides hold.
    expect(handedOver).toBeLessThan(32 * 2 ** 20);
  });

  test("that is compressed stays so", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20), { level: 9 });
    expect(bomb.byteLength).toBeGreaterThan(KEPT_BODY_BYTES);
    const { outcome } = await outcomeOf(status(200, { "Content-Encoding": "gzip" }, bomb));
    expect(outcome).toHaveProperty("responseBody", bomb.subarray(0, KEPT_BODY_BYTES));
  });

  test("whose body drips on counts when its head was in time; at the end of the time the connection is freed", async () => {
    const { outcome, receiver } = await outcomeOf(
      ({ socket, ...rest }) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nfine");
        drip("")({ socket, ...rest });
      },
      { timeoutMs: SHORT_MS },
    );
    expect(outcome).toMatchObject({ outcome: "answered", status: 200 });
    expect(String("responseBody" in outcome && outcome.responseBody)).toMatch(/^fine\.*$/);
    expect(outcome.durationMs).toBeGreaterThanOrEqual(SHORT_MS - 1);
    await freed(receiver);
  });

  test("that lies in the socket is read, also when this process has slept past the end of the time", async () => {
    // Time enough to connect on a busy machine; then it sleeps for all of it.
    const timeoutMs = 1_500;
    const { outcome } = await outcomeOf(
      ({ response }) => {
        response.end("fine");
        setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, timeoutMs));
      },
      { timeoutMs },
    );
    expect(outcome).toMatchObject({ outcome: "answered", status: 200 });
  });
});

describe("no answer", () => {
  test.each<[string, Answer]>([
    ["a receiver that is silent", hang],
    ["a head that drips", drip("HTTP/1.1 200 OK\r\nX-Slow: ")],
    ["a head that never ends", bytes("HTTP/1.1 200 OK\r\nX-Slow: ")],
    [
      "1xx without an end",
      ({ socket }) => {
        const timer = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n".repeat(10)), 5);
        socket.once("close", () => clearInterval(timer));
      },
    ],
  ])("in time: %s", async (_which, answer) => {
    const { outcome, receiver } = await outcomeOf(answer, { timeoutMs: SHORT_MS });
    expect(outcome).toMatchObject({ outcome: "failed", error: "timeout", final: false });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(SHORT_MS - 1);
    await freed(receiver);
  });

  test.each<[string, Answer]>([
    ["a TCP reset", receivers.reset],
    ["the end of the connection", hangUp],
    ["the end of the connection within the head", bytes("HTTP/1.1 200 OK\r\nX-A: b", { thenEnd: true })],
    ["the end of the connection after 1xx", bytes("HTTP/1.1 103 Early Hints\r\n\r\n", { thenEnd: true })],
  ])("but %s", async (_which, answer) => {
    const { outcome, receiver } = await outcomeOf(answer);
    expect(outcome).toMatchObject({ outcome: "failed", error: "reset", code: "ECONNRESET", final: false });
    expect(receiver.received).toHaveLength(1);
    await freed(receiver);
  });

  test.each<[string, string]>([
    ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["noise", "\u0000\u0001\u0002\r\n\r\n"],
    ["HTTP/0.9", "<html>fine</html>"],
    ["HTTP/2", "\u0000\u0000\u0012\u0004\u0000\u0000\u0000\u0000\u0000"],
    ["a status that is none", "HTTP/1.1 two OK\r\n\r\n"],
    ["a status below 200", "HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n"],
    ["a switch of protocols", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"],
    ["a switch to nothing", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!"],
    ["a length and chunks", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["a header of a megabyte", `HTTP/1.1 200 OK\r\nX-Big: ${"x".repeat(2 ** 20)}\r\n\r\n`],
    ["a hundred thousand headers", `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(100_000)}\r\n`],
    ["a reason of a megabyte", `HTTP/1.1 200 ${"x".repeat(2 ** 20)}\r\n\r\n`],
  ])("but what is not HTTP/1.1: %s", async (_which, text) => {
    const { outcome, receiver } = await outcomeOf(bytes(text));
    expect(outcome).toMatchObject({ outcome: "failed", error: "protocol", final: false });
    await freed(receiver);
  });

  test("since no server listens", async () => {
    const receiver = await receivers.startReceiver({ authority, certificate });
    await receiver.close();
    expect(await newOutbound().post(delivery(receiver.url()))).toMatchObject({
      outcome: "failed",
      error: "connect",
      code: "ECONNREFUSED",
    });
  });

  test("since the name has no address", async () => {
    expect(await newOutbound().post(delivery(new URL("https://missing.test/")))).toMatchObject({
      outcome: "failed",
      error: "dns",
      code: "ENOTFOUND",
      final: false,
    });
  });

  test("in time, since the name server is silent: looking up counts too", async () => {
    const outbound = newOutbound({ lookup: () => new Promise(() => {}) });
    const outcome = await outbound.post(delivery(new URL("https://receiver.test/"), { timeoutMs: SHORT_MS }));
    expect(outcome).toMatchObject({ outcome: "failed", error: "timeout" });
  });

  test("in time, since TLS never begins: connecting counts too", async () => {
    const { port, sockets } = await startSilentListener();
    const url = new URL(`https://receiver.test:${port}/`);
    const outcome = await newOutbound().post(delivery(url, { timeoutMs: SHORT_MS }));
    expect(outcome).toMatchObject({ outcome: "failed", error: "timeout" });
    await expect.poll(() => sockets.size).toBe(0);
  });
});

describe("the certificate", () => {
  test("of an unknown authority is not trusted, and nothing is sent", async () => {
    const receiver = await receivers.startReceiver();
    onTestFinished(() => receiver.close());
    expect(await newOutbound().post(delivery(receiver.url()))).toMatchObject({ outcome: "failed", error: "tls" });
    expect(receiver.received).toEqual([]);
  });

  test.each([
    ["has ended", authority.certify(receivers.RECEIVER_NAMES, -1), "CERT_HAS_EXPIRED"],
    ["is for another host", authority.certify(["elsewhere.test", "127.0.0.1"]), "ERR_TLS_CERT_ALTNAME_INVALID"],
  ])("that %s is not believed", async (_which, certificate, code) => {
    const receiver = await startReceiver({ certificate });
    const outcome = await newOutbound().post(delivery(receiver.url()));
    expect(outcome).toMatchObject({ outcome: "failed", error: "tls", code, final: false });
    expect(receiver.received).toEqual([]);
  });

  test("is checked also when the environment asks to let it be", async () => {
    const receiver = await startReceiver();
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    onTestFinished(() => void delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
    const { extraCa: _none, ...withoutCa } = { extraCa: "", allowedNetworks: LOOPBACK, lookup: names.lookup };
    const outbound = createOutbound(withoutCa);
    onTestFinished(() => outbound.close());
    expect(await outbound.post(delivery(receiver.url()))).toMatchObject({ outcome: "failed", error: "tls" });
  });

  test("is for the address when the URL holds one, and for the name without the dot at its end", async () => {
    const receiver = await startReceiver();
    const outbound = newOutbound();
    for (const host of ["127.0.0.1", "receiver.test."]) {
      expect(await outbound.post(delivery(receiver.url("/", host))), host).toMatchObject({ status: 200 });
    }
    expect(receiver.received.map(({ headers, servername }) => [headers.host, servername])).toEqual([
      [`127.0.0.1:${receiver.port}`, undefined],
      [`receiver.test.:${receiver.port}`, "receiver.test"],
    ]);
  });

  test("is missing: a receiver without TLS gets nothing that it could read", async () => {
    const heard: Buffer[] = [];
    const plain = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (chunk) => {
        heard.push(Buffer.from(chunk));
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      });
    });
    plain.listen(0, "127.0.0.1");
    await once(plain, "listening");
    onTestFinished(() => void plain.close());
    const { port } = plain.address() as { port: number };
    expect(await newOutbound().post(delivery(new URL(`https://receiver.test:${port}/`)))).toMatchObject({
      error: "tls",
    });
    expect(Buffer.concat(heard).includes("evt_1")).toBe(false);
  });
});

describe("the caller", () => {
  test("may end a request that waits for its answer: it is over at once, and so is the connection", async () => {
    const receiver = await startReceiver();
    receiver.answers(hang);
    const ending = new AbortController();
    const outcome = newOutbound().post(delivery(receiver.url(), { signal: ending.signal }));
    await expect.poll(() => receiver.received).toHaveLength(1);
    ending.abort();
    expect(await outcome).toMatchObject({ outcome: "failed", error: "aborted", final: false });
    await freed(receiver);
  });

  test("may end a request that is connecting: it never begins", async () => {
    const { port, sockets } = await startSilentListener();
    const ending = new AbortController();
    const url = new URL(`https://receiver.test:${port}/`);
    const outcome = newOutbound().post(delivery(url, { signal: ending.signal }));
    await expect.poll(() => sockets.size).toBe(1);
    ending.abort();
    expect(await outcome).toMatchObject({ outcome: "failed", error: "aborted" });
    await expect.poll(() => sockets.size).toBe(0);
  });

  test("may end a request before it begins: nothing is connected to", async () => {
    const receiver = await startReceiver();
    const outbound = newOutbound();
    const { length } = names.asked;
    expect(await outbound.post(delivery(receiver.url(), { signal: AbortSignal.abort() }))).toMatchObject({
      error: "aborted",
    });
    expect([receiver.connections.opened, names.asked.length]).toEqual([0, length]);
  });

  test("who ends an answer that has come gets the answer", async () => {
    const receiver = await startReceiver();
    receiver.answers(({ response }) => void response.writeHead(200, { "content-length": 100 }).write("fine"));
    const ending = new AbortController();
    // Node reports here when the client has read a head.
    const headIsRead = () => setImmediate(() => ending.abort());
    subscribe("http.client.response.finish", headIsRead);
    onTestFinished(() => void unsubscribe("http.client.response.finish", headIsRead));
    const outcome = await newOutbound().post(delivery(receiver.url(), { signal: ending.signal }));
    expect(outcome).toMatchObject({ outcome: "answered", status: 200 });
    await freed(receiver);
  });

  test("closing ends what is under way, and nothing begins afterwards", async () => {
    const receiver = await startReceiver();
    receiver.answers(hang);
    const outbound = newOutbound();
    const underWay = Array.from({ length: 3 }, () => outbound.post(delivery(receiver.url())));
    await expect.poll(() => receiver.received).toHaveLength(3);
    outbound.close();
    expect(await Promise.all(underWay)).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ outcome: "failed", error: "aborted" })),
    );
    expect(await outbound.post(delivery(receiver.url()))).toMatchObject({ error: "aborted" });
    await freed(receiver);
    expect(receiver.connections.opened).toBe(3);
  });
});

/** Takes connections and says nothing. */
async function startSilentListener(): Promise<{ port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket
      .on("error", () => {})
      .on("close", () => sockets.delete(socket))
      .resume();
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  return { port: (listener.address() as { port: number }).port, sockets };
}
