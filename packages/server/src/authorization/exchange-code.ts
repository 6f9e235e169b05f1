import { createHash } from "node:crypto";
import { tokenHash } from "../access/token.ts";
import { assistantById } from "../assistants/assistant-store.ts";
import { audit } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { appGrantByCode, markCodeUsed } from "./app-grant-store.ts";
import { endGrant } from "./end-grant.ts";
import { type IssuedTokens, issueTokens } from "./issue-tokens.ts";
import { noteEnded } from "./note-ended.ts";

/** What an app shows for its tokens, as it came. */
export interface ShownCode {
  code: string;
  clientId: string;
  /** OAuth 2.1 no longer has it here, OAuth 2.0 has. */
  redirectUri: string | undefined;
  verifier: string;
  /** Undefined: that of the grant. */
  resource: string | undefined;
}

/** `used`: a second use, after which nothing of the first one works. */
export type ExchangedCode =
  | { outcome: "issued"; tokens: IssuedTokens }
  | { outcome: "wrong" }
  | { outcome: "wrong-resource" }
  | { outcome: "used" };

/**
 * Gives the tokens of a code, once: to the app that the person has allowed, at the redirect that was asked for, and with the secret
 * whose hash came with the request (PKCE). A second use, by whatever program, ends the grant: one of the two had no right to it.
 */
export const exchangeCode: Operation<ShownCode, ExchangedCode> = {
  name: "exchange-code",
  mode: "write",
  async run(ctx, { code, clientId, redirectUri, verifier, resource }) {
    const grant = await ctx.db.first(appGrantByCode, { team_id: ctx.teamId, code_hash: tokenHash(code) });
    if (!grant) return { outcome: "wrong" };
    const assistant = await ctx.db.first(assistantById, { team_id: ctx.teamId, id: grant.assistant_id });
    if (!assistant || assistant.state === "revoked") return { outcome: "wrong" };
    if (grant.code_used_at !== null) {
      endGrant(ctx, grant.id);
      noteEnded(ctx, assistant);
      audit(ctx, { assistant: { id: assistant.id, name: assistant.name } });
      return { outcome: "used" };
    }
    const isBound =
      grant.code_ends_at > ctx.now &&
      grant.client_id === clientId &&
      (redirectUri === undefined || grant.redirect_uri === redirectUri) &&
      isVerifier(verifier, grant.challenge);
    if (!isBound) return { outcome: "wrong" };
    if (resource !== undefined && resource !== grant.resource) return { outcome: "wrong-resource" };
    ctx.write(markCodeUsed, { team_id: ctx.teamId, id: grant.id, code_used_at: ctx.now });
    return { outcome: "issued", tokens: issueTokens(ctx, grant, null) };
  },
};

function isVerifier(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  return createHash("sha256").update(verifier).digest("base64url") === challenge;
}
