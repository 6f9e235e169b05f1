/** Hand-made MCP requests that no client library would send: single messages, batches, and raw streams. */
import { once } from "node:events";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import type { Connection } from "./mcp-app.ts";
import { overTheWire, type WireAnswer } from "./second-app.ts";

const META = "io.modelcontextprotocol/";
const MODERN = "2026-07-28";

export interface Message {
  jsonrpc: "2.0";
  id?: string | number;
  method: string;
  params?: Record<string, unknown>;
}

/** A request of the 2025 revisions. */
export function request(id: string | number, method: string, params: Record<string, unknown> = {}): Message {
  return { jsonrpc: "2.0", id, method, params };
}

/** The same for revision 2026-07-28: it contains its sender and its revision. */
export function modern({ params, ...message }: Message): Message {
  const _meta = { [`${META}protocolVersion`]: MODERN, [`${META}clientCapabilities`]: {} };
  return { ...message, params: { ...params, _meta } };
}

/** The headers of a message. */
export function headersOf(body: unknown, { token }: Pick<Connection, "token">): Record<string, string> {
  const { method, params } = (body ?? {}) as Partial<Message>;
  const isModern = JSON.stringify(params?._meta ?? {}).includes(MODERN);
  return {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(isModern && { "mcp-protocol-version": MODERN, "mcp-method": String(method) }),
    ...(isModern && typeof params?.name === "string" && { "mcp-name": params.name }),
  };
}

/** Sends a body over a new connection; a string is sent unchanged. */
export function post(
  origin: string,
  connection: Pick<Connection, "token">,
  body: unknown,
  { path = "/mcp", headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<WireAnswer> {
  return overTheWire(origin, {
    method: "POST",
    path,
    headers: { ...headersOf(body, connection), ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** The JSON-RPC messages in an answer, also in an event stream. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any answer
export function messagesIn(answer: Pick<WireAnswer, "headers" | "text">): any[] {
  if (!answer.headers["content-type"]?.startsWith("text/event-stream")) return [JSON.parse(answer.text)].flat();
  return [...answer.text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data as string));
}

/** A stream that notifies a connection of changes. */
export interface OpenStream {
  /** The received messages, the acknowledgement first. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  frames: any[];
  /** How it ended; undefined while it is open. */
  ended(): "ended" | "broken" | undefined;
  /** Disconnects without notice. */
  leave(): void;
}

/** Opens a stream; resolves when it is acknowledged. */
export async function openStream(
  origin: string,
  connection: Pick<Connection, "token">,
  id = "s1",
): Promise<OpenStream> {
  const body = modern(request(id, "subscriptions/listen", { notifications: { toolsListChanged: true } }));
  const asked = begin(origin, connection, body);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`No stream: ${answer.statusCode} ${await text(answer)}`);
  const frames: unknown[] = [];
  let ended: "ended" | "broken" | undefined;
  let rest = "";
  answer.setEncoding("utf8").on("data", (chunk: string) => {
    const events = (rest + chunk).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1];
      if (data) frames.push(JSON.parse(data));
    }
  });
  answer.on("error", () => {});
  answer.on("close", () => {
    ended = answer.complete ? "ended" : "broken";
  });
  await expect.poll(() => frames.length).toBeGreaterThan(0);
  return { frames, ended: () => ended, leave: () => void asked.destroy() };
}

/** Sends a message over a new connection, and returns the request, which the caller may destroy. */
export function begin(origin: string, connection: Pick<Connection, "token">, body: unknown): ClientRequest {
  const { hostname, port } = new URL(origin);
  const headers = headersOf(body, connection);
  const asked = httpRequest({ hostname, port, method: "POST", path: "/mcp", headers, agent: false });
  asked.on("error", () => {});
  asked.end(JSON.stringify(body));
  return asked;
}
