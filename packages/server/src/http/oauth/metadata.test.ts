/** What apps read before they connect, and how they are led there (S1 to S4, S9, S10, S15; F1 to F4, F19). */

import { listenBeside } from "@frontdesk/testing/mcp-app";
import { ISSUER, listTools, register, registeredApp } from "@frontdesk/testing/oauth-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestApp } from "@frontdesk/testing/test-kit";
import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";

const kit = await startTestApp();
const acme = await kit.team();
const admin = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");

async function get({ app }: Pick<TestApp, "app">, path: string, headers: Record<string, string> = {}) {
  const { statusCode, headers: given, payload } = await app.http.inject({ method: "GET", url: path, headers });
  return { status: statusCode, headers: given, body: statusCode === 200 ? JSON.parse(payload) : payload };
}

const RESOURCES = [
  ["/.well-known/oauth-protected-resource", `${ISSUER}/mcp`],
  ["/.well-known/oauth-protected-resource/mcp", `${ISSUER}/mcp`],
  ["/.well-known/oauth-protected-resource/mcp/readonly", `${ISSUER}/mcp/readonly`],
] as const;
const SERVERS = ["", "/mcp", "/mcp/readonly"].map((path) => `/.well-known/oauth-authorization-server${path}`);

test.each(RESOURCES)("%s names exactly the address that is pasted, and one server", async (path, resource) => {
  const { status, headers, body } = await get(kit, path);
  expect([status, headers["content-type"], headers["access-control-allow-origin"]]).toEqual([
    200,
    "application/json; charset=utf-8",
    "*",
  ]);
  expect(body).toMatchObject({
    ...{ resource, authorization_servers: [ISSUER], scopes_supported: ["assist"] },
    bearer_methods_supported: ["header"],
  });
  expect(JSON.stringify(body)).not.toMatch(/null|offline_access/);
});

test.each(SERVERS)("%s is the same document, whose issuer is the address it was built from", async (path) => {
  const { status, headers, body } = await get(kit, path);
  expect([status, headers["access-control-allow-origin"]]).toEqual([200, "*"]);
  expect(body).toEqual({
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/oauth/authorize`,
    token_endpoint: `${ISSUER}/oauth/token`,
    registration_endpoint: `${ISSUER}/oauth/register`,
    revocation_endpoint: `${ISSUER}/oauth/revoke`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    // Both or neither: one host takes documents only where `none` is there as well.
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    client_id_metadata_document_supported: true,
    scopes_supported: ["assist"],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${ISSUER}/docs`,
  });
});

test("there is no document of OpenID Connect: this signs no one in", async () => {
  for (const path of ["/.well-known/openid-configuration", "/.well-known/openid-configuration/mcp"])
    expect((await get(kit, path)).status).toBe(404);
});

test.each([
  "https://chat.test/",
  "https://CHAT.test",
  "HTTPS://chat.test",
  "https://chat.test:443",
  "https://chat.test:443//",
  "https://chat.TEST:443/",
])("PUBLIC_URL %s gives the one issuer, everywhere", async (publicUrl) => {
  const { app } = await listenBeside(kit, { env: { PUBLIC_URL: publicUrl } });
  expect((await get({ app }, SERVERS[0] as string)).body.issuer).toBe(ISSUER);
  expect((await get({ app }, RESOURCES[1][0])).body).toMatchObject({
    resource: `${ISSUER}/mcp`,
    authorization_servers: [ISSUER],
  });
});

test("client documents can be switched off, and are not announced then", async () => {
  const { app } = await listenBeside(kit, { env: { OAUTH_CLIENT_DOCUMENTS: "off" } });
  expect((await get({ app }, SERVERS[0] as string)).body).not.toHaveProperty("client_id_metadata_document_supported");
  const asked = "client_id=https%3A%2F%2Fclaude.ai%2Fa&redirect_uri=https%3A%2F%2Fclaude.ai%2Fb&response_type=code";
  const { headers } = await app.http.inject({ method: "GET", url: `/oauth/authorize?${asked}` });
  expect(headers.location).toBe(`${ISSUER}/app/connect?problem=unknown-app`);
});

test.each([
  ["http://chat.example.com", "not-https"],
  ["http://10.1.2.3:8080", "not-https"],
  ["https://example.com/chat", "has-path"],
])("with PUBLIC_URL %s apps cannot be connected, and that is said", async (publicUrl, off) => {
  const { app } = await listenBeside(kit, { env: { PUBLIC_URL: publicUrl } });
  for (const path of [...RESOURCES.map(([each]) => each), ...SERVERS, "/oauth/authorize"])
    expect((await get({ app }, path)).status, path).toBe(404);
  expect((await register({ app }, { redirect_uris: ["https://robin.test/"] })).status).toBe(404);
  const { hostname } = new URL(publicUrl);
  const refused = await listTools({ app }, undefined, "/mcp", { host: hostname });
  expect([refused.status, refused.headers["www-authenticate"]]).toEqual([401, 'Bearer realm="Frontdesk"']);
  const session = await app.http.inject({
    ...{ method: "GET", url: "/app/api/connect/addresses" },
    headers: {
      cookie: `${admin.cookie}; __Host-${admin.cookie}`,
      "sec-fetch-site": "same-origin",
      host: hostname,
    },
  });
  expect(session.json()).toMatchObject({ off, mcp: null, readonly: null });
});

test.each(["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080", "http://desk.localhost"])(
  "on this machine http will do: %s",
  async (publicUrl) => {
    const { app } = await listenBeside(kit, { env: { PUBLIC_URL: publicUrl } });
    expect((await get({ app }, SERVERS[0] as string)).body.issuer).toBe(publicUrl);
  },
);

test("every 401 says where to be connected, absolutely; an error is named only where a token was sent", async () => {
  const robin = await registeredApp(kit);
  const readonly = await robin.connect(admin, {}, { resource: `${ISSUER}/mcp/readonly` });
  const expired = await robin.connect(admin);
  kit.clock.advance(24 * 60 * 60_000);
  const tokens: Record<string, string | undefined> = {
    "none at all": undefined,
    "one of no form": "x",
    "one that is unknown": `fd_assistant_${"0".repeat(71)}`,
    "one that has ended": expired.access,
    "one of the other address": readonly.access,
    "a session": admin.cookie.slice("frontdesk=".length),
    "an API key": acme.apiKey,
    "a refresh token": expired.refresh,
  };
  for (const [path, at] of [
    ["/mcp", "/mcp"],
    ["/mcp/readonly", "/mcp/readonly"],
  ] as const) {
    for (const [what, token] of Object.entries(tokens)) {
      if (path === "/mcp/readonly" && what === "one of the other address") continue;
      const { status, headers } = await listTools(kit, token, path);
      expect(status, what).toBe(401);
      const challenge = extractWWWAuthenticateParams(
        new Response(null, { headers: headers as Record<string, string> }),
      );
      expect(challenge, what).toEqual({
        resourceMetadataUrl: new URL(`${ISSUER}/.well-known/oauth-protected-resource${at}`),
        scope: "assist",
        ...(token !== undefined && { error: "invalid_token", errorDescription: expect.any(String) }),
      });
    }
  }
});

test("a token in the address counts for nothing", async () => {
  const robin = await registeredApp(kit);
  const { access } = await robin.connect(await admin.again());
  expect((await listTools(kit, undefined, `/mcp?access_token=${access}`)).status).toBe(401);
  expect((await listTools(kit, access)).status).toBe(200);
});

test("a preflight is answered before a token is asked for, and pages may read the challenge", async () => {
  for (const path of ["/oauth/token", "/oauth/register", "/oauth/revoke", ...SERVERS, RESOURCES[1][0]]) {
    const asked = { origin: "https://inspector.test", "access-control-request-method": "POST" };
    const { statusCode, headers } = await kit.app.http.inject({ method: "OPTIONS", url: path, headers: asked });
    expect([statusCode, headers["access-control-allow-origin"]], path).toEqual([204, "*"]);
    expect(headers).not.toHaveProperty("access-control-allow-credentials");
    expect(headers["access-control-allow-headers"]).toMatch(/content-type/);
  }
  for (const path of ["/mcp", "/mcp/readonly"]) {
    const own = { origin: "http://localhost:6274", host: "chat.test", "access-control-request-method": "POST" };
    const { statusCode, headers } = await kit.app.http.inject({ method: "OPTIONS", url: path, headers: own });
    expect([statusCode, headers["access-control-allow-origin"]]).toEqual([204, own.origin]);
    expect(headers["access-control-allow-headers"]).toMatch(/authorization.*mcp-protocol-version/);
    const refused = await listTools(kit, undefined, path, { origin: own.origin });
    expect([refused.status, refused.headers["access-control-allow-origin"]]).toEqual([401, own.origin]);
    expect(refused.headers["access-control-expose-headers"]).toMatch(/www-authenticate/);
    // The rule on origins stays.
    const foreign = { ...own, origin: "https://evil.test" };
    expect((await kit.app.http.inject({ method: "OPTIONS", url: path, headers: foreign })).statusCode).toBe(403);
  }
});
