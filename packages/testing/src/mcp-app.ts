/** Assistants over real HTTP: a listening app, connections to it, and a proxy for programs that send no token. */
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { type App, createApp } from "@frontdesk/server";
import { createAssistant, type NewAssistant } from "@frontdesk/server/assistants/create-assistant";
import { setAssistantState, updateAssistant } from "@frontdesk/server/assistants/update-assistant";
import { readSettings } from "@frontdesk/server/config";
import type { McpFixtures } from "@frontdesk/server/mcp/mcp-routes";
import { openStorage } from "@frontdesk/server/storage/open-storage";
import { pino } from "pino";
import { afterAll } from "vitest";
import { addressOf } from "./second-app.ts";
import type { TestApp, TestTeam } from "./test-kit.ts";

/** A connection as an assistant gets it. */
export interface Connection {
  id: string;
  token: string;
  /** Changes its permissions. */
  grant(permissions: string[]): Promise<unknown>;
  setState(state: "active" | "paused" | "revoked"): Promise<unknown>;
}

/** Creates a connection with all permissions that speaks as Ada, unless given otherwise. */
export async function connectAssistant(
  app: App,
  { actor, ada }: Pick<TestTeam, "actor" | "ada">,
  asked: Partial<NewAssistant> = {},
): Promise<Connection> {
  const everything = { name: "Robin", permissions: "all", widgets: "all", channels: "all", agentId: ada.id } as const;
  const { assistant, token } = await app.perform(actor, createAssistant, { ...everything, ...asked });
  return {
    id: assistant.id,
    token,
    grant: (permissions) => app.perform(actor, updateAssistant, { assistantId: assistant.id, change: { permissions } }),
    setState: (state) => app.perform(actor, setAssistantState, { assistantId: assistant.id, state }),
  };
}

/**
 * Another process's app on the data of a test app: with its own storage, listening; closed after the test file.
 *
 * @returns `origin`: `http://127.0.0.1:PORT`
 */
export async function listenBeside(
  { storage, runtime }: Pick<TestApp, "storage" | "runtime">,
  { env = {}, mcpFixtures }: { env?: Record<string, string>; mcpFixtures?: McpFixtures } = {},
): Promise<{ app: App; origin: string }> {
  const defaults = { PUBLIC_URL: "https://chat.test", HOST: "127.0.0.1", PORT: "0", TOOL_RATE_LIMIT: "100000" };
  const app = createApp({
    settings: readSettings({ ...defaults, ...env }),
    storage: openStorage(await addressOf(storage)),
    runtime,
    logger: pino({ level: process.env.TEST_LOG ?? "silent" }),
    ...(mcpFixtures && { mcpFixtures }),
  });
  await app.http.ready();
  afterAll(() => app.close().catch(() => {}));
  return { app, origin: await app.start() };
}

/**
 * A proxy in front of `origin` that adds the token to each request, for programs that cannot send one. Everything else is
 * unchanged, including `Host` and `Origin`.
 *
 * @returns its own origin
 */
export async function tokenProxy(origin: string, token: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const proxy = createServer((asked: IncomingMessage, answer: ServerResponse) => {
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const onward = httpRequest({ hostname, port, method: asked.method, path: asked.url, headers, agent: false });
    onward.on("response", (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      pipeline(given, answer, () => {});
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  afterAll(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://localhost:${(proxy.address() as AddressInfo).port}`;
}
