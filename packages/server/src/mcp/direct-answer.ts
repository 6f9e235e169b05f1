import type { IncomingHttpHeaders } from "node:http";
import { listText } from "../tools/list-text.ts";
import {
  type CallResult,
  callResult,
  LIST_CACHE,
  listed,
  SERVER_INFO,
  type ServedRequest,
  unknownTool,
} from "./tool-server.ts";

/** A request that is answered without the SDK. */
export interface KnownRequest {
  id: string | number;
  /** Undefined: the list is requested. */
  call?: { name: string; given: unknown };
  /** By revision 2026-07-28, whose results contain more. */
  modern: boolean;
}

const MODERN = "2026-07-28";
const LEGACY: readonly unknown[] = [undefined, "2025-03-26", "2025-06-18", "2025-11-25"];
const META = "io.modelcontextprotocol/";
const MEMBERS = ["jsonrpc", "id", "method", "params"];
/** What the envelope of a request says; other members, a log level for example, are left to the SDK. */
const ENVELOPE = [`${META}protocolVersion`, `${META}clientCapabilities`, `${META}clientInfo`];
const CLIENT_INFO = ["name", "version", "title"];
/** The two members of capabilities that are no objects. */
const CAPABILITY_FLAGS = ["listChanged", "applyDefaults"];

/**
 * A single call of a tool, or request for the list, in its plainest form: nearly all that assistants send. Everything else, and
 * anything unusual, is left to the SDK: then undefined.
 *
 * The SDK spends about three times as long on such a request as the tool itself (docs/decisions/0019); a test compares both
 * answers.
 */
export function knownRequest(headers: IncomingHttpHeaders, body: unknown): KnownRequest | undefined {
  if (!isObject(body) || body.jsonrpc !== "2.0" || !isId(body.id) || !isObject(body.params)) return undefined;
  if (!holdsOnly(body, MEMBERS)) return undefined;
  const { accept = "", "mcp-protocol-version": version, "mcp-method": method, "mcp-name": name } = headers;
  if (!accept.includes("application/json") || !accept.includes("text/event-stream")) return undefined;

  const { _meta: meta = {}, ...params } = body.params;
  if (!isObject(meta) || (meta.progressToken !== undefined && !isId(meta.progressToken))) return undefined;
  const modern = version === MODERN && meta[`${META}protocolVersion`] === MODERN && method === body.method;
  if (modern ? !isPlainEnvelope(meta) : !LEGACY.includes(version) || speaksOfEnvelope(meta)) return undefined;

  const named = Object.keys(params);
  if (body.method === "tools/list") return named.length === 0 ? { id: body.id, modern } : undefined;
  if (body.method !== "tools/call" || typeof params.name !== "string") return undefined;
  if (modern && name !== params.name) return undefined;
  if (named.some((key) => key !== "name" && key !== "arguments")) return undefined;
  if (params.arguments !== undefined && !isObject(params.arguments)) return undefined;
  return { id: body.id, call: { name: params.name, given: params.arguments }, modern };
}

/** The JSON-RPC answer as text. */
export async function directAnswer({ id, call, modern }: KnownRequest, request: ServedRequest): Promise<string> {
  if (!call) {
    return answerText(id, `"tools":${listText(listed(request.caller)).text}${modern ? `${CACHE}${COMPLETE}` : ""}`);
  }
  const result = await callResult(request, call.name, call.given);
  if (result === undefined) {
    const { code, message } = unknownTool(call.name);
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify({ code, message })}}`;
  }
  return answerText(id, `${resultText(result)}${modern ? COMPLETE : ""}`);
}

const COMPLETE = `,"resultType":"complete","_meta":${JSON.stringify({ [`${META}serverInfo`]: SERVER_INFO })}`;
const CACHE = `,"ttlMs":${LIST_CACHE.ttlMs},"cacheScope":"${LIST_CACHE.cacheScope}"`;

const answerText = (id: string | number, members: string): string =>
  `{"result":{${members}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;

/** A result is in its answer twice, as data and as text: it is serialised once. */
function resultText({ text, isError }: CallResult): string {
  const content = `"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
  return isError ? `${content},"isError":true` : `${content},"structuredContent":${text}`;
}

/** What a request of 2026-07-28 has to contain about its client, in the plainest form. */
function isPlainEnvelope(meta: Record<string, unknown>): boolean {
  const info = meta[`${META}clientInfo`] ?? { name: "", version: "" };
  return (
    Object.keys(meta).every((name) => !name.startsWith(META) || ENVELOPE.includes(name)) &&
    arePlainCapabilities(meta[`${META}clientCapabilities`]) &&
    isObject(info) &&
    holdsOnly(info, CLIENT_INFO) &&
    typeof info.name === "string" &&
    typeof info.version === "string" &&
    (info.title === undefined || typeof info.title === "string")
  );
}

/** Nested objects, except for booleans. */
function arePlainCapabilities(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([name, member]) =>
    CAPABILITY_FLAGS.includes(name) ? typeof member === "boolean" : arePlainCapabilities(member),
  );
}

const holdsOnly = (value: object, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name));

const speaksOfEnvelope = (meta: Record<string, unknown>): boolean =>
  Object.keys(meta).some((name) => name.startsWith(META));

const isId = (id: unknown): id is string | number => typeof id === "string" || Number.isSafeInteger(id);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
