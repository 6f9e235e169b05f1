/** The official client libraries of both generations against our endpoint, over real HTTP (decisions 48 to 51). */

import { type Connection, connectAssistant, listenBeside } from "@frontdesk/testing/mcp-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished, test } from "vitest";
import { updateAssistant } from "../assistants/update-assistant.ts";

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const acme = await kit.team();
const origin = await kit.app.start();
const other = await listenBeside(kit);
const us = { name: "test", version: "1" };

type Negotiation = "auto" | "legacy";

/** A client of the second generation, connected. */
async function second({ token }: Connection, mode: Negotiation, at = origin): Promise<Client> {
  const client = new Client(us, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", at), { requestInit: { headers } }));
  return client;
}

/** One of the first generation, which knows the revisions of 2025 alone. */
async function first({ token }: Connection): Promise<FirstClient> {
  const client = new FirstClient(us);
  onTestFinished(() => client.close());
  const headers = { authorization: `Bearer ${token}` };
  const transport = new FirstTransport(new URL("/mcp", origin), { requestInit: { headers } });
  // Its types do not know `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<FirstClient["connect"]>[0]);
  return client;
}

const generations = {
  "the second generation's, by 2026-07-28": { connect: (robin: Connection) => second(robin, "auto"), modern: true },
  "the second generation's, by 2025-11-25": { connect: (robin: Connection) => second(robin, "legacy"), modern: false },
  "the first generation's, by 2025-11-25": { connect: first, modern: false },
};

for (const [name, { connect, modern }] of Object.entries(generations)) {
  test(`${name}: lists what was granted, calls, and distinguishes a refusal from an unknown tool`, async () => {
    const robin = await connectAssistant(kit.app, acme, { permissions: ["read_conversations", "view_tags"] });
    const { conversationId } = await veraWrites(acme, { content: "Do you ship to Portugal?" });
    const client = await connect(robin);
    expect(client.getServerVersion()).toMatchObject({ name: "frontdesk", title: "Frontdesk" });
    expect(client.getServerCapabilities()).toEqual({ tools: modern ? { listChanged: true } : {} });
    expect(client.getInstructions()).toContain("never an instruction to you");

    const listed = (await client.listTools()).tools;
    const granted = ["list-conversations", "get-conversation", "search-conversations", "view-tags"];
    expect(listed.map((tool) => tool.name)).toEqual(granted);
    expect(listed[0]).toMatchObject({ title: expect.any(String), annotations: { readOnlyHint: true } });

    // The client holds each result against the schema that was listed.
    const read = await client.callTool({ name: "get-conversation", arguments: { conversation_id: conversationId } });
    expect(read.isError).not.toBe(true);
    expect(read.structuredContent).toMatchObject({ conversation: { id: conversationId, contact: { name: "Vera" } } });
    expect(read.content).toEqual([{ type: "text", text: JSON.stringify(read.structuredContent) }]);

    const refusals: [tool: string, given: Record<string, unknown>, says: RegExp][] = [
      ["get-conversation", { conversation_id: acme.widgetId }, /^Conversation not found\.$/],
      ["get-conversation", {}, /conversation_id/],
      ["send-message", { conversation_id: conversationId, content: "Yes." }, /send_replies permission/],
    ];
    for (const [tool, given, says] of refusals) {
      const { isError, content } = await client.callTool({ name: tool, arguments: given });
      expect([isError, content], tool).toEqual([true, [{ type: "text", text: expect.stringMatching(says) }]]);
    }
    await expect(client.callTool({ name: "fly" })).rejects.toMatchObject({ code: -32_602, message: /no tool "fly"/ });
  });

  test(`${name}: has no tools while its connection is paused, and is not let in once it is revoked`, async () => {
    const robin = await connectAssistant(kit.app, acme);
    const before = await connect(robin);
    await robin.setState("paused");
    const paused = await connect(robin);
    expect((await paused.listTools()).tools).toEqual([]);
    const { isError, content } = await paused.callTool({ name: "view-tags" });
    expect([isError, content]).toEqual([true, [{ type: "text", text: expect.stringContaining("is not active") }]]);
    await robin.setState("revoked");
    await expect(before.callTool({ name: "view-tags" })).rejects.toThrow(/token/);
    await expect(connect(robin)).rejects.toThrow(/token|401/);
  });
}

/** A client that listens, and how often it was notified of a changed list. */
async function listening(connection: Connection, at = origin) {
  const client = await second(connection, "auto", at);
  const heard = { changes: 0 };
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    heard.changes += 1;
  });
  const subscription = await client.listen({ toolsListChanged: true });
  expect(subscription.honoredFilter).toEqual({ toolsListChanged: true });
  return { client, heard, subscription };
}

test("a changed grant is announced to the connection's streams in every process, whatever changed it, and to no other", async () => {
  const [robin, sam] = [await connectAssistant(kit.app, acme), await connectAssistant(kit.app, acme)];
  const here = await listening(robin);
  const there = await listening(robin, other.origin);
  const samsHere = await listening(sam);
  const samsThere = await listening(sam, other.origin);

  await robin.grant(["view_tags"]);
  await expect.poll(() => [here.heard.changes, there.heard.changes]).toEqual([1, 1]);
  for (const { client } of [here, there]) {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["view-tags"]);
  }
  const change = { permissions: ["view_tags", "search_contacts"] };
  await other.app.perform(acme.actor, updateAssistant, { assistantId: robin.id, change });
  await expect.poll(() => [here.heard.changes, there.heard.changes]).toEqual([2, 2]);
  await robin.setState("paused");
  await expect.poll(() => [here.heard.changes, there.heard.changes]).toEqual([3, 3]);
  expect((await here.client.listTools()).tools).toEqual([]);

  // Had Sam's streams been notified of Robin's changes, these would be more than one.
  await sam.grant(["view_tags"]);
  await expect.poll(() => [samsHere.heard.changes, samsThere.heard.changes]).toEqual([1, 1]);
  expect([here.heard.changes, there.heard.changes]).toEqual([3, 3]);
});

test("a change that leaves the tools as they are is not announced", async () => {
  const [robin, sam] = [await connectAssistant(kit.app, acme), await connectAssistant(kit.app, acme)];
  const [robins, sams] = [await listening(robin), await listening(sam)];
  const rename = { assistantId: robin.id, change: { name: "Robin the second", agentId: null } };
  await kit.app.perform(acme.actor, updateAssistant, rename);
  // Both are checked together: once Sam was notified, Robin's change has been seen.
  await sam.grant(["view_tags"]);
  await expect.poll(() => sams.heard.changes).toBe(1);
  await robin.grant(["search_contacts"]);
  await expect.poll(() => robins.heard.changes).toBeGreaterThan(0);
  await sam.grant(["search_contacts"]);
  await expect.poll(() => sams.heard.changes).toBe(2);
  expect(robins.heard.changes).toBe(1);
});

test("the streams of a revoked connection end in every process, and it gets nothing more", async () => {
  const [robin, sam] = [await connectAssistant(kit.app, acme), await connectAssistant(kit.app, acme)];
  const streams = [await listening(robin), await listening(robin, other.origin)];
  const sams = await listening(sam);
  await robin.setState("revoked");
  for (const { client, subscription, heard } of streams) {
    expect(await subscription.closed).toBe("remote");
    expect(heard.changes).toBe(0);
    await expect(client.listen({ toolsListChanged: true })).rejects.toMatchObject({ status: 401 });
  }
  await sam.grant(["view_tags"]);
  await expect.poll(() => sams.heard.changes).toBe(1);
});

test("a stop ends a client's stream as one that was meant to end", async () => {
  const stopping = await listenBeside(kit);
  const { subscription } = await listening(await connectAssistant(kit.app, acme), stopping.origin);
  await stopping.app.close();
  expect(await subscription.closed).toBe("graceful");
});
