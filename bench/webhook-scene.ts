/** The setting of a webhook measurement: the service with a team, its subscriber, and a load, each a process. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { newAuthority } from "@frontdesk/testing/certificates";
import pg from "pg";
import { type Api, callApi, callMany, startConversation } from "./call-api.ts";
import type { PlainRequest } from "./plain-socket.ts";
import { type Env, type Place, setUpTeam, startBeside, startOurs, stopAll } from "./processes.ts";
import type { Sent, SteadyLoadCommands } from "./steady-load.ts";
import type { ReceiverCommands } from "./webhook-receiver.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** Messages are spread over this many conversations, so that the order within one holds nothing back. */
const CONVERSATIONS = 200;
/** As a busy front-end has; a request waits for a free one, and the wait counts. */
const CONNECTIONS = 64;

export interface Scene {
  env: Env;
  api: Api;
  conversations: string[];
  receiver: WorkerProcess<ReceiverCommands>;
  /** PEM: the authority of the receiver's certificate. */
  ca: string;
  /** The receiver, under this machine's name or any number of host names. */
  endpoint(host?: string): string;
  /** Puts a steady load on the service; resolves to the sent requests when it is over. */
  send(load: { rate: number; count: number; requests?: PlainRequest[] }): Promise<Sent[]>;
  /** Ends the running load. */
  stopSending(): Promise<void>;
}

/**
 * Runs `measure` on a new, empty installation, and stops its processes afterwards.
 *
 * @param env further settings
 */
export async function onScene<T>(place: Place, measure: (scene: Scene) => Promise<T>, env: Env = {}): Promise<T> {
  const receiver = startBeside<ReceiverCommands>("webhook-receiver.ts");
  const load = startBeside<SteadyLoadCommands>("steady-load.ts");
  const authority = newAuthority();
  const receiverPort = await receiver.ask("listen", authority.certify(["127.0.0.1", `*.${MANY_HOSTS}`]));
  const settings = { ...(await place.newEnv()), ...env };
  const { apiKey, widgetId } = await setUpTeam(settings);
  const caFile = join(String(settings.DATA_DIR), "receiver-ca.pem");
  writeFileSync(caFile, authority.ca);
  const port = await startOurs({
    ...settings,
    NODE_EXTRA_CA_CERTS: caFile,
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
  });
  const api = { port, apiKey };
  const visitor = (n: number) => ({ name: `Vera ${n}`, email: `vera${n}@example.com` });
  const conversations = await callMany(CONVERSATIONS, (n) => startConversation(api, widgetId, visitor(n)));
  try {
    return await measure({
      env: settings,
      api,
      conversations,
      receiver,
      ca: authority.ca,
      endpoint: (host = "127.0.0.1") => `https://${host}:${receiverPort}/hook`,
      send: ({ rate, count, requests = messagesTo(api, conversations) }) =>
        load.ask("run", { port, connections: CONNECTIONS, rate, count, requests }),
      stopSending: () => load.ask("stop"),
    });
  } finally {
    await stopAll();
  }
}

/** All of these names are this machine's; no name server is asked. */
const MANY_HOSTS = "receiver.localhost";
export const hostNumber = (n: number): string => `s${n}.${MANY_HOSTS}`;

/** An agent's answer, in each conversation in turn. */
export const messagesTo = ({ apiKey }: Api, conversations: readonly string[]): PlainRequest[] =>
  conversations.map((conversation_id) => ({
    method: "POST",
    path: "/api/v1/messages",
    headers: { "X-API-KEY": apiKey },
    body: JSON.stringify({ conversation_id, content: "We do. It takes three days." }),
  }));

/** Subscribes an endpoint to one event; resolves to the subscription's id. */
export async function subscribe({ api }: Scene, endpoint_url: string, event: string): Promise<string> {
  const made = await callApi<{ data: { id: string } }>(api, "POST", "/webhooks", { endpoint_url, events: [event] });
  return made.data.id;
}

/** The service's resident memory, in bytes. */
export async function residentMemory({ api }: Scene): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${api.port}/metrics`)).text();
  return Number(/^frontdesk_process_resident_memory_bytes (\S+)/m.exec(page)?.[1]);
}

/** Runs one SQL statement on the service's data, beside the service. */
export async function runSql({ env }: Scene, sql: string): Promise<void> {
  if (env.DATABASE_URL) {
    const client = new pg.Client(env.DATABASE_URL);
    await client.connect();
    await client.query(sql);
    await client.end();
  } else {
    const db = new DatabaseSync(join(String(env.DATA_DIR), "frontdesk.db"), { timeout: 5_000 });
    db.exec(sql);
    db.close();
  }
}
