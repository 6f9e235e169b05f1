/** Every way to write a private address: no connection is made. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { INNER_ADDRESSES, INNER_NAMES } from "@frontdesk/testing/inner-hosts";
import { afterAll, expect, test } from "vitest";
import { readEndpointUrl } from "../webhooks/endpoint-url.ts";
import { createOutbound } from "./outbound.ts";

/** Listens on every address of this machine; connections are counted. */
const machine = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
let connections = 0;
machine.listen(0, "::");
await once(machine, "listening");
const { port } = machine.address() as AddressInfo;

const outbound = createOutbound({
  allowedNetworks: [],
  lookup: async (name) => {
    throw new Error(`${name} must not be looked up.`);
  },
});
afterAll(() => {
  outbound.close();
  machine.close();
});

async function postTo(url: URL) {
  const outcome = await outbound.post({ url, headers: {}, body: Buffer.from("{}"), timeoutMs: 1_000 });
  expect(connections).toBe(0);
  return outcome;
}

test("the listener would have noticed a connection", async () => {
  const open = createOutbound({ allowedNetworks: ["127.0.0.0/8"] });
  await open.post({ url: new URL(`https://127.0.0.1:${port}/`), headers: {}, body: Buffer.from("{}") });
  open.close();
  await expect.poll(() => connections).toBe(1);
  connections = 0;
});

test.each(INNER_ADDRESSES)("https://%s/ is blocked for good, and nothing is connected to", async (host) => {
  const url = readEndpointUrl(`https://${host}:${port}/hook`);
  expect(await postTo(url)).toMatchObject({ outcome: "failed", error: "blocked_address", final: true });
});

test.each(["https:127.0.0.1:PORT", "https:///127.0.0.1:PORT/", "https://127.0.0.1:PORT#@example.com/"])(
  "%s leads to this machine as well, and is blocked",
  async (text) => {
    const url = readEndpointUrl(text.replace("PORT", String(port)));
    expect(url.hostname).toBe("127.0.0.1");
    expect(await postTo(url)).toMatchObject({ error: "blocked_address", final: true });
  },
);

test.each(INNER_NAMES)("the name %s is blocked without asking for it; it may be another one tomorrow", async (host) => {
  const url = readEndpointUrl(`https://${host}:${port}/hook`);
  expect(await postTo(url)).toMatchObject({ outcome: "failed", error: "blocked_address", final: false });
});

test("whose user name looks like a host goes to the host", async () => {
  const url = new URL(`https://example.com@127.0.0.1:${port}/`);
  expect(await postTo(url)).toMatchObject({ error: "blocked_address", final: true });
});
