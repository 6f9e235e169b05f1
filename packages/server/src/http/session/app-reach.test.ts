/** The button "Check if the internet can reach it": what the server finds at its own address, through a real proxy with TLS. */
import { type Answer, hangUp, status } from "@frontdesk/testing/https-receiver";
import { type PublicApp, startPublicApp } from "@frontdesk/testing/public-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const good = await startPublicApp();
const team = await good.kit.team();
const admin = await signedIn(good.kit, team, "CHAT_AGENT_ADMIN");
const METADATA = "/.well-known/oauth-authorization-server";
const RESOURCE = "/.well-known/oauth-protected-resource/mcp";

async function found(through?: Answer, { proxy, pass }: Pick<PublicApp, "proxy" | "pass"> = good) {
  proxy.answers(through ?? pass);
  const { status: code, body } = await admin.post("/connect/reach");
  expect(code).toBe(200);
  return body;
}

/** A proxy that does something else at this path. */
const at =
  (path: string, other: Answer): Answer =>
  (asked) =>
    asked.request.path === path ? other(asked) : good.pass(asked);

test("a good proxy: nothing keeps apps away, and they are asked for as apps ask", async () => {
  const { proxy, publicUrl } = good;
  proxy.received.length = 0;
  expect(await found()).toEqual({ problem: null, url: `${publicUrl}/mcp`, detail: "receiver.test" });
  expect(proxy.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET ${METADATA}`,
    `GET ${RESOURCE}`,
    "POST /mcp",
  ]);
  for (const { headers } of proxy.received)
    expect([headers.cookie, headers.authorization]).toEqual([undefined, undefined]);
});

test.each<[string, Answer, { problem: string; detail: string; path: string }]>([
  [
    "redirects to another host",
    at(METADATA, status(308, { location: "https://www.receiver.test/" })),
    { problem: "redirect", detail: "https://www.receiver.test/", path: METADATA },
  ],
  ["blocks programs", at(METADATA, status(403)), { problem: "refused", detail: "403", path: METADATA }],
  [
    "answers by itself",
    at(RESOURCE, status(200, {}, "<html>")),
    { problem: "other-server", detail: "receiver.test", path: RESOURCE },
  ],
  ["passes /mcp to another server", at("/mcp", status(404)), { problem: "refused", detail: "404", path: "/mcp" }],
  [
    "removes the challenge",
    at("/mcp", status(401)),
    { problem: "no-challenge", detail: "receiver.test", path: "/mcp" },
  ],
  ["hangs up", hangUp, { problem: "no-answer", detail: "ECONNRESET", path: METADATA }],
])("a proxy that %s", async (_what, through, { path, ...rest }) => {
  expect(await found(through)).toEqual({ ...rest, url: good.publicUrl + path });
});

test("a name without an address, with IPv6 alone, and one that leads into a private network", async () => {
  const { addresses, publicUrl } = good;
  const with_ = async (...now: string[]) => {
    addresses.splice(0, addresses.length, ...now);
    return found();
  };
  try {
    expect(await with_("2606:4700::1111")).toEqual({ problem: "only-ipv6", url: publicUrl, detail: "receiver.test" });
    expect(await with_("10.1.2.3")).toMatchObject({ problem: "private-address", detail: "10.1.2.3" });
    expect(await with_()).toMatchObject({ problem: "no-address", detail: "receiver.test" });
  } finally {
    addresses.splice(0, addresses.length, "127.0.0.1");
  }
});

test("a certificate that is not trusted", async () => {
  const { kit, publicUrl } = await startPublicApp({ trusted: false });
  const abe = await signedIn(kit, await kit.team(), "CHAT_AGENT_ADMIN");
  expect((await abe.post("/connect/reach")).body).toEqual({
    ...{ problem: "certificate", url: `${publicUrl}${METADATA}` },
    detail: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  });
});

test("at an address of this machine nothing is asked; and members may not ask", async () => {
  const kit = await startTestApp({ PUBLIC_URL: "http://localhost:1" });
  const acme = await kit.team();
  const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  expect((await abe.post("/connect/reach")).body).toMatchObject({ problem: "private-address", detail: "localhost:1" });
  expect((await (await signedIn(kit, acme)).post("/connect/reach")).status).toBe(403);
});
