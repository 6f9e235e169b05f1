import { newToken, tokenHash } from "../access/token.ts";
import type { Operation } from "../context.ts";
import type { AssistantRow } from "../storage/tables.ts";
import { readGrant } from "./assistant.ts";
import { renewAssistantTokenRow } from "./assistant-store.ts";
import { findAssistant } from "./get-assistant.ts";
import { requireScopes } from "./require-scopes.ts";
import { refuseRevoked } from "./update-assistant.ts";

/**
 * Gives a connection another bearer token; the one before ends at once, in every process. The token is in the result and
 * nowhere else; a repeat makes another one.
 *
 * @throws Refusal `not-found`; `not-allowed` as `requireScopes`; `invalid` on `state` when it is revoked
 */
export const renewAssistantToken: Operation<{ assistantId: string }, { assistant: AssistantRow; token: string }> = {
  name: "renew-assistant-token",
  mode: "write",
  async run(ctx, { assistantId }) {
    const before = await findAssistant(ctx, assistantId);
    refuseRevoked(before);
    requireScopes(ctx.actor, readGrant(before).permissions);
    const token = newToken("assistant", ctx.teamId, ctx.random);
    const assistant: AssistantRow = {
      ...before,
      token_hash: tokenHash(token),
      token_ending: token.slice(-4),
      updated_at: ctx.now,
    };
    ctx.db.announce("access");
    ctx.write(renewAssistantTokenRow, assistant);
    ctx.record({ name: "assistant.updated", assistant });
    return { assistant, token };
  },
};
