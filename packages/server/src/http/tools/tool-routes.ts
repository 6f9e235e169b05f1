import { listedFunctions, listedTools } from "@frontdesk/core/contract/tool-list";
import { invalid, Refusal } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { listText } from "../../tools/list-text.ts";
import { toolMessage } from "../../tools/refusal-sentence.ts";
import type { CallTool } from "../../tools/tool-gate.ts";
import { viewOf } from "../../tools/view.ts";
import { answerError, knownError, sendError } from "../framework/answer-error.ts";
import { connectionOf, type ToolDoor } from "./tool-door.ts";
import { toolRefusalStatus } from "./tool-refusal-status.ts";

/** The tools over plain HTTP (decisions 48 and 61): with the same bearer token, the same gate and the same limit as MCP. */
export async function toolRoutes(app: FastifyInstance, { door, callTool }: { door: ToolDoor; callTool: CallTool }) {
  app.decorateRequest("connection");
  app.addHook("onRequest", async (request, reply) => {
    door.checkOrigin(request, reply);
    await door.enter(request, reply, "tools");
    await door.count(request, reply, 1);
  });
  app.setErrorHandler(answerToolError);

  app.get("/tools", { config: { readsQuery: true } }, async (request, reply) => {
    const { text, word } = listText(listAsked(request));
    // The client may cache it, but revalidates it at each use, since a grant may have changed.
    reply.header("cache-control", "private, no-cache").header("etag", `"${word}"`);
    if (request.headers["if-none-match"]?.includes(`"${word}"`)) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(`{"tools":${text}}`);
  });

  app.post<{ Params: { name: string } }>("/tools/:name", async (request) =>
    callTool({ connection: connectionOf(request), readOnly: false }, request.params.name, request.body),
  );
}

function listAsked(request: FastifyRequest): readonly object[] {
  const { format } = request.query as { format?: string };
  const view = viewOf({ connection: connectionOf(request), readOnly: false });
  if (format === undefined || format === "mcp") return listedTools(view);
  if (format === "openai") return listedFunctions(view);
  throw invalid({ format: "tool-list-format" });
}

/** As everywhere, except for the words and statuses of a tool's refusals. */
function answerToolError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = knownError(error, request);
  if (!(known instanceof Refusal) || "retryAfterSeconds" in known.reason) return answerError(known, request, reply);
  const { reason } = known;
  const body = { message: toolMessage(known), ...(reason.name === "invalid" && { errors: reason.errors }) };
  return sendError(reply, toolRefusalStatus(reason), body);
}
