import { invalid } from "@frontdesk/core/domain/refusal";
import { requesterId } from "../access/by-actor.ts";
import { answerId } from "../access/sealed-text-store.ts";
import type { Operation } from "../context.ts";
import { fingerprint } from "./fingerprint.ts";
import { answerByKey, deleteOldAnswers, insertAnswer } from "./idempotency-store.ts";

/** How long a key is remembered (decision 33). */
export const IDEMPOTENCY_LIFE_MS = 24 * 60 * 60 * 1_000;

export interface Answer {
  status: number;
  body: object;
}

/** What identifies a request. */
export interface RetryKey {
  /** The `Idempotency-Key` header. */
  key: string;
  /** Method, address and body, as JSON; the order of names in objects does not matter. */
  request: unknown;
}

/**
 * `operation`, done once for an idempotency key: a repeat within 24 hours gets the first answer and does nothing. The answer is
 * stored in the commit of the change, so after any crash either both exist or neither; simultaneous requests wait for one
 * another in the team's writer. Failures are not stored.
 *
 * Throws `invalid` on `Idempotency-Key` when the key was used for another request.
 */
export function answerOnce<Input, Result>(
  operation: Operation<Input, Result>,
  retry: RetryKey,
  answer: (result: Result) => Answer,
): Operation<Input, Answer & { replayed: boolean }> {
  // Before the transaction, so that other writes do not wait for it.
  const asked = fingerprint(retry.request);
  return {
    name: operation.name,
    mode: "write",
    async run(ctx, input) {
      const id = { team_id: ctx.teamId, api_key_id: requesterId(ctx.actor), key: retry.key };
      const place = {
        column: "idempotency_keys.body_sealed",
        teamId: ctx.teamId,
        id: answerId(id.api_key_id, retry.key),
      } as const;
      ctx.write(deleteOldAnswers, { team_id: ctx.teamId, before: ctx.now - IDEMPOTENCY_LIFE_MS });
      const first = await ctx.db.first(answerByKey, id);
      if (first) {
        if (first.fingerprint !== asked) {
          throw invalid({ "Idempotency-Key": "idempotency-key-reused" });
        }
        return { status: first.status, body: JSON.parse(ctx.vault.open(first.body_sealed, place)), replayed: true };
      }
      const { status, body } = answer(await operation.run(ctx, input));
      const bodySealed = ctx.vault.seal(JSON.stringify(body), place);
      ctx.write(insertAnswer, { ...id, fingerprint: asked, status, body_sealed: bodySealed, created_at: ctx.now });
      return { status, body, replayed: false };
    },
  };
}
