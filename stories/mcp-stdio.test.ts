/** `frontdesk mcp` as hosts start it, driven by the official clients of both generations. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { tools } from "@frontdesk/core/contract/tools";
import { type Connection, connectAssistant } from "@frontdesk/testing/mcp-app";
import { request } from "@frontdesk/testing/mcp-requests";
import { openTestStorage, startTestApp } from "@frontdesk/testing/test-kit";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { root } from "./house/source-files.ts";

const FRONTDESK = join(root, "packages/server/bin/frontdesk.mjs");

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const acme = await kit.team();
const origin = await kit.app.start();
const { dataDir } = await openTestStorage();
/** A folder without data, where none may be created. */
const nowhere = join(dataDir, "nothing-here");

function programFor({ token }: Connection, ...args: string[]) {
  return {
    command: process.execPath,
    args: [FRONTDESK, "mcp", ...args],
    env: {
      PATH: process.env.PATH ?? "",
      FRONTDESK_TOKEN: token,
      PUBLIC_URL: origin,
      DATA_DIR: nowhere,
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing",
    },
  };
}

const us = { name: "test", version: "1" };

async function second(robin: Connection, mode: "auto" | "legacy", ...args: string[]): Promise<Client> {
  const client = new Client(us, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport(programFor(robin, ...args)));
  return client;
}

async function first(robin: Connection, ...args: string[]): Promise<FirstClient> {
  const client = new FirstClient(us);
  onTestFinished(() => client.close());
  // Its types do not support `exactOptionalPropertyTypes`.
  await client.connect(new FirstTransport(programFor(robin, ...args)) as Parameters<FirstClient["connect"]>[0]);
  return client;
}

const generations = {
  "the second generation's, by 2026-07-28": (robin: Connection, ...args: string[]) => second(robin, "auto", ...args),
  "the second generation's, by 2025-11-25": (robin: Connection, ...args: string[]) => second(robin, "legacy", ...args),
  "the first generation's": first,
};

for (const [name, connect] of Object.entries(generations)) {
  test(`${name} client lists and calls over standard input and output`, async () => {
    const robin = await connectAssistant(kit.app, acme);
    const client = await connect(robin);
    expect(client.getServerVersion()).toMatchObject({ name: "frontdesk" });
    expect((await client.listTools()).tools).toHaveLength(Object.keys(tools).length);
    expect((await client.callTool({ name: "view-tags" })).structuredContent).toEqual({ tags: [] });
    const unknown = { name: "get-conversation", arguments: { conversation_id: acme.widgetId } };
    expect(await client.callTool(unknown)).toMatchObject({
      isError: true,
      content: [{ text: "Conversation not found." }],
    });
    await expect(client.callTool({ name: "fly" })).rejects.toMatchObject({ code: -32_602 });

    await robin.setState("revoked");
    const refused = client.callTool({ name: "view-tags" });
    await expect(refused).rejects.toMatchObject({ code: 401, message: expect.stringContaining("FRONTDESK_TOKEN") });
    expect(existsSync(nowhere)).toBe(false);
  });
}

test("a client is notified over it that its list of tools has changed; with --read-only it has the reading tools", async () => {
  const robin = await connectAssistant(kit.app, acme);
  const client = await second(robin, "auto", "--url", origin, "--read-only");
  const reading = Object.values(tools).filter(({ annotations }) => annotations.readOnlyHint);
  expect((await client.listTools()).tools).toHaveLength(reading.length);
  let changes = 0;
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    changes += 1;
  });
  const subscription = await client.listen({ toolsListChanged: true });
  await robin.grant(["view_tags"]);
  await expect.poll(() => changes).toBe(1);
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["view-tags"]);
  await subscription.close();
  expect(await subscription.closed).toBe("local");
});

test("nothing but the protocol is said on standard output, and the end of the input ends it with code 0", async () => {
  const robin = await connectAssistant(kit.app, acme);
  const { code, stdout, stderr } = await run(
    { FRONTDESK_TOKEN: robin.token },
    ["--url", `${origin}/mcp`],
    `${JSON.stringify(request(1, "tools/list"))}\nno JSON\n`,
  );
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).id).toSorted()).toEqual([1, null]);
  expect([code, stderr]).toEqual([0, ""]);
});

async function run(env: Record<string, string>, args: string[], input: string) {
  const child = spawn(process.execPath, [FRONTDESK, "mcp", ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: nowhere, ...env },
  });
  child.stdin.end(input);
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { code, stdout, stderr };
}
