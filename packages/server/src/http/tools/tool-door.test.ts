/** Which hosts and origins the tools answer (docs/decisions/0019): no other site may have its visitors' browsers call them. */

import { startTestApp } from "@frontdesk/testing/test-kit";
import { connect } from "@frontdesk/testing/tool-caller";
import { expect, test } from "vitest";

// PUBLIC_URL is https://chat.test
const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const { token } = await connect(kit.app, await kit.team());

async function ask(headers: Record<string, string>, { authorized = true, method = "POST" } = {}) {
  const answer = await kit.app.http.inject({
    method: method as "POST",
    url: method === "POST" ? "/tools/view-tags" : "/tools",
    headers: { ...(authorized && { authorization: `Bearer ${token}` }), ...headers },
  });
  return [answer.statusCode, (answer.json() as { message?: string }).message];
}

const OTHER_HOST = "This server does not serve this host name. The operator sets it with PUBLIC_URL.";
const OTHER_ORIGIN = "Requests from pages of this origin are not allowed.";

test.each([
  "chat.test",
  "chat.test:8443",
  "CHAT.test",
  "localhost",
  "localhost:3000",
  "frontdesk.localhost:3000",
  "127.0.0.1:3000",
  "192.168.0.7",
  "203.0.113.9:8080",
  "[::1]:3000",
  "[2001:db8::7]:3000",
])("the host %s is ours, an address in digits, or this machine", async (host) => {
  expect(await ask({ host })).toEqual([200, undefined]);
  expect(await ask({ host }, { method: "GET" })).toEqual([200, undefined]);
});

test.each([
  "evil.test",
  "evil.test:443",
  "chat.test.evil.test",
  "evilchat.test",
  "localhost.evil.test",
  "127.0.0.1.evil.test",
  "192.168.0.7.nip.test",
  "chat.test@evil.test",
  "a b",
])("another host name is refused, %s, before anything else is looked at", async (host) => {
  for (const method of ["POST", "GET"]) {
    expect(await ask({ host }, { method })).toEqual([403, OTHER_HOST]);
    expect(await ask({ host }, { method, authorized: false })).toEqual([403, OTHER_HOST]);
  }
});

test.each([
  "https://chat.test",
  "http://chat.test:8080",
  "http://localhost:5173",
  "http://127.0.0.1:6274",
  "http://[::1]:6274",
])("a page of ours or of this machine may ask: %s", async (origin) => {
  for (const host of ["chat.test", "203.0.113.9:8080"]) expect(await ask({ host, origin })).toEqual([200, undefined]);
});

test("a page that came from the same address in digits may ask, and none of another one", async () => {
  expect(await ask({ host: "192.168.0.7:3000", origin: "http://192.168.0.7:3000" })).toEqual([200, undefined]);
  expect(await ask({ host: "[2001:db8::7]:3000", origin: "http://[2001:db8::7]:3000" })).toEqual([200, undefined]);
  expect(await ask({ host: "192.168.0.7:3000", origin: "http://192.168.0.8:3000" })).toEqual([403, OTHER_ORIGIN]);
});

test.each([
  "https://evil.test",
  "https://chat.test.evil.test",
  "https://evilchat.test",
  "http://localhost.evil.test",
  "https://chat.test@evil.test",
  "null",
  "",
  "chat.test",
  "file://",
])("a page of another site, or of nowhere, is refused: %j", async (origin) => {
  for (const host of ["chat.test", "localhost:3000", "203.0.113.9"]) {
    expect(await ask({ host, origin })).toEqual([403, OTHER_ORIGIN]);
    expect(await ask({ host, origin }, { authorized: false })).toEqual([403, OTHER_ORIGIN]);
  }
});

test("no answer of a tool and no refusal is cached; a list is, by its client alone, which revalidates it for each use", async () => {
  const kept = async (method: "GET" | "POST", headers: Record<string, string> = {}) => {
    const url = method === "GET" ? "/tools" : "/tools/view-tags";
    const answer = await kit.app.http.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    return answer.headers["cache-control"];
  };
  for (const refused of [{ host: "evil.test" }, { authorization: "Bearer x" }]) {
    for (const method of ["GET", "POST"] as const) expect(await kept(method, refused)).toBe("no-store");
  }
  expect(await kept("POST")).toBe("no-store");
  expect(await kept("GET")).toBe("private, no-cache");
});
