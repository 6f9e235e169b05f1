/** Answers without the SDK are the same as the SDK's (docs/decisions/0019). */

import { type Connection, connectAssistant, listenBeside } from "@frontdesk/testing/mcp-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { knownRequest } from "./direct-answer.ts";

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const acme = await kit.team();
const { conversationId } = await veraWrites(acme);
const robin = await connectAssistant(kit.app, acme);
const reader = await connectAssistant(kit.app, acme, { permissions: ["view_tags"] });
const direct = await kit.app.start();
// An app with fixtures is served by the SDK alone.
const sdk = (await listenBeside(kit, { mcpFixtures: () => {} })).origin;

type Message = { jsonrpc: string; id: unknown; method: string; params: Record<string, unknown> };

const META = "io.modelcontextprotocol/";
const envelope = { [`${META}protocolVersion`]: "2026-07-28", [`${META}clientCapabilities`]: {} };
const call = (name: string, given?: unknown): Partial<Message> => ({
  method: "tools/call",
  params: { name, ...(given !== undefined && { arguments: given }) },
});
const list: Partial<Message> = { method: "tools/list", params: {} };

const asked = {
  list,
  "a result": call("list-conversations", { per_page: 5 }),
  "no arguments": call("view-tags"),
  "customer text with quotes, lines and emoji": call("get-conversation", { conversation_id: conversationId }),
  "arguments that do not fit": call("add-tag", { name: "" }),
  "a conversation that is not there": call("get-conversation", { conversation_id: acme.widgetId }),
  "a tool that is not there": call("no-such-tool"),
};

function request(part: Partial<Message>, version: string | undefined, id: unknown = 7) {
  const modern = version === "2026-07-28";
  const message = { jsonrpc: "2.0", id, ...part, params: { ...part.params, ...(modern && { _meta: envelope }) } };
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(version && { "mcp-protocol-version": version }),
    ...(modern && { "mcp-method": String(part.method) }),
    ...(modern && part.params?.name !== undefined && { "mcp-name": String(part.params.name) }),
  };
  return { message, headers };
}

async function answerOf(
  origin: string,
  connection: Connection,
  { message, headers }: { message: unknown; headers: Record<string, string> },
) {
  const authorization = `Bearer ${connection.token}`;
  const answer = await fetch(`${origin}/mcp`, {
    method: "POST",
    headers: { ...headers, authorization },
    body: JSON.stringify(message),
  });
  const text = await answer.text();
  // The SDK sends a stream of one message to hosts of 2025, as it may.
  const streamed = /^data: (.*)$/m.exec(text)?.[1];
  return { status: answer.status, body: text === "" ? "" : JSON.parse(streamed ?? text) };
}

for (const version of ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", undefined]) {
  for (const [what, part] of Object.entries(asked)) {
    test(`${what}, by revision ${version ?? "that is not named"}, is answered as by the SDK`, async () => {
      for (const [connection, id] of [
        [robin, 7],
        [reader, "a-text"],
      ] as const) {
        const sent = request(part, version, id);
        expect(knownRequest(sent.headers, sent.message), "the premise").toBeDefined();
        const ours = await answerOf(direct, connection, sent);
        expect(ours).toEqual(await answerOf(sdk, connection, sent));
        expect(ours.status).toBe(200);
      }
    });
  }
}

test("whatever is the least bit unusual is left to the SDK", () => {
  const modern = request(list, "2026-07-28");
  const legacy = request(call("view-tags"), "2025-06-18");
  const unusual = {
    "a batch": { ...legacy, message: [legacy.message] },
    "a notification": { ...legacy, message: { ...legacy.message, id: undefined } },
    "an id of null": { ...legacy, message: { ...legacy.message, id: null } },
    "another JSON-RPC": { ...legacy, message: { ...legacy.message, jsonrpc: "1.0" } },
    "another method": { ...legacy, message: { ...legacy.message, method: "initialize" } },
    "a cursor": { ...modern, message: { ...modern.message, params: { ...modern.message.params, cursor: "x" } } },
    "a name that is none": { ...legacy, message: { ...legacy.message, params: { name: 5 } } },
    "arguments in a list": { ...legacy, message: { ...legacy.message, params: { name: "view-tags", arguments: [] } } },
    "no params": { ...legacy, message: { ...legacy.message, params: undefined } },
    "a revision that we do not know": {
      ...legacy,
      headers: { ...legacy.headers, "mcp-protocol-version": "2024-01-01" },
    },
    "an envelope beside an older revision": {
      ...modern,
      headers: { ...modern.headers, "mcp-protocol-version": "2025-11-25" },
    },
    "a header that says something else": { ...modern, headers: { ...modern.headers, "mcp-method": "tools/call" } },
    "the newest revision without its envelope": { ...modern, message: { ...modern.message, params: {} } },
    "a host that takes no stream": { ...legacy, headers: { ...legacy.headers, accept: "application/json" } },
  };
  for (const [what, { headers, message }] of Object.entries(unusual)) {
    expect(knownRequest(headers, message), what).toBeUndefined();
  }
});

/** What a request says of itself, in ways that the SDK takes and in ways that it does not. */
const saidOfItself: Record<string, Record<string, unknown>> = {
  "a title": { [`${META}clientInfo`]: { name: "host", version: "1", title: "Host" } },
  "capabilities as hosts have them": {
    [`${META}clientCapabilities`]: { roots: { listChanged: true }, sampling: {}, elicitation: { form: {} } },
  },
  "a token for progress": { progressToken: "p" },
  "a trace": { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
  "a level to log at": { [`${META}logLevel`]: "info" },
  "a level that is none": { [`${META}logLevel`]: "shout" },
  "a token for progress that is none": { progressToken: {} },
  "a token for progress with a fraction": { progressToken: 1.5 },
  "a task that is none": { [`${META}related-task`]: 5 },
  "capabilities with a number for an object": { [`${META}clientCapabilities`]: { elicitation: { form: 5 } } },
  "capabilities with an object for a flag": { [`${META}clientCapabilities`]: { roots: { listChanged: {} } } },
  "capabilities with a flag for an object": { [`${META}clientCapabilities`]: { elicitation: { form: true } } },
  "an icon that is none": { [`${META}clientInfo`]: { name: "host", version: "1", icons: 5 } },
  "a title that is none": { [`${META}clientInfo`]: { name: "host", version: "1", title: 5 } },
  "no version of its host": { [`${META}clientInfo`]: { name: "host" } },
};

for (const version of ["2026-07-28", "2025-11-25"]) {
  test(`what a request says of itself, right or wrong, is judged as by the SDK (${version})`, async () => {
    for (const [what, said] of Object.entries(saidOfItself)) {
      for (const part of [list, call("view-tags")]) {
        const { message, headers } = request(part, version);
        const own = (message.params as { _meta?: object })._meta;
        const sent = { headers, message: { ...message, params: { ...message.params, _meta: { ...own, ...said } } } };
        const ours = await answerOf(direct, robin, sent);
        expect(ours, `${what}, ${part.method}`).toEqual(await answerOf(sdk, robin, sent));
      }
    }
    const { message, headers } = request(list, version);
    const more = { headers, message: { ...message, more: 1 } };
    expect(await answerOf(direct, robin, more)).toEqual(await answerOf(sdk, robin, more));
  });
}
