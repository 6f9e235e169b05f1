import { type ChannelReason, channelReason, channelSentence } from "@frontdesk/core/domain/channel-reason";
import { channelAccountById } from "../../channels/channel-account-store.ts";
import type { Runtime } from "../../context.ts";
import type { Storage } from "../../storage/database.ts";
import type { Timeouts } from "../../timeouts.ts";
import { beginRenewing, endRenewing, grantById, keepTokens, type OfGrant, replaceTokens } from "./grant-store.ts";
import { type MailTokens, openTokens, sealTokens } from "./mail-grant.ts";
import { appKey } from "./oauth-provider.ts";
import type { OAuthClient, ServiceClient, TokenProblem, TokenRequests } from "./token-requests.ts";

/** A token is renewed so long before it is over. */
export const RENEW_BEFORE_MS = 5 * 60_000;
/** A process that dies while it renews one holds up the others so long. */
const RENEWING_MS = 30_000;
/** How often the others look whether it is renewed. */
const LOOK_MS = 250;

export type TakenToken =
  /** `isFresh`: given by the provider just now, so that a server that refuses it will not take another. */
  { token: string; isFresh: boolean } | MissingToken;

/** Why there is none: a reason for the state of the account, and the provider's words. */
export interface MissingToken extends TokenProblem {
  reason: ChannelReason<`token.${TokenProblem["problem"]}` | "token.service">;
}

/** The tokens of mailboxes that are signed in to by OAuth 2. */
export interface MailboxTokens {
  /**
   * A token that is good for some minutes. It is renewed when needed, by one process at a time, and what the provider gives
   * is stored before it is used: a provider may take a token to renew with only once.
   *
   * @param options.refused a token that the mail server has refused before its time was over
   */
  take(account: OfGrant, client: OAuthClient, options?: { refused?: string | undefined }): Promise<TakenToken>;
}

/** A mailbox cannot be signed in to: there is no token. */
export class NoToken extends Error {
  readonly missing: MissingToken;

  constructor(missing: MissingToken) {
    super([channelSentence(missing.reason), missing.words].filter(Boolean).join(" "));
    this.missing = missing;
  }
}

/**
 * ```
 * an app that needs no person: read --(good for 5 minutes more)--> taken
 *                                '--(none, or over soon)--> ask the provider --(a token)--> stored --> taken
 *                                                             '--(none)--> app or away
 * read --(none, or of another app)--> refused
 *   |--(good for 5 minutes more)----> taken
 *   '--(over soon)--> claim --(another process renews it)--> wait, read again; away after 30 s
 *                       '--(ours)--> ask the provider --(a token)--> stored --> taken
 *                                                     '--(none)----> the claim ends --> refused, app or away
 * ```
 */
export function createMailboxTokens({
  storage,
  runtime,
  timeouts,
  requests,
}: {
  storage: Storage;
  runtime: Pick<Runtime, "now" | "vault">;
  timeouts: Timeouts;
  requests: TokenRequests;
}): MailboxTokens {
  return {
    async take(account, client, { refused } = {}) {
      if (isService(client)) return takeOfService(account, client, refused);
      const giveUpAt = runtime.now() + RENEWING_MS;
      for (;;) {
        const row = await storage.first(grantById, account);
        const tokens = row?.tokens_sealed ? opened(account, row.tokens_sealed, client) : undefined;
        if (!row?.tokens_sealed || !tokens) return problem({ problem: "refused", words: null });
        if (isGood(tokens, refused)) return { token: tokens.access, isFresh: false };
        if (tokens.refresh === null) {
          const lasts = tokens.access !== refused && tokens.goodUntil > runtime.now();
          return lasts ? { token: tokens.access, isFresh: true } : problem({ problem: "refused", words: null });
        }
        const now = runtime.now();
        const claim = { ...account, renewing_until: now + RENEWING_MS };
        const before = row.tokens_sealed;
        const isOurs = await storage.write(account.team_id, (db) => db.run(beginRenewing, { ...claim, now, before }));
        if (isOurs > 0) return renew(claim, client, { refresh: tokens.refresh, sealed: before });
        if (now >= giveUpAt) return problem({ problem: "away", words: null });
        await new Promise<void>((resolve) => void timeouts.after(LOOK_MS, resolve));
      }
    },
  };

  /** Such a token can be asked for as often as needed: processes need not wait for each other, and the last one stays. */
  async function takeOfService(account: OfGrant, client: ServiceClient, refused?: string): Promise<TakenToken> {
    const row = await storage.first(grantById, account);
    const stored = row?.tokens_sealed ? opened(account, row.tokens_sealed, client) : undefined;
    if (stored && isGood(stored, refused)) return { token: stored.access, isFresh: false };
    const answer = await requests.obtain(client);
    if (!("tokens" in answer)) return serviceProblem(answer);
    const tokens_sealed = sealTokens(runtime.vault, account, answer.tokens);
    await storage.write(account.team_id, async (db) => {
      // One that is tried before it is saved has no row, and one that is deleted meanwhile keeps none.
      const saved = await db.first(channelAccountById, account);
      if (saved?.deleted_at === null) await db.run(keepTokens, { ...account, tokens_sealed });
    });
    return { token: answer.tokens.access, isFresh: true };
  }

  function isGood({ access, goodUntil }: MailTokens, refused: string | undefined): boolean {
    return access !== refused && goodUntil - runtime.now() > RENEW_BEFORE_MS;
  }

  function opened(account: OfGrant, sealed: string, client: OAuthClient): MailTokens | undefined {
    try {
      const tokens = openTokens(runtime.vault, account, sealed);
      return tokens.app === appKey(client) ? tokens : undefined;
    } catch {
      return undefined;
    }
  }

  async function renew(
    { renewing_until, ...account }: OfGrant & { renewing_until: number },
    client: OAuthClient,
    before: { refresh: string; sealed: string },
  ): Promise<TakenToken> {
    const answer = await requests.renew(client, before.refresh);
    if (!("tokens" in answer)) {
      await storage.write(account.team_id, (db) => db.run(endRenewing, { ...account, renewing_until }));
      return problem(answer);
    }
    const tokens_sealed = sealTokens(runtime.vault, account, answer.tokens);
    await storage.write(account.team_id, (db) =>
      db.run(replaceTokens, { ...account, tokens_sealed, before: before.sealed }),
    );
    return { token: answer.tokens.access, isFresh: true };
  }
}

const isService = (client: OAuthClient): client is ServiceClient => client.service !== undefined;

const serviceProblem = (answer: TokenProblem): TakenToken => ({
  ...answer,
  reason: channelReason(answer.problem === "away" ? "token.away" : "token.service"),
});

const problem = ({ problem: kind, words }: TokenProblem): TakenToken => ({
  problem: kind,
  reason: channelReason(`token.${kind}`),
  words,
});
