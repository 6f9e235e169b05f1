import { PASSKEY_NAME_MAX } from "@frontdesk/core/domain/factors";
import { canonicalId } from "@frontdesk/core/domain/id";
import { because } from "@frontdesk/core/domain/reasons";
import { conflict, invalid, notFound } from "@frontdesk/core/domain/refusal";
import type { NewPasskey } from "../access/passkey.ts";
import { newUserHandle } from "../access/user-handle.ts";
import { findAgent } from "../agents/find-agent.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { signedInAgent } from "../sessions/signed-in-agent.ts";
import type { AgentRow, PasskeyRow } from "../storage/tables.ts";
import { mailChange } from "./credential-mail.ts";
import { factorAdded } from "./factor-added.ts";
import { insertPasskey, passkeyByCredential, passkeysOfAgent, renamePasskeyRow } from "./passkey-store.ts";
import { takeChallenge, type UsedPasskey } from "./use-passkey.ts";

/** More than anyone has devices. */
const MOST_PASSKEYS = 20;

/**
 * What a new passkey of the signed-in agent is made of.
 *
 * @throws Refusal `conflict` when they have as many as there may be
 */
export const beginPasskey: Operation<
  Record<never, never>,
  { agent: AgentRow; passkeys: readonly PasskeyRow[]; userHandle: string }
> = {
  name: "begin-passkey",
  mode: "read",
  async run(ctx) {
    const { agentId } = signedInAgent(ctx);
    const agent = await findAgent(ctx, agentId);
    const passkeys = await ctx.db.all(passkeysOfAgent, { team_id: ctx.teamId, agent_id: agentId });
    if (passkeys.length >= MOST_PASSKEYS) throw conflict("too-many-passkeys");
    return { agent, passkeys, userHandle: passkeys[0]?.user_handle ?? newUserHandle(ctx.teamId, ctx.random) };
  },
};

export interface PasskeyToAdd extends NewPasskey, Pick<UsedPasskey, "challenge" | "challengeEndsAt"> {
  name: string;
  userHandle: string;
  rpId: string;
}

/**
 * Adds a passkey whose signature was right.
 *
 * @returns the recovery codes that come with the first factor; empty for another one
 * @throws Refusal `invalid` on `name`; `conflict` for one that is known, or a challenge that was used
 */
export const addPasskey: Operation<PasskeyToAdd, { id: string; recoveryCodes: readonly string[] }> = {
  name: "add-passkey",
  mode: "write",
  async run(ctx, added) {
    const { agentId } = signedInAgent(ctx);
    const name = checkedPasskeyName(added.name);
    const { credentialId: credential_id } = added;
    const known = await ctx.db.first(passkeyByCredential, { team_id: ctx.teamId, credential_id });
    if (known || !(await takeChallenge(ctx, added))) throw conflict("passkey-refused");
    const id = ctx.newId();
    await ctx.db.run(insertPasskey, {
      ...{ team_id: ctx.teamId, id, agent_id: agentId, credential_id, public_key: added.publicKey },
      ...{ user_handle: added.userHandle, rp_id: added.rpId, counter: added.counter },
      ...{ transports: JSON.stringify(added.transports), is_synced: added.isSynced ? 1 : 0, name },
      ...{ created_at: ctx.now, last_used_at: null },
    });
    const agent = await findAgent(ctx, agentId);
    audit(ctx, { agent: auditedAgent(agent), passkey: name });
    await mailChange(ctx, agent, "passkey-added");
    return { id, recoveryCodes: await factorAdded(ctx, agentId) };
  },
};

/** @throws Refusal `not-found`; `invalid` on `name` */
export const renamePasskey: Operation<{ passkeyId: string; name: string }, void> = {
  name: "rename-passkey",
  mode: "write",
  async run(ctx, { passkeyId, name }) {
    const { agentId } = signedInAgent(ctx);
    const id = canonicalId(passkeyId);
    const asked = { team_id: ctx.teamId, agent_id: agentId, name: checkedPasskeyName(name) };
    const renamed = id && (await ctx.db.run(renamePasskeyRow, { ...asked, id }));
    if (!renamed) throw notFound("factor");
  },
};

function checkedPasskeyName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "") throw invalid({ name: "empty" });
  if ([...trimmed].length > PASSKEY_NAME_MAX) throw invalid({ name: because("too-long", { max: PASSKEY_NAME_MAX }) });
  return trimmed;
}
