/** Every way to write a private address: no connection is made. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
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

test.each([
  ...[
    "127.0.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0X7F.1",
    "017700000001",
    "0177.0.0.1",
    "127.1",
    "127.0.1",
  ],
  ...["127.0.0.1.", "%31%32%37.0.0.1", "①②⑦.⓪.⓪.①", "127。0。0。1", "127.255.255.254", "0", "0.0.0.0", "0x0", "00"],
  ...["[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[::7f00:1]"],
  ...["[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "[fe80::1]", "[fc00::1]", "[ff02::1]"],
  ...["3232235521", "2852039166", "0xA9FEA9FE", "169.254.169.254", "10.0.0.1", "192.168.0.1", "172.16.0.1"],
  ...["100.100.100.200", "168.63.129.16", "[fd00:ec2::254]", "224.0.0.1", "255.255.255.255", "[4000::1]", "[e000::1]"],
])("https://%s/ is blocked for good, and nothing is connected to", async (host) => {
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

test.each([
  ...["localhost", "LOCALHOST", "localhost.", "ｌｏｃａｌｈｏｓｔ", "foo.localhost", "loc%61lhost", "redis", "redis."],
  ...["printer.local", "metadata.google.internal", "metadata.google.internal.", "kubernetes.default.svc", "."],
])("the name %s is blocked without asking for it; it may be another one tomorrow", async (host) => {
  const url = readEndpointUrl(`https://${host}:${port}/hook`);
  expect(await postTo(url)).toMatchObject({ outcome: "failed", error: "blocked_address", final: false });
});

test("whose user name looks like a host goes to the host", async () => {
  const url = new URL(`https://example.com@127.0.0.1:${port}/`);
  expect(await postTo(url)).toMatchObject({ error: "blocked_address", final: true });
});
