/**
 * The floor of webhook delivery, in a separate process: a bare undici loop that signs and posts bodies, with a fixed
 * concurrency, over persistent connections. No database, no queue, no log, no address check: the benchmark shows what the
 * service costs above this.
 */
import { Agent, request } from "undici";
import { signedRequest } from "../packages/server/src/webhooks/signed-request.ts";
import { takeCommands } from "./worker-process.ts";

export interface FloorSpec {
  url: string;
  /** PEM of the authority that signed the receiver's certificate. */
  ca: string;
  /** A delivery's body; each request sends one of the same length, with its own event id. */
  body: string;
  count: number;
  inFlight: number;
}

export type FloorCommands = {
  /** Resolves to the number of answers that were not 2xx, when all have answers. */
  run(spec: FloorSpec): Promise<number>;
};

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const WEBHOOK_ID = "01980000-0000-7000-8000-000000000000";

takeCommands<FloorCommands>({
  async run({ url, ca, body, count, inFlight }) {
    const dispatcher = new Agent({ connections: inFlight, pipelining: 1, connect: { ca } });
    const { id, event, data, occurred_at, version } = JSON.parse(body);
    const sent = { event_name: event, data: JSON.stringify(data), occurred_at: Date.parse(occurred_at), version };
    let started = 0;
    let failed = 0;
    await Promise.all(Array.from({ length: inFlight }, keepPosting));
    await dispatcher.close();
    return failed;

    async function keepPosting(): Promise<void> {
      while (started < count) {
        started += 1;
        const event_id = `evt_${String(started).padStart(id.length - "evt_".length, "0")}`;
        const attempt = { id: event_id.replace("evt_", "del_"), queue_id: WEBHOOK_ID, attempt: 1 };
        const started_at = Date.now();
        const signed = signedRequest(
          { ...sent, event_id },
          { ...attempt, started_at },
          { current: SECRET, next: undefined },
        );
        const answer = await request(url, { method: "POST", headers: signed.headers, body: signed.body, dispatcher });
        await answer.body.dump();
        if (answer.statusCode !== 200) failed += 1;
      }
    }
  },
});
