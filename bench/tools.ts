/**
 * `npm run bench:tools`: the assistant tools beside the REST operation that does the same, by each interface: plain HTTP and
 * both eras of MCP. Prints how many times as long a call takes as the request (aim: at most 1.5).
 *
 * --quick   half a second for each measurement instead of three
 * --json    one JSON document instead of tables
 * --engine  sqlite or postgres alone
 * --only    a part of a tool's name
 */
import { callApi, callMany, startConversation } from "./call-api.ts";
import type { LoadResult, LoadSpec } from "./load.ts";
import { readOptions } from "./options.ts";
import { load, onEachEngine, type Place, setUpTeam, startOurs } from "./processes.ts";

const options = readOptions(["quick", "json", "engine", "only"]);
const SECONDS = options.quick ? 0.5 : 3;
const CONNECTIONS = [1, 16];

type Request = Pick<LoadSpec, "method" | "path" | "headers" | "body">;

interface Row {
  engine: string;
  tool: string;
  door: string;
  connections: number;
  rest: LoadResult;
  ours: LoadResult;
  /** The time of a call to that of the request: by the median, and by throughput. */
  latency: number;
  throughput: number;
}

/** The compared call and request. */
interface Pair {
  rest: Request;
  tool: string;
  arguments: object;
}

const rows: Row[] = [];

async function measure({ engine, newEnv }: Place): Promise<void> {
  const env = await newEnv();
  const { apiKey, widgetId, assistantToken } = await setUpTeam(env);
  const port = await startOurs(env);
  const at = { port, apiKey };
  const conversationId = await startConversation(at, widgetId, { name: "Vera" });
  for (let n = 1; n < 30; n += 1) {
    await callApi(at, "POST", "/messages", { conversation_id: conversationId, content: `Line ${n}` });
  }
  await callMany(200, (n) => startConversation(at, widgetId, { name: `Seeded ${n}`, email: `s${n}@example.com` }));
  const { data } = await callApi<{ data: [{ id: string }] }>(at, "GET", "/contacts");

  const rest = (method: string, path: string, body?: object): Request => ({
    method,
    path: `/api/v1${path}`,
    headers: { "X-API-KEY": apiKey },
    ...(body && { body: JSON.stringify(body) }),
  });
  const content = "We do. It takes three days.";
  const pairs: Pair[] = [
    { tool: "get-visitor", arguments: { visitor_id: data[0].id }, rest: rest("GET", `/contacts/${data[0].id}`) },
    {
      tool: "list-conversation-messages",
      arguments: { conversation_id: conversationId, limit: 10 },
      rest: rest("GET", `/conversations/${conversationId}/messages?limit=10&include_fields=agent,contact`),
    },
    {
      tool: "list-conversations",
      arguments: { per_page: 10 },
      rest: rest("GET", "/conversations/all?limit=10&include_fields=latest_message,contact_name"),
    },
    { tool: "search-contacts", arguments: { query: "seeded 77" }, rest: rest("GET", "/contacts?search=seeded%2077") },
    {
      tool: "send-message",
      arguments: { conversation_id: conversationId, content },
      rest: rest("POST", "/messages", { conversation_id: conversationId, content }),
    },
    { tool: "tools/list", arguments: {}, rest: rest("GET", "/webhooks/events") },
  ];

  for (const pair of pairs.filter(({ tool }) => tool.includes(String(options.only)))) {
    for (const connections of CONNECTIONS) {
      const spec = { port, connections, seconds: SECONDS };
      const base = await load({ ...spec, ...pair.rest });
      for (const [door, request] of Object.entries(doors(assistantToken))) {
        const ours = await load({ ...spec, ...request(pair) });
        const row: Row = {
          engine,
          tool: pair.tool,
          door,
          connections,
          rest: base,
          ours,
          latency: ours.p50 / base.p50,
          throughput: base.requestsPerSecond / ours.requestsPerSecond,
        };
        rows.push(row);
        if (!options.json) print(row);
      }
    }
  }
}

/** The interfaces to call a tool; `tools/list` is one of MCP's own requests. */
function doors(token: string): Record<string, (pair: Pair) => Request> {
  const authorization = { Authorization: `Bearer ${token}` };
  const mcp = (body: object, headers: Record<string, string>): Request => ({
    method: "POST",
    path: "/mcp",
    headers: { ...authorization, Accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
  });
  const asked = (pair: Pair, meta?: object) =>
    pair.tool === "tools/list"
      ? { method: "tools/list", params: { ...meta } }
      : { method: "tools/call", params: { name: pair.tool, arguments: pair.arguments, ...meta } };
  return {
    "plain HTTP": ({ tool, arguments: given }) =>
      tool === "tools/list"
        ? { method: "GET", path: "/tools", headers: authorization }
        : { method: "POST", path: `/tools/${tool}`, headers: authorization, body: JSON.stringify(given) },
    "MCP 2026-07-28": (pair) => {
      const call = asked(pair, {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      });
      return mcp(call, {
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": call.method,
        ...(call.method === "tools/call" && { "Mcp-Name": pair.tool }),
      });
    },
    "MCP 2025-06-18": (pair) => mcp(asked(pair), { "MCP-Protocol-Version": "2025-06-18" }),
  };
}

function print({ engine, tool, door, connections, rest, ours, latency, throughput }: Row): void {
  const figures = ({ requestsPerSecond, p50, p99 }: LoadResult) =>
    `${requestsPerSecond.toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(2).padStart(6)}  p99 ${p99.toFixed(2).padStart(6)} ms`;
  console.log(
    `${engine.padEnd(9)}${tool.padEnd(28)}${door.padEnd(15)}${String(connections).padStart(3)}  tool ${figures(ours)}  REST ${figures(rest)}  time ×${latency.toFixed(2)}  a second ×${throughput.toFixed(2)}`,
  );
}

await onEachEngine(options.engine, measure);
if (options.json) console.log(JSON.stringify(rows));
