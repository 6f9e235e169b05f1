/** How the hosts of today ask: their registrations, redirects and requests as they were recorded, from the question to the first call. */
import { sharedAuthority } from "@frontdesk/testing/certificates";
import { namesOf, startReceiver, status } from "@frontdesk/testing/https-receiver";
import { ISSUER, listTools, type OAuthApp, oauthApp, type Query, register } from "@frontdesk/testing/oauth-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const authority = sharedAuthority();
const { lookup } = namesOf({ "receiver.test": ["127.0.0.1"] });
const site = await startReceiver({ authority });
const kit = await startTestApp({}, { extraCa: authority.ca, lookup, imageNetworks: ["127.0.0.0/8"] });
const acme = await kit.team();
const admin = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");

interface Host {
  /** What it registers with; or its document, which it is known by. */
  registers?: object;
  document?: object;
  redirects: string[];
  /** What is unusual about its request. */
  asks?: Query;
  /** Old ones leave it out when they exchange the code. */
  exchanges?: Query;
}

const confidential = { grant_types: ["authorization_code", "refresh_token"], response_types: ["code"] };
const hosts: Record<string, Host> = {
  "claude.ai, by its document": {
    document: {
      ...{
        client_name: "Claude",
        client_uri: "https://claude.ai",
        token_endpoint_auth_method: "none",
        ...confidential,
      },
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
    },
    redirects: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
    asks: { scope: "assist" },
  },
  "claude.ai, by registration": {
    registers: {
      ...{
        client_name: "Claude",
        token_endpoint_auth_method: "client_secret_post",
        scope: "claudeai",
        ...confidential,
      },
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
    },
    redirects: ["https://claude.ai/api/mcp/auth_callback"],
    asks: { scope: "claudeai offline_access" },
  },
  "Claude Code": {
    document: {
      ...{ client_name: "Claude Code", token_endpoint_auth_method: "none", ...confidential },
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
    },
    redirects: ["http://localhost:3118/callback", "http://localhost:54212/callback"],
  },
  ChatGPT: {
    document: {
      ...{ client_name: "ChatGPT", token_endpoint_auth_method: "private_key_jwt", ...confidential },
      ...{
        token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
        jwks_uri: "https://chatgpt.com/jwks.json",
      },
      redirect_uris: ["https://chatgpt.com/connector/oauth/abc123"],
    },
    redirects: ["https://chatgpt.com/connector/oauth/abc123"],
  },
  Codex: {
    document: {
      ...{ client_name: "Codex", token_endpoint_auth_method: "none", application_type: "native" },
      redirect_uris: ["http://127.0.0.1/callback/x9"],
    },
    redirects: ["http://127.0.0.1:1455/callback/x9", "http://127.0.0.1:49152/callback/x9"],
  },
  "Codex, an old one": {
    registers: {
      client_name: "Codex",
      redirect_uris: ["http://127.0.0.1:5555/callback"],
      token_endpoint_auth_method: "none",
    },
    redirects: ["http://127.0.0.1:5555/callback"],
    asks: { resource: undefined },
    exchanges: { resource: undefined },
  },
  Cursor: {
    registers: {
      ...{
        client_name: "Cursor",
        client_uri: "https://cursor.com",
        token_endpoint_auth_method: "none",
        ...confidential,
      },
      redirect_uris: [
        ...["cursor://anysphere.cursor-mcp/oauth/callback", "https://www.cursor.com/agents/mcp/oauth/callback"],
        "http://localhost:8787/callback",
      ],
    },
    redirects: [
      ...["cursor://anysphere.cursor-mcp/oauth/callback", "https://www.cursor.com/agents/mcp/oauth/callback"],
      "http://localhost:8787/callback",
    ],
  },
  "VS Code": {
    document: {
      ...{ client_name: "Visual Studio Code", token_endpoint_auth_method: "none", application_type: "native" },
      redirect_uris: ["https://vscode.dev/redirect", "http://127.0.0.1/", "http://127.0.0.1:33418/"],
    },
    redirects: ["https://vscode.dev/redirect", "http://127.0.0.1:33418/", "http://127.0.0.1:40000/"],
  },
  "VS Code, by registration": {
    registers: {
      ...{ client_name: "Visual Studio Code", application_type: "native", ...confidential },
      redirect_uris: ["https://vscode.dev/redirect", "http://127.0.0.1:33418/", "http://127.0.0.1:33418"],
    },
    redirects: ["https://vscode.dev/redirect", "http://127.0.0.1:33418/"],
  },
  "Gemini CLI": {
    registers: {
      ...{ client_name: "Gemini CLI MCP Client", token_endpoint_auth_method: "none", code_challenge_method: ["S256"] },
      ...{ redirect_uris: ["http://localhost:7777/oauth/callback"], ...confidential, scope: "" },
    },
    redirects: ["http://localhost:7777/oauth/callback", "http://localhost:60123/oauth/callback"],
  },
  "Inspector, in the browser": {
    registers: {
      client_name: "MCP Inspector",
      redirect_uris: ["http://localhost:6274/oauth/callback"],
      client_uri: "https://github.com/modelcontextprotocol/inspector",
    },
    redirects: ["http://localhost:6274/oauth/callback"],
  },
  "Inspector, at the command line": {
    registers: { client_name: "MCP Inspector CLI", redirect_uris: ["http://127.0.0.1:6276/oauth/callback"] },
    redirects: ["http://127.0.0.1:6276/oauth/callback"],
  },
};

async function clientIdOf({ registers, document }: Host): Promise<string> {
  if (registers) {
    const { status: given, body } = await register(kit, registers);
    expect(given).toBe(201);
    expect(body.redirect_uris.length).toBe((registers as { redirect_uris: string[] }).redirect_uris.length);
    return body.client_id;
  }
  const clientId = site.url(`/oauth/${JSON.stringify(document).length}-client.json`).href;
  site.answers(
    status(200, { "content-type": "application/json" }, JSON.stringify({ client_id: clientId, ...document })),
  );
  return clientId;
}

test.each(Object.entries(hosts))("%s connects, refreshes and connects again", async (_name, host) => {
  const clientId = await clientIdOf(host);
  const used: OAuthApp[] = [];
  for (const redirectUri of host.redirects) {
    const app = oauthApp(kit, { clientId, redirectUri });
    const { code, verifier, back } = await app.code(admin, {}, host.asks);
    expect(back.href.startsWith(redirectUri)).toBe(true);
    expect(back.searchParams.get("iss")).toBe(ISSUER);
    const { status: given, body } = await app.exchange({ code, verifier }, host.exchanges);
    expect(given).toBe(200);
    expect((await listTools(kit, body.access_token)).status).toBe(200);
    const renewed = await app.refresh(body.refresh_token, host.exchanges);
    expect(renewed.status).toBe(200);
    expect((await listTools(kit, renewed.body.access_token)).status).toBe(200);
    used.push(app);
  }
  expect(used).toHaveLength(host.redirects.length);
});

test("each host is one connection, however often it was connected and by whatever port", async () => {
  const { data } = (await acme.get("/assistants?limit=100")).body;
  const names = data.map(({ attributes }: { attributes: { name: string } }) => attributes.name);
  expect(names.toSorted()).toEqual(
    [
      ...["Claude", "Claude", "Claude Code", "ChatGPT", "Codex", "Codex", "Cursor"],
      ...["Visual Studio Code", "Visual Studio Code", "Gemini CLI MCP Client", "MCP Inspector", "MCP Inspector CLI"],
    ].toSorted(),
  );
});
