import { tokenHash } from "../access/token.ts";
import { assistantById } from "../assistants/assistant-store.ts";
import { audit } from "../audit/audit.ts";
import type { Context, Operation } from "../context.ts";
import {
  issuedSince,
  type KnownTokens,
  markAppTokensUsed,
  markReplaced,
  tokensByRefresh,
  usedSuccessors,
} from "./app-grant-store.ts";
import { endGrant } from "./end-grant.ts";
import { GRACE_MS, type IssuedTokens, issueTokens } from "./issue-tokens.ts";
import { noteEnded } from "./note-ended.ts";

/** One a day is usual; a host with many workers that all have lost theirs stays below it. */
const RENEWALS_MAX = 60;
const RENEWALS_WINDOW_MS = 15 * 60_000;

export interface ShownRefreshToken {
  token: string;
  clientId: string;
  /** Undefined: that of the grant. */
  resource: string | undefined;
}

/** `replayed`: it was replaced long ago, and the grant has ended now. */
export type RenewedTokens =
  | { outcome: "issued"; tokens: IssuedTokens }
  | { outcome: "wrong" }
  | { outcome: "wrong-resource" }
  | { outcome: "too-many"; retryAfterSeconds: number }
  | { outcome: "replayed" };

/**
 * Gives other tokens for a refresh token, in one commit.
 *
 * ```
 * fresh --(shown)--> replaced --(shown within 10 minutes, or while nothing of its successors was used)--> replaced: one more successor
 *                        '------(shown later)--> the grant ends
 * ```
 * An answer that was lost, a process that was killed, and workers that show the same token at once all end in the first two lines.
 */
export const renewAppTokens: Operation<ShownRefreshToken, RenewedTokens> = {
  name: "renew-app-tokens",
  mode: "write",
  async run(ctx, { token, clientId, resource }) {
    const known = await ctx.db.first(tokensByRefresh, { team_id: ctx.teamId, refresh_hash: tokenHash(token) });
    if (!known || known.client_id !== clientId || known.refresh_ends_at <= ctx.now) return { outcome: "wrong" };
    const assistant = await ctx.db.first(assistantById, { team_id: ctx.teamId, id: known.assistant_id });
    if (!assistant || assistant.state === "revoked") return { outcome: "wrong" };
    if (resource !== undefined && resource !== known.resource) return { outcome: "wrong-resource" };
    if (await isReplay(ctx, known)) {
      endGrant(ctx, known.grant_id);
      noteEnded(ctx, assistant);
      audit(ctx, { assistant: { id: assistant.id, name: assistant.name } });
      return { outcome: "replayed" };
    }
    const window = { team_id: ctx.teamId, grant_id: known.grant_id, since: ctx.now - RENEWALS_WINDOW_MS };
    if (((await ctx.db.first(issuedSince, window))?.total ?? 0) >= RENEWALS_MAX) {
      return { outcome: "too-many", retryAfterSeconds: 60 };
    }
    const itself = { team_id: ctx.teamId, id: known.id };
    ctx.write(markAppTokensUsed, { ...itself, last_used_at: ctx.now });
    ctx.write(markReplaced, { ...itself, replaced_at: ctx.now });
    const grant = { id: known.grant_id, ends_at: known.grant_ends_at };
    return { outcome: "issued", tokens: issueTokens(ctx, grant, known.id) };
  },
};

async function isReplay(ctx: Context, { id, grant_id, replaced_at }: KnownTokens): Promise<boolean> {
  if (replaced_at === null || ctx.now - replaced_at <= GRACE_MS) return false;
  const used = await ctx.db.first(usedSuccessors, { team_id: ctx.teamId, grant_id, parent_id: id });
  return (used?.total ?? 0) > 0;
}
