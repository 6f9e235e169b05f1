import { expect, test } from "vitest";
import { isRegisteredRedirect, redirectKind } from "./redirect-uri.ts";

test.each([
  ["https://claude.ai/api/mcp/auth_callback", "website"],
  ["https://vscode.dev/redirect?x=1", "website"],
  ["http://localhost/callback", "this-computer"],
  ["http://127.0.0.1:33418/", "this-computer"],
  ["http://[::1]:9/callback", "this-computer"],
  ["cursor://anysphere.cursor-mcp/oauth/callback", "program"],
])("%s can be registered, as %s", (uri, kind) => {
  expect(redirectKind(uri)).toBe(kind);
});

test.each([
  "http://example.com/callback",
  "http://localhost.example.com/callback",
  "http://127.0.0.1.example.com/callback",
  "http://127.0.0.2/callback",
  "http://0.0.0.0/callback",
  "https://ada@example.com/callback",
  "https://example.com/callback#part",
  "https://example.com\\@evil.test/callback",
  "https://example.com/call back",
  "https:example.com/callback",
  "https:///callback",
  "cursor://anysphere.cursor-mcp/oauth/callback2",
  "cursor://evil/oauth/callback",
  "javascript:alert(1)",
  "data:text/html,x",
  "vscode://callback",
  "/callback",
  "",
  `https://example.com/${"a".repeat(1_000)}`,
])("%s cannot be registered", (uri) => {
  expect(redirectKind(uri)).toBeUndefined();
});

test("on this computer the port may be another one; host, path and query are exact", () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
    const registered = [`http://${host}/callback?a=1`];
    for (const port of ["", ":1", ":54321", ":65535"]) {
      expect(isRegisteredRedirect(`http://${host}${port}/callback?a=1`, registered)).toBe(true);
      expect(isRegisteredRedirect(`http://${host}${port}/callback`, registered)).toBe(false);
      expect(isRegisteredRedirect(`http://${host}${port}/callback/?a=1`, registered)).toBe(false);
      expect(isRegisteredRedirect(`https://${host}${port}/callback?a=1`, registered)).toBe(false);
    }
  }
  expect(isRegisteredRedirect("http://127.0.0.1:1/callback", ["http://localhost:1/callback"])).toBe(false);
});

test("a website's redirect is compared as a text, and any of the registered ones will do", () => {
  const registered = ["https://a.test/callback", "https://b.test:8443/callback"];
  for (const uri of registered) expect(isRegisteredRedirect(uri, registered)).toBe(true);
  for (const uri of [
    "https://a.test/callback/",
    "https://a.test/callback?x=1",
    "https://A.test/callback",
    "https://a.test:443/callback",
    "https://b.test/callback",
    "https://a.test/CALLBACK",
    "https://a.test/x/../callback",
  ]) {
    expect(isRegisteredRedirect(uri, registered), uri).toBe(false);
  }
});
