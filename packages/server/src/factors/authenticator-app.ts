import { conflict, invalid } from "@frontdesk/core/domain/refusal";
import { newTotpSecret, totpUri } from "../access/totp.ts";
import { findAgent } from "../agents/find-agent.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { signedInAgent } from "../sessions/signed-in-agent.ts";
import type { AuthenticatorAppRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";
import { appSecretPlace, newStepOf } from "./check-code.ts";
import { mailChange } from "./credential-mail.ts";
import { factorAdded } from "./factor-added.ts";
import { appOfAgent, confirmAppRow, deleteApp, insertApp } from "./factor-store.ts";

/** Shown once, for the app. */
export interface NewApp {
  secret: string;
  /** What the QR code holds. */
  uri: string;
}

/**
 * Makes the secret of an authenticator app; it counts for nothing before `confirm-app`. A repeat makes another one.
 *
 * @throws Refusal `conflict` when the agent has an app already
 */
export const beginApp: Operation<Record<never, never>, NewApp> = {
  name: "begin-app",
  mode: "write",
  async run(ctx) {
    const { agentId } = signedInAgent(ctx);
    const own = { team_id: ctx.teamId, agent_id: agentId };
    const before = await ctx.db.first(appOfAgent, own);
    if (before?.confirmed_at != null) throw conflict("has-app");
    const [agent, team] = await Promise.all([findAgent(ctx, agentId), ctx.db.first(teamById, { team_id: ctx.teamId })]);
    const secret = newTotpSecret(ctx.random);
    const id = ctx.newId();
    if (before) await ctx.db.run(deleteApp, own);
    ctx.write(insertApp, {
      ...{ ...own, id, secret_sealed: ctx.vault.seal(secret, appSecretPlace({ team_id: ctx.teamId, id })) },
      ...{ last_step: 0, created_at: ctx.now, confirmed_at: null, last_used_at: null },
    });
    return { secret, uri: totpUri({ secret, issuer: `Frontdesk ${team?.name ?? ""}`.trim(), account: agent.email }) };
  },
};

/**
 * The app has shown a right code, and counts from now on.
 *
 * @returns the recovery codes that come with the first factor; empty for another one
 * @throws Refusal `invalid` on `code`; `conflict` when no app was begun, or it is confirmed already
 */
export const confirmApp: Operation<{ code: string }, { recoveryCodes: readonly string[] }> = {
  name: "confirm-app",
  mode: "write",
  async run(ctx, { code }) {
    const { agentId } = signedInAgent(ctx);
    const app = await ctx.db.first(appOfAgent, { team_id: ctx.teamId, agent_id: agentId });
    if (!app || app.confirmed_at !== null) throw conflict("no-app-begun");
    const step = newStepOf(ctx, app, code);
    if (step === undefined) throw invalid({ code: "wrong-code" });
    await ctx.db.run(confirmAppRow, {
      ...{ team_id: ctx.teamId, id: app.id, last_step: step, confirmed_at: ctx.now },
    } satisfies Partial<AuthenticatorAppRow>);
    const agent = await findAgent(ctx, agentId);
    audit(ctx, { agent: auditedAgent(agent) });
    await mailChange(ctx, agent, "app-added");
    return { recoveryCodes: await factorAdded(ctx, agentId) };
  },
};
