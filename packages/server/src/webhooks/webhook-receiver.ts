import { isSuccess, longestWaitOf, retryAfterMs, webhookResult } from "@frontdesk/core/domain/retry-schedule";
import type { Runtime } from "../context.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { type Answered, ATTEMPT_TIMEOUT_MS, type PostOutcome } from "../outbound/post.ts";
import type { ClaimedItem } from "../outbox/claim-items.ts";
import type { OpenQueue, QueueName, ReceivedAnswer, Receiver, SendResult } from "../outbox/receiver.ts";
import type { WebhookRow } from "../storage/tables.ts";
import { type SendingWebhook, webhookToSend } from "./delivery-store.ts";
import { type SigningSecrets, signedRequest } from "./signed-request.ts";
import { signingSecrets } from "./signing-secrets.ts";

/** How much of a response's body is stored for the log. */
const KEPT_RESPONSE_BYTES = 4_096;

/**
 * Subscribed endpoints as a receiver of the outbox: a queue is a subscription, an item a delivery (specification, "Delivery
 * rules"). An interrupted delivery is sent again: an endpoint recognises it by its event id.
 *
 * @param options.waits the wait after each attempt, ms
 * @param options.onAttempt called after each attempt, for the metrics
 */
export function createWebhookReceiver({
  outbound,
  runtime,
  waits,
  onAttempt,
}: {
  outbound: Pick<Outbound, "post" | "close">;
  runtime: Pick<Runtime, "now" | "vault">;
  waits: readonly number[];
  onAttempt?: (outcome: string) => void;
}): Receiver {
  return {
    async open(db, name) {
      const webhook = await db.first(webhookToSend, { team_id: name.teamId, id: name.queueId });
      return webhook && openWebhook(webhook, name);
    },
    waits,
    longestWaitMs: longestWaitOf(waits),
    attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
    slots: { first: 4, least: 2, most: 16 },
    claimsAhead: true,
    afterCrash: "resend",
    ...(onAttempt && { onAttempt }),
  };

  function openWebhook(webhook: SendingWebhook, { teamId, queueId }: QueueName): OpenQueue {
    const named: SendingWebhook & Pick<WebhookRow, "team_id" | "id"> = { ...webhook, team_id: teamId, id: queueId };
    let url: URL | undefined;
    let secrets: SigningSecrets | undefined;
    return {
      address: webhook.endpoint_url,
      async send(item, signal) {
        url ??= new URL(webhook.endpoint_url);
        // One time for all that were claimed together. Throws when they were sealed with another key.
        secrets ??= signingSecrets(named, runtime.vault, item.startedAt);
        const signed = signedRequest(item, attemptOf(item), secrets);
        const outcome = await outbound.post({ url, headers: signed.headers, body: signed.body, signal });
        return resultOf(outcome, item);
      },
    };
  }

  function resultOf(outcome: PostOutcome, { attempt }: ClaimedItem): SendResult {
    const { durationMs } = outcome;
    if (outcome.outcome === "failed") {
      if (outcome.error === "aborted") return { outcome: "aborted", error: "stopped", durationMs, answer: null };
      const result = webhookResult({ answered: false, final: outcome.final }, attempt, waits);
      return { ...result, error: outcome.error, durationMs, answer: null };
    }
    const { status, responseHead } = outcome;
    const asked = retryAfterMs(responseHead["retry-after"], runtime.now());
    const result = webhookResult({ answered: true, status, retryAfterMs: asked }, attempt, waits);
    const error = isSuccess(status) ? null : status === 410 ? "gone" : "status";
    return { ...result, error, durationMs, answer: answerOf(outcome) };
  }
}

const attemptOf = ({ queueId, attemptId, attempt, startedAt }: ClaimedItem) => ({
  queue_id: queueId,
  id: attemptId,
  attempt,
  started_at: startedAt,
});

const answerOf = ({ status, responseHead, responseBody }: Answered): ReceivedAnswer => ({
  status,
  head: JSON.stringify(responseHead),
  body: keptText(responseBody),
  result: null,
});

/**
 * The beginning of a body as text for the log; bytes that are not UTF-8 are shown as such, and NUL, which PostgreSQL refuses,
 * is removed.
 */
const keptText = (body: Buffer): string => body.subarray(0, KEPT_RESPONSE_BYTES).toString("utf8").replaceAll("\0", "");
