/**
 * `npm run bench:memory`: the server's resident memory during 200,000 requests, reads and writes of all kinds, on each engine.
 * Prints it after every tenth of them, as in the server's own /metrics.
 *
 * --engine    sqlite or postgres alone
 * --requests  how many instead of 200,000
 */
import type { LoadSpec } from "./load.ts";
import { readOptions } from "./options.ts";
import { load, onEachEngine, setUpTeam, startOurs } from "./processes.ts";

const options = readOptions(["engine"], { requests: { type: "string", default: "200000" } });
const REQUESTS = Number(options.requests);
const STEPS = 10;
const CONNECTIONS = 16;
const SECONDS = 1;
const MIB = 1_048_576;

await onEachEngine(options.engine, async ({ engine, newEnv }) => {
  const env = await newEnv();
  const { apiKey, widgetId } = await setUpTeam(env);
  const port = await startOurs(env);
  const headers = { "X-API-KEY": apiKey };
  const first = await fetch(`http://127.0.0.1:${port}/api/v1/conversations`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ widget_id: widgetId, content: "Hello", name: "Vera" }),
  });
  const { data } = (await first.json()) as { data: { attributes: { conversation_id: string } } };
  const conversationId = data.attributes.conversation_id;
  const kinds: Pick<LoadSpec, "method" | "path" | "body">[] = [
    { method: "GET", path: "/conversations/all" },
    {
      method: "POST",
      path: "/messages",
      body: JSON.stringify({ conversation_id: conversationId, content: "We do. {n}" }),
    },
    { method: "GET", path: `/conversations/${conversationId}/messages` },
    {
      method: "POST",
      path: "/conversations",
      body: JSON.stringify({ widget_id: widgetId, content: "Hi", name: "Vera {n}", email: "vera{n}@example.com" }),
    },
    { method: "GET", path: "/contacts?search=vera{n}" },
    { method: "GET", path: "/webhooks/events" },
  ];
  let sent = 0;
  let told = -1;
  for (let turn = 0; sent < REQUESTS; turn += 1) {
    const kind = kinds[turn % kinds.length] as (typeof kinds)[number];
    const spec = { ...kind, path: `/api/v1${kind.path}`, port, connections: CONNECTIONS, seconds: SECONDS, headers };
    const { requestsPerSecond } = await load(spec);
    // Requests of the warm-up are not counted: the actual number is slightly higher.
    sent += requestsPerSecond * SECONDS;
    const step = Math.floor((sent / REQUESTS) * STEPS);
    if (step === told) continue;
    told = step;
    console.log(`${engine.padEnd(9)}${String(Math.round(sent)).padStart(8)} requests  ${await residentMiB(port)} MiB`);
  }
});

async function residentMiB(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const bytes = /^frontdesk_process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1];
  return Math.round(Number(bytes) / MIB);
}
