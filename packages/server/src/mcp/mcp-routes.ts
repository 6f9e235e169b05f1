import { AsyncLocalStorage } from "node:async_hooks";
import type { AppResource } from "@frontdesk/core/domain/app-resource";
import { assistantPermissionNames } from "@frontdesk/core/domain/assistant-permissions";
import { because } from "@frontdesk/core/domain/reasons";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { createMcpHandler, type Server } from "@modelcontextprotocol/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AssistantDoor, KnownAssistant } from "../access/authenticate.ts";
import { knownError, sendError } from "../http/framework/answer-error.ts";
import { bearerToken } from "../http/framework/bearer-token.ts";
import { HttpProblem } from "../http/framework/http-problem.ts";
import { connectionOf, type ToolDoor } from "../http/tools/tool-door.ts";
import { toolRefusalStatus } from "../http/tools/tool-refusal-status.ts";
import type { Timeouts } from "../timeouts.ts";
import type { Caller, CallTool } from "../tools/tool-gate.ts";
import { viewOf } from "../tools/view.ts";
import { directAnswer, knownRequest } from "./direct-answer.ts";
import { createListChanges, type Listener } from "./list-changes.ts";
import { type ServedRequest, toolServer } from "./tool-server.ts";

/** The most messages in one request: only the oldest revision has batches, and long ones are not used. */
const BATCH_MAX = 50;

const JSON_TYPE = "application/json; charset=utf-8";

/** JSON-RPC's codes for errors before the protocol; HTTP's own numbers are outside of the reserved ranges. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** Adds to the server of one request, before it serves. */
export type McpFixtures = (server: Server) => void;

export interface McpServices {
  door: ToolDoor;
  callTool: CallTool;
  authenticate: { assistant(token: string | undefined, door: AssistantDoor): Promise<KnownAssistant> };
  timeouts: Timeouts;
  now(): number;
  /** Changes when a grant has changed. */
  accessVersion(): string | undefined;
  /** See `createApp`. */
  fixtures?: McpFixtures | undefined;
}

/** A request while the SDK serves it. */
interface Served extends ServedRequest {
  listener: Listener;
}

/**
 * MCP over Streamable HTTP (decision 48): `/mcp`, and `/mcp/readonly` with the tools that only read. Stateless: each request is
 * independent, in revision 2026-07-28 and in those of 2025.
 */
export async function mcpRoutes(
  app: FastifyInstance,
  { door, callTool, authenticate, timeouts, now, accessVersion, fixtures }: McpServices,
) {
  // The SDK does not pass the caller of a request to the function that opens streams.
  const served = new AsyncLocalStorage<Served>();
  const changes = createListChanges({ version: accessVersion, opening: () => served.getStore()?.listener });
  const factory = ({ era }: { era: "legacy" | "modern" }) => {
    const request = served.getStore();
    if (!request) throw new Error("A request was served without saying whose it is.");
    const server = toolServer(request, { pushes: era === "modern" });
    fixtures?.(server);
    return server;
  };
  const onerror = (error: Error) => app.log.debug({ err: error }, "An MCP request was refused.");
  // Two, because a stop ends streams at once, and lets calls finish.
  const calls = createMcpHandler(factory, { onerror });
  // Streams are bounded for each connection and team. The SDK's own 1,024 would be one limit for all teams, which one of them
  // could use up.
  const streams = createMcpHandler(factory, { onerror, bus: changes, maxSubscriptions: Number.POSITIVE_INFINITY });
  let stopping = false;
  app.addHook("preClose", async () => {
    stopping = true;
    await streams.close();
  });
  app.addHook("onClose", () => calls.close());
  app.decorateRequest("connection");
  app.setErrorHandler(answerMcpError);

  for (const [path, resource] of [
    ["/mcp", "mcp"],
    ["/mcp/readonly", "readonly"],
  ] as const) {
    const readOnly = resource === "readonly";
    // Pages on this machine may call it, such as the Inspector's: their browser asks before it sends a token.
    app.options(path, async (request, reply) => {
      door.checkOrigin(request, reply);
      const { origin = "*" } = request.headers;
      return reply
        .headers({ ...PREFLIGHT, ...crossOrigin(origin) })
        .code(204)
        .send();
    });
    const enter = async (request: FastifyRequest, reply: FastifyReply) => {
      door.checkOrigin(request, reply);
      if (request.headers.origin !== undefined) reply.headers(crossOrigin(request.headers.origin));
      await door.enter(request, reply, resource);
    };
    app.post(path, { onRequest: enter }, async (request, reply) => {
      await door.count(request, reply, requestsIn(request.body));
      const caller = { connection: connectionOf(request), readOnly };
      const onFault = (error: unknown) => knownError(error, request).message;
      const serving = { caller, callTool, onFault };
      const known = fixtures ? undefined : knownRequest(request.headers, request.body);
      if (known) return reply.type(JSON_TYPE).send(await directAnswer(known, serving));
      return answerBySdk(request, reply, serving, resource);
    });
  }

  async function answerBySdk(
    request: FastifyRequest,
    reply: FastifyReply,
    serving: ServedRequest,
    resource: AppResource,
  ) {
    const { caller } = serving;
    const opensStream = methodOf(request.body) === "subscriptions/listen";
    if (opensStream && stopping) throw new HttpProblem(503, "http.stopping");
    const handler = opensStream ? streams : calls;
    const gone = new AbortController();
    // An answer that is complete has nothing left to cancel.
    reply.raw.once("close", () => reply.raw.writableFinished || gone.abort());
    const { actor, token } = caller.connection;
    const { teamId, assistantId } = actor;
    // A stream ends with the token that has opened it.
    if (opensStream && token)
      reply.raw.once(
        "close",
        timeouts.after(token.endsAt - now(), () => gone.abort()),
      );
    const listener = {
      teamId,
      assistantId,
      seen: listWord(caller),
      look: () => listWordNow(request, resource),
      end: () => gone.abort(),
    };
    const asked = new Request("http://mcp/", { method: "POST", headers: webHeaders(request), signal: gone.signal });
    const answer = await served.run({ ...serving, listener }, () => handler.fetch(asked, { parsedBody: request.body }));
    return isStream(answer) ? answer : sendWhole(answer, reply);
  }

  async function listWordNow(request: FastifyRequest, resource: AppResource): Promise<string | undefined> {
    try {
      const connection = await authenticate.assistant(bearerToken(request), resource);
      return listWord({ connection, readOnly: resource === "readonly" });
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }
}

/** What a page may send, by the protocol. */
const PREFLIGHT = {
  "access-control-allow-methods": "POST",
  "access-control-allow-headers":
    "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id",
  "access-control-max-age": "600",
};

/** For a page whose origin was checked: others never get here. */
const crossOrigin = (origin: string): Record<string, string> => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": "www-authenticate, retry-after",
  vary: "origin",
});

/** A fingerprint of the tools that a caller is shown. */
function listWord(caller: Caller): string {
  const { permissions } = viewOf(caller);
  return assistantPermissionNames.filter((name) => permissions.includes(name)).join();
}

/** How many requests a body counts as (decision 57): one for each message of a batch; notifications count none. */
function requestsIn(body: unknown): number {
  if (!Array.isArray(body)) return isNotification(body) ? 0 : 1;
  if (body.length > BATCH_MAX) throw new HttpProblem(400, because("http.batch-too-long", { max: BATCH_MAX }));
  return body.filter((message) => !isNotification(message)).length;
}

function isNotification(message: unknown): boolean {
  return methodOf(message) !== undefined && !("id" in (message as object));
}

/** Undefined for an answer, a batch, and an invalid message. */
function methodOf(message: unknown): unknown {
  return (message as { method?: unknown } | null | undefined)?.method;
}

const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") ?? false;

/** In one piece: a web stream for a few hundred bytes takes longer than most tools. */
async function sendWhole(answer: Response, reply: FastifyReply): Promise<FastifyReply> {
  const type = answer.headers.get("content-type");
  if (type) reply.type(type);
  return reply.code(answer.status).send(await answer.text());
}

/** The request's headers, for the protocol. The token is not passed on. */
function webHeaders({ headers }: FastifyRequest): Headers {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (name === "authorization" || value === undefined) continue;
    copied.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  return copied;
}

/** The answer to a request refused before the protocol: with HTTP's status, as JSON-RPC, and as our own `{message}`. */
function answerMcpError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = knownError(error, request);
  const status = known instanceof Refusal ? toolRefusalStatus(known.reason) : known.status;
  if (known instanceof Refusal && "retryAfterSeconds" in known.reason) {
    reply.header("retry-after", known.reason.retryAfterSeconds);
  }
  // A body that cannot be parsed is missing here.
  const code = status !== 400 ? status : request.body === undefined ? PARSE_ERROR : INVALID_REQUEST;
  const { message } = known;
  return sendError(reply, status, { jsonrpc: "2.0", id: idOf(request.body), error: { code, message }, message });
}

/** The id of a single request, so that its host knows what was refused; null where there is none. */
function idOf(body: unknown): string | number | null {
  const id = (body as { id?: unknown } | null | undefined)?.id;
  return methodOf(body) !== undefined && (typeof id === "string" || typeof id === "number") ? id : null;
}
