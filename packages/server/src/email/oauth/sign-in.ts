import { createHash } from "node:crypto";
import { invalid, notFound } from "@frontdesk/core/domain/refusal";
import { actorOfKind } from "../../access/actor.ts";
import { audit } from "../../audit/audit.ts";
import { auditedChannel } from "../../channels/create-channel.ts";
import { findShownAccount, type ShownAccount } from "../../channels/shown-account.ts";
import type { Context, Operation } from "../../context.ts";
import { readEmailSettings } from "../email-settings.ts";
import { followMailbox } from "../imap/follow-mailbox.ts";
import { clientOf, mailboxOf } from "./client-of.ts";
import { askForGrant, endAsking, grantById, saveTokens } from "./grant-store.ts";
import { type AskedGrant, type MailTokens, openAsked, sealAsked, sealTokens } from "./mail-grant.ts";
import type { OAuthClient } from "./token-requests.ts";

/** The page of the dashboard that providers send browsers back to; every app has to be registered with it. */
export const mailboxSignInUrl = (publicUrl: string): string => `${publicUrl}/app/settings/channels/sign-in`;

/** The same, for those who may set up a mailbox. */
export const getMailboxSignInUrl: Operation<{ publicUrl: string }, string> = {
  name: "get-mailbox-sign-in-url",
  mode: "read",
  run: async (_ctx, { publicUrl }) => mailboxSignInUrl(publicUrl),
};

/** How long an admin may take at the provider. */
const SIGN_IN_LIFE_MS = 15 * 60_000;
const SECRET_BYTES = 32;

export interface BegunSignIn {
  client: OAuthClient;
  state: string;
  challenge: string;
  /** What the mailbox is signed in to as. */
  mailbox: string;
}

/**
 * Begins the sign-in of a mailbox at its provider. Its end is bound to the agent who begins it, and to this one begin: another
 * one takes its place.
 *
 * @throws Refusal `not-found`, also for an account that signs in with a password, or without a person
 */
export const beginMailboxSignIn: Operation<{ accountId: string }, BegunSignIn> = {
  name: "begin-mailbox-sign-in",
  mode: "write",
  async run(ctx, { accountId }) {
    const account = await findShownAccount(ctx, accountId);
    const client = requireClient(account);
    const verifier = ctx.random(SECRET_BYTES).toString("base64url");
    // The state names the account, since the provider sends nothing else back.
    const state = `${accountId}.${ctx.random(SECRET_BYTES).toString("base64url")}`;
    const of = { team_id: ctx.teamId, id: accountId };
    const asked: AskedGrant = { state, verifier, agentId: agentOf(ctx), until: ctx.now + SIGN_IN_LIFE_MS };
    ctx.write(askForGrant, { ...of, asked_sealed: sealAsked(ctx.vault, of, asked) });
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    return { client, state, challenge, mailbox: mailboxOf(readEmailSettings(account.parts.settings)) };
  },
};

/**
 * Takes the answer of a provider. The sign-in that was begun ends with it, also with a bad answer.
 *
 * @throws Refusal `invalid` on `state` for what this agent has not begun, or too long ago; `not-found` for the account
 */
export const takeMailboxSignIn: Operation<
  { state: string },
  { accountId: string; client: OAuthClient; verifier: string }
> = {
  name: "take-mailbox-sign-in",
  mode: "write",
  async run(ctx, { state }) {
    const accountId = state.split(".", 1).join("");
    const of = { team_id: ctx.teamId, id: accountId };
    const row = isId(accountId) ? await ctx.db.first(grantById, of) : undefined;
    const asked = row?.asked_sealed ? openAsked(ctx.vault, of, row.asked_sealed) : undefined;
    const isTheirs = asked?.state === state && asked.agentId === agentOf(ctx) && asked.until > ctx.now;
    if (!row?.asked_sealed || !asked || !isTheirs) throw invalid({ state: "sign-in-over" });
    ctx.write(endAsking, { ...of, asked_sealed: row.asked_sealed });
    const account = await findShownAccount(ctx, accountId);
    return { accountId, client: requireClient(account), verifier: asked.verifier };
  },
};

/**
 * Keeps the tokens of a sign-in: the mailbox is tried, read, and its replies leave.
 *
 * @throws Refusal `not-found` for the account
 */
export const endMailboxSignIn: Operation<{ accountId: string; tokens: MailTokens }, ShownAccount> = {
  name: "end-mailbox-sign-in",
  mode: "write",
  async run(ctx, { accountId, tokens }) {
    const account = await findShownAccount(ctx, accountId);
    const of = { team_id: ctx.teamId, id: accountId };
    ctx.write(saveTokens, { ...of, tokens_sealed: sealTokens(ctx.vault, of, tokens) });
    followMailbox(ctx, account.row);
    ctx.enqueue({ kind: "try-channel-account", payload: { accountId }, queueKey: accountId });
    audit(ctx, { channel: auditedChannel(account.row) });
    return account;
  },
};

const isId = (text: string): boolean => /^[0-9a-f-]{36}$/.test(text);

function requireClient({ row, parts: { settings, secrets } }: ShownAccount): OAuthClient {
  const client = row.channel === "email" ? clientOf(readEmailSettings(settings), secrets) : undefined;
  if (!client || client.service) throw notFound("channel");
  return client;
}

const agentOf = ({ actor }: Context): string => actorOfKind(actor, "agent").agentId;
