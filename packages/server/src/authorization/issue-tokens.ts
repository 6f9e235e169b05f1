import { newToken, tokenHash } from "../access/token.ts";
import type { Context } from "../context.ts";
import { insertAppTokens } from "./app-grant-store.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
export const CODE_LIFE_MS = MINUTE_MS;
/** It is looked up at every request, so a short life would add nothing. */
export const ACCESS_LIFE_MS = DAY_MS;
/** Without use. */
export const REFRESH_LIFE_MS = 60 * DAY_MS;
/** In all, from the consent on. */
export const GRANT_LIFE_MS = 365 * DAY_MS;
/** A replaced refresh token works again for as long, whatever was used of its successors. */
export const GRACE_MS = 10 * MINUTE_MS;

/** What an app gets, in the words of OAuth. */
export interface IssuedTokens {
  access: string;
  refresh: string;
  expiresInSeconds: number;
}

/** @param parentId whose refresh token they are issued for; null for those of a code */
export function issueTokens(
  ctx: Context,
  grant: { id: string; ends_at: number },
  parentId: string | null,
): IssuedTokens {
  const access = newToken("access", ctx.teamId, ctx.random);
  const refresh = newToken("refresh", ctx.teamId, ctx.random);
  const accessEnds = Math.min(ctx.now + ACCESS_LIFE_MS, grant.ends_at);
  ctx.write(insertAppTokens, {
    team_id: ctx.teamId,
    id: ctx.newId(),
    grant_id: grant.id,
    parent_id: parentId,
    access_hash: tokenHash(access),
    access_ends_at: accessEnds,
    refresh_hash: tokenHash(refresh),
    refresh_ends_at: Math.min(ctx.now + REFRESH_LIFE_MS, grant.ends_at),
    issued_at: ctx.now,
    used_at: null,
    replaced_at: null,
  });
  return { access, refresh, expiresInSeconds: Math.floor((accessEnds - ctx.now) / 1_000) };
}
