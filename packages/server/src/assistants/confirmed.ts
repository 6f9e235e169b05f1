import { CONFIRMATION_SECONDS, type ConfirmationRequired } from "@frontdesk/core/contract/tool-resources";
import { invalid } from "@frontdesk/core/domain/refusal";
import { actorOfKind } from "../access/actor.ts";
import { newToken, tokenHash } from "../access/token.ts";
import type { Context, Operation } from "../context.ts";
import { fingerprint } from "../idempotency/fingerprint.ts";
import {
  confirmationByToken,
  deleteConfirmation,
  deleteOldConfirmations,
  insertConfirmation,
} from "./confirmation-store.ts";

/** What would be done; or what to answer instead, with nothing done and no token issued. */
export type Planned<Instead> = Plan | { instead: Instead };

export interface Plan {
  affected: number;
  /** In plain words, naming what would be changed. */
  message: string;
  /** What was found for the arguments and must be the same when it is done, such as the agent of a name. */
  bound?: unknown;
}

/**
 * `operation`, done only with a token that was issued for exactly the same call (decision 52):
 *
 * ```
 * without a token --> planned, a token is stored --> asked
                       '--> there is nothing to confirm --> answered instead
 * with one --> fits this connection, tool, arguments and plan, within 300 s --> used up, done
 *                 '--> does not fit --> refused, nothing is done
 * ```
 * The token is used up in the commit of the change: when that fails it can be used again, and two uses at the same
 * moment act once, since the writes of a team are in order.
 *
 * @param asked the tool and its unchanged arguments, without the token
 */
export function confirmed<Input, Result extends object, Instead extends object = never>(
  operation: Operation<Input, Result>,
  asked: { tool: string; arguments: unknown; token: string | undefined },
  plan: (ctx: Context, input: Input) => Promise<Planned<Instead>>,
): Operation<Input, Result | ConfirmationRequired | Instead> {
  return {
    name: operation.name,
    mode: "write",
    async run(ctx, input) {
      const assistant = actorOfKind(ctx.actor, "assistant");
      const planned = await plan(ctx, input);
      if ("instead" in planned) return planned.instead;
      const { affected, message, bound } = planned;
      const key = { team_id: ctx.teamId, assistant_id: assistant.assistantId, tool: asked.tool };
      const arguments_hash = fingerprint([asked.arguments, bound ?? null]);
      if (asked.token === undefined) {
        const token = newToken("confirm", ctx.teamId, ctx.random);
        const expires_at = ctx.now + CONFIRMATION_SECONDS * 1_000;
        ctx.write(deleteOldConfirmations, { team_id: ctx.teamId, before: ctx.now });
        ctx.write(insertConfirmation, { ...key, token_hash: tokenHash(token), arguments_hash, expires_at });
        return {
          confirmation_required: true,
          confirmation_token: token,
          affected_count: affected,
          message,
          expires_in_seconds: CONFIRMATION_SECONDS,
        };
      }
      await use(ctx, asked.token, { ...key, arguments_hash });
      return operation.run(ctx, input);
    },
  };
}

/** @throws Refusal `invalid` on `confirmation_token`, saying what to do */
async function use(
  ctx: Context,
  token: string,
  wanted: { assistant_id: string; tool: string; arguments_hash: string },
): Promise<void> {
  // By its hash: the compared value is no secret, and the time of the comparison reveals nothing.
  const key = { team_id: ctx.teamId, token_hash: tokenHash(token) };
  const given = await ctx.db.first(confirmationByToken, key);
  const fitting = given && given.assistant_id === wanted.assistant_id && given.tool === wanted.tool;
  if (!fitting || given.expires_at <= ctx.now) {
    throw invalid({ confirmation_token: "confirmation-over" });
  }
  if (given.arguments_hash !== wanted.arguments_hash) {
    throw invalid({ confirmation_token: "confirmation-mismatch" });
  }
  await ctx.db.run(deleteConfirmation, key);
}
