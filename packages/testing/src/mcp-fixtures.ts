/**
 * What the public conformance suite needs of any server, added to ours in tests: tools, prompts and resources with the suite's
 * names, served through our own transport. The product serves none of it.
 */

import type { McpFixtures } from "@frontdesk/server/mcp/mcp-routes";
import {
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server";
import { fixtureTools, form, PNG } from "./mcp-fixture-tools.ts";

type Handler = (request: unknown, ctx: unknown) => Promise<Record<string, unknown>>;

const CACHED = { ttlMs: 60_000, cacheScope: "private" as const };

/** @param changeTools changes the tool list of the suite's connection */
export function mcpFixtures(changeTools: () => Promise<unknown>): McpFixtures {
  const tools = fixtureTools(changeTools);
  const answers = handOver();

  return (server) => {
    server.registerCapabilities({ prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} });
    answers(server);

    // After our own tools.
    const own = (method: string) => (Reflect.get(server, "_requestHandlers") as Map<string, Handler>).get(method);
    const [listOwn, callOwn] = [own("tools/list"), own("tools/call")] as [Handler, Handler];
    server.setRequestHandler("tools/list", async (request, ctx) => {
      const listed = await listOwn(request, ctx);
      const more = [...tools].map(([name, { inputSchema }]) => ({ name, description: "For the suite.", inputSchema }));
      return { ...listed, tools: [...(listed.tools as []), ...more] } as never;
    });
    server.setRequestHandler("tools/call", async (request, ctx) => {
      const fixture = tools.get(request.params.name);
      return (fixture ? await fixture.run(ctx, request.params.arguments ?? {}) : await callOwn(request, ctx)) as never;
    });

    servePrompts(server);
    serveResources(server);
    server.setRequestHandler("completion/complete", async () => ({
      completion: { values: [], total: 0, hasMore: false },
    }));
  };
}

function servePrompts(server: Server): void {
  const says = (...content: object[]) =>
    ({ messages: content.map((part) => ({ role: "user", content: part })) }) as never;
  const text = (words: string) => ({ type: "text", text: words });
  const image = { type: "image", data: PNG, mimeType: "image/png" };
  const prompts: Record<string, string[]> = {
    test_simple_prompt: [],
    test_prompt_with_arguments: ["arg1", "arg2"],
    test_prompt_with_embedded_resource: ["resourceUri"],
    test_prompt_with_image: [],
    test_input_required_result_prompt: [],
  };

  server.setRequestHandler("prompts/list", async () => ({
    ...CACHED,
    prompts: Object.entries(prompts).map(([name, names]) => ({
      name,
      description: "For the suite.",
      arguments: names.map((argument) => ({ name: argument, description: "Any text.", required: true })),
    })),
  }));
  server.setRequestHandler("prompts/get", async ({ params: { name, arguments: given = {} } }, { mcpReq }) => {
    switch (name) {
      case "test_simple_prompt":
        return says(text("This is a simple prompt for testing."));
      case "test_prompt_with_arguments":
        return says(text(`Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`));
      case "test_prompt_with_embedded_resource": {
        const resource = {
          uri: given.resourceUri,
          mimeType: "text/plain",
          text: "Embedded resource content for testing.",
        };
        return says({ type: "resource", resource }, text("Please process the embedded resource above."));
      }
      case "test_prompt_with_image":
        return says(image, text("Please analyze the image above."));
      case "test_input_required_result_prompt":
        if (mcpReq.inputResponses?.user_context) return says(text("With the context that was given."));
        return inputRequired({
          inputRequests: { user_context: form("What context should the prompt use?", "context", "string") },
        }) as never;
      default:
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
    }
  });
}

function serveResources(server: Server): void {
  const described = (name: string, mimeType: string) => ({ name, mimeType, description: "For the suite." });
  const fixed: Record<string, { mimeType: string; text: string } | { mimeType: string; blob: string }> = {
    "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
    "test://static-binary": { mimeType: "image/png", blob: PNG },
    "test://watched-resource": { mimeType: "text/plain", text: "Watched." },
  };

  server.setRequestHandler("resources/list", async () => ({
    ...CACHED,
    resources: Object.entries(fixed).map(([uri, { mimeType }]) => ({ uri, ...described(uri, mimeType) })),
  }));
  server.setRequestHandler("resources/templates/list", async () => ({
    ...CACHED,
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", ...described("template", "application/json") }],
  }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    const json = id && JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    const content = json ? { mimeType: "application/json", text: json } : fixed[uri];
    if (!content) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Resource not found", { uri });
    return { ...CACHED, contents: [{ uri, ...content }] };
  });
  server.setRequestHandler("resources/subscribe", async () => ({}));
  server.setRequestHandler("resources/unsubscribe", async () => ({}));
}

/**
 * Our endpoint has no sessions, so an answer of a 2025 client during a call arrives at another server instance than the waiting
 * one. The product never asks clients; only the suite's tools do, one at a time: here an answer is passed to the instance that
 * asked last under its number.
 */
function handOver(): (server: Server) => void {
  const asked = new Map<unknown, Transport["onmessage"]>();
  return (server) => {
    const connect = server.connect.bind(server);
    server.connect = async (transport) => {
      await connect(transport);
      const [take, send] = [transport.onmessage, transport.send.bind(transport)];
      transport.onmessage = (message, extra) => {
        const answers = "id" in message && !("method" in message);
        const to = answers ? asked.get(message.id) : take;
        if (answers) asked.delete(message.id);
        to?.(message, extra);
      };
      transport.send = (message, options) => {
        if ("method" in message && "id" in message) asked.set(message.id, take);
        return send(message, options);
      };
    };
  };
}
