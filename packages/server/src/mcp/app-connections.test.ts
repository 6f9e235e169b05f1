/** The official clients connect by address alone, of both generations (A1, A11, A18; F2, F16, F20). */

import { freePort } from "@frontdesk/testing/free-port";
import { oauthApp, register } from "@frontdesk/testing/oauth-app";
import { type SignedIn, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { OAuthClientProvider as FirstProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { setAssistantState } from "../assistants/update-assistant.ts";

const port = String(await freePort());
const root = `http://127.0.0.1:${port}`;
const kit = await startTestApp({ PORT: port, PUBLIC_URL: root, TOOL_RATE_LIMIT: "100000" });
await kit.app.start();
const acme = await kit.team();
const admin = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
const us = { name: "test", version: "1" };
const REDIRECT = "http://localhost:54321/callback";

/** What a host keeps, and the person at its browser. */
function host(person: SignedIn, permissions: string[]) {
  const kept: Record<string, unknown> = {};
  const state: { answer?: URL; opened?: URL } = {};
  const provider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: "Robin", redirect_uris: [REDIRECT] },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client: unknown) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens: unknown) => void Object.assign(kept, { tokens }),
    invalidateCredentials: () => void Object.assign(kept, { tokens: undefined }),
    discoveryState: () => kept.discovery as never,
    saveDiscoveryState: (discovery: unknown) => void Object.assign(kept, { discovery }),
    codeVerifier: () => kept.verifier as string,
    saveCodeVerifier: (verifier: string) => void Object.assign(kept, { verifier }),
    async redirectToAuthorization(url: URL) {
      state.opened = url;
      const { headers } = await fetch(url, { redirect: "manual" });
      const query = new URL(headers.get("location") ?? "").searchParams.get("request");
      const chosen = { permissions, widgets: "all", channels: [], agent_id: null };
      const { body } = await (await person.again()).post("/connect", { query, ...chosen });
      state.answer = new URL(body.redirect_to);
    },
  };
  return { kept, state, provider };
}

const generations = {
  "the second generation": {
    async connect(path: string, permissions: string[]) {
      const { provider, state, kept } = host(admin, permissions);
      const transport = () =>
        new StreamableHTTPClientTransport(new URL(path, root), { authProvider: provider as OAuthClientProvider });
      const first = transport();
      await expect(new Client(us, { versionNegotiation: { mode: "auto" } }).connect(first)).rejects.toThrow();
      await first.finishAuth(state.answer?.searchParams as URLSearchParams);
      const client = new Client(us, { versionNegotiation: { mode: "auto" } });
      onTestFinished(() => client.close());
      await client.connect(transport());
      return { client, state, kept };
    },
  },
  "the first generation": {
    async connect(path: string, permissions: string[]) {
      const { provider, state, kept } = host(admin, permissions);
      const transport = () =>
        new FirstTransport(new URL(path, root), { authProvider: provider as unknown as FirstProvider });
      const first = transport();
      const connect = (client: FirstClient, by: FirstTransport) =>
        client.connect(by as Parameters<FirstClient["connect"]>[0]);
      await expect(connect(new FirstClient(us), first)).rejects.toThrow();
      await first.finishAuth(state.answer?.searchParams.get("code") ?? "");
      const client = new FirstClient(us);
      onTestFinished(() => client.close());
      await connect(client, transport());
      return { client, state, kept };
    },
  },
};

describe.each(Object.entries(generations))("%s", (_name, { connect }) => {
  test.each(["/mcp", "/mcp/readonly"])("connects to %s with nothing but the address", async (path) => {
    const { client, state, kept } = await connect(path, ["view_tags", "add_notes"]);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(path === "/mcp" ? ["view-tags", "add-note"] : ["view-tags"]);
    expect(state.opened?.searchParams.get("resource")).toBe(root + path);
    expect(state.answer?.searchParams.get("iss")).toBe(root);
    expect((await client.callTool({ name: "view-tags", arguments: {} })).isError).not.toBe(true);
    expect(kept.tokens).toMatchObject({ token_type: "Bearer", refresh_token: expect.stringMatching(/^fd_refresh_/) });
  });

  test("a permission that is missing is a sentence in the result, and works once it is given, without a new sign-in", async () => {
    const { client, state } = await connect("/mcp", ["view_tags"]);
    state.opened = undefined as never;
    const note = { name: "search-contacts", arguments: { query: "vera" } };
    const refused = await client.callTool(note);
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toMatch(/search_contacts permission/);
    const { data } = (await acme.get("/assistants?limit=100")).body;
    const { id } = data.find(
      ({ attributes: { app, state: is } }: { attributes: { app: { resource: string } | null; state: string } }) =>
        app?.resource === "mcp" && is === "active",
    );
    await acme.patch(`/assistants/${id}`, { permissions: ["view_tags", "search_contacts"] });
    expect((await client.callTool(note)).isError).not.toBe(true);
    expect(state.opened).toBeUndefined();
  });

  test("a dead access token is refreshed without a person, and a revoked connection asks for one", async () => {
    const { client, state, kept } = await connect("/mcp", ["view_tags"]);
    const before = kept.tokens as { access_token: string };
    state.opened = undefined as never;
    kit.clock.advance(24 * 60 * 60_000);
    expect((await client.listTools()).tools).toHaveLength(1);
    expect(kept.tokens).not.toMatchObject({ access_token: before.access_token });
    expect(state.opened).toBeUndefined();

    const { data } = (await acme.get("/assistants?limit=100")).body;
    for (const { id, attributes } of data)
      if (attributes.app) await kit.app.perform(acme.actor, setAssistantState, { assistantId: id, state: "revoked" });
    await client.callTool({ name: "view-tags", arguments: {} }).catch(() => {});
    expect((state.opened as URL | undefined)?.pathname).toBe("/oauth/authorize");
  });
});

test("a stream of the official form ends with the connection", async () => {
  const { body } = await register(kit, { client_name: "Listener", redirect_uris: [REDIRECT] });
  const app = oauthApp(kit, { clientId: body.client_id, redirectUri: REDIRECT });
  const { access } = await app.connect(await admin.again(), {}, { resource: `${root}/mcp` });
  const META = "io.modelcontextprotocol/";
  const listen = { jsonrpc: "2.0", id: "s1", method: "subscriptions/listen" };
  const envelope = { [`${META}protocolVersion`]: "2026-07-28", [`${META}clientCapabilities`]: {} };
  const answer = await fetch(`${root}/mcp`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${access}`, "content-type": "application/json" },
      ...{ accept: "application/json, text/event-stream" },
      ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" },
    },
    body: JSON.stringify({ ...listen, params: { notifications: { toolsListChanged: true }, _meta: envelope } }),
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toMatch(/event-stream/);
  let ended = false;
  void answer.text().then(
    () => (ended = true),
    () => (ended = true),
  );
  const { data } = (await acme.get("/assistants?limit=100")).body;
  const { id } = data.find(({ attributes }: { attributes: { name: string } }) => attributes.name === "Listener");
  expect(ended).toBe(false);
  await acme.post(`/assistants/${id}/revoke`);
  await expect.poll(() => ended).toBe(true);
});
