/**
 * An integrator's program as an outside developer would write it: an HTTPS server that knows Frontdesk only through
 * `@frontdesk/client`. It greets every visitor, and stores its state in a file. Started and killed by `integrator.test.ts`.
 *
 * Settings: FRONTDESK_URL, FRONTDESK_API_KEY, PORT, STATE_FILE, KEY_FILE and CERT_FILE.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { buffer } from "node:stream/consumers";
import { createClient, verifyWebhook, WebhookVerificationError } from "@frontdesk/client";

interface State {
  webhookId: string;
  secret: string;
  /** When it subscribed, by Frontdesk's clock. */
  since: string;
  /** Ids of handled events. */
  handled: string[];
}

const { FRONTDESK_URL, FRONTDESK_API_KEY, PORT, STATE_FILE, KEY_FILE, CERT_FILE } = process.env as Record<
  string,
  string
>;
const frontdesk = createClient({ baseUrl: `${FRONTDESK_URL}/api/v1`, apiKey: String(FRONTDESK_API_KEY) });
const stateFile = String(STATE_FILE);
const known = existsSync(stateFile);
const state: State = known ? JSON.parse(readFileSync(stateFile, "utf8")) : await subscribe();

const certificate = { key: readFileSync(String(KEY_FILE)), cert: readFileSync(String(CERT_FILE)) };
const server = createServer(certificate, (request, response) => void answer(request, response));
server.listen(Number(PORT), "127.0.0.1", async () => {
  console.log("listening");
  // Replays what failed while this program was down.
  if (known) {
    await frontdesk.replayFailedWebhookDeliveries({
      params: { webhook: state.webhookId },
      body: { since: state.since },
    });
  }
});

async function subscribe(): Promise<State> {
  const { data } = await frontdesk.createWebhook({
    body: { endpoint_url: `https://localhost:${PORT}/frontdesk`, events: ["message.received"] },
  });
  const { signing_secret: secret, created_at: since } = data.attributes[0] as (typeof data.attributes)[number];
  const first: State = { webhookId: data.id, secret, since, handled: [] };
  keep(first);
  return first;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const body = await buffer(request);
    const delivery = await verifyWebhook({ body, headers: request.headers, secret: state.secret });
    if (delivery.event === "message.received" && !state.handled.includes(delivery.id)) {
      const { conversation, visitor } = delivery.data;
      await frontdesk.createMessage({
        body: { conversation_id: conversation.id, content: `Hello ${visitor.name}, we are on it.` },
        // If killed before it is stored, this program gets the event again; the visitor must not be greeted twice.
        idempotencyKey: delivery.id,
      });
      state.handled.push(delivery.id);
      keep(state);
    }
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end(String(error));
  }
}

/** Atomically: a program can be killed during a write. */
function keep(kept: State): void {
  writeFileSync(`${stateFile}.new`, JSON.stringify(kept));
  renameSync(`${stateFile}.new`, stateFile);
}
