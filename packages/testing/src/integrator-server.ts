/**
 * An integrator's program, as somebody outside would write it: a server of its own over HTTPS that knows Frontdesk by
 * `@frontdesk/client` alone. It greets every visitor, and keeps in a file what it must not forget. Started and killed by
 * `integrator.test.ts`.
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
  /** When it was subscribed, by Frontdesk's clock. */
  since: string;
  /** Events that were handled. */
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
  // What was given up while this program was away.
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
        // Killed before it is kept, this program meets the event again; the visitor shall not be greeted twice.
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

/** Whole or not at all: a program can be killed while it writes. */
function keep(kept: State): void {
  writeFileSync(`${stateFile}.new`, JSON.stringify(kept));
  renameSync(`${stateFile}.new`, stateFile);
}
