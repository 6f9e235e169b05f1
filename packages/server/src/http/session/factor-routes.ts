import { type Me, type SessionBody, sessionOperations } from "@frontdesk/core/contract/session";
import { invalid, notAuthenticated, rateLimited } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AgentActor, SystemActor } from "../../access/actor.ts";
import { passwordFits } from "../../access/password.ts";
import { tokenTeam } from "../../access/token.ts";
import { getOwnProfile } from "../../agents/get-own-profile.ts";
import { beginApp, confirmApp } from "../../factors/authenticator-app.ts";
import type { CodeVerdict, TypedCode } from "../../factors/check-code.ts";
import { endBrowserTrust } from "../../factors/end-browser-trust.ts";
import { listAgentsWithFactor } from "../../factors/list-agents-with-factor.ts";
import { getOwnFactors } from "../../factors/own-factors.ts";
import { presentOwnFactors, presentSignInRules } from "../../factors/present-factors.ts";
import { removeAgentFactors, removeFactor, renewRecoveryCodes } from "../../factors/remove-factor.ts";
import { getSignInRules, updateSignInRules } from "../../factors/sign-in-rules.ts";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";
import type { Perform } from "../../perform.ts";
import { endAgentSessions } from "../../sessions/end-session.ts";
import { finishSecondStep } from "../../sessions/finish-second-step.ts";
import { noteFailedSignIn } from "../../sessions/start-session.ts";
import { type Proof, verifySession } from "../../sessions/verify-session.ts";
import type { BeginSession } from "./begin-session.ts";
import { ownPasskey, type ReadPasskey } from "./passkey-routes.ts";
import type { OwnCookies } from "./session-cookie.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

export interface FactorRouteServices extends SessionDoors {
  perform: Perform;
  sessions: BeginSession;
  cookies: OwnCookies;
  bounds: StrangerBounds;
  now(): number;
  readPasskey: ReadPasskey;
  /** Whether browsers have passkeys at this address. */
  hasPasskeys: boolean;
  me(agent: AgentActor): Promise<Me>;
}

/** The second step of signing in, proving again who one is, and agents' second factors (docs/decisions/0069-ways-in.md). */
export async function factorRoutes(app: FastifyInstance, services: FactorRouteServices): Promise<void> {
  const { perform, sessions, cookies, bounds, now, readPasskey, hasPasskeys, me } = services;
  const serve = sessionEndpoints(app, services);

  serve(sessionOperations.finishSignIn, async ({ request, reply, body }) => {
    await bounds.take({ address: request.ip }, { "second-steps": 1 });
    const token = cookies.secondStep.read(request) ?? "";
    const teamId = tokenTeam("second", token);
    if (teamId === undefined) throw notAuthenticated("second-step");
    const typed = typedCode(body);
    const door: SystemActor = { kind: "system", teamId, ip: request.ip };
    const asked = { token, typed, browser: sessions.browserOf(request), trust: body.trust_browser === true };
    const result = await perform(door, finishSecondStep, asked);
    if ("verdict" in result) throw refusalOf(result, "code" in typed ? "code" : "recovery_code", now());
    const agent = await sessions.enter(request, reply, result);
    cookies.secondStep.clear(request, reply);
    return me(agent);
  });

  serve(sessionOperations.verifySession, async ({ agent, request, reply, body }) => {
    const proof = await proofOf(agent, request, body);
    const result = await perform(agent, verifySession, proof);
    if (result.verdict !== "right") throw refusalOf(result, "code", now());
    sessions.renew(request, reply, result.token);
    return {};
  });

  serve(sessionOperations.getOwnFactors, async ({ agent }) =>
    presentOwnFactors(await perform(agent, getOwnFactors, {}), { hasPasskeys }),
  );

  serve(sessionOperations.beginApp, ({ agent }) => perform(agent, beginApp, {}));

  serve(sessionOperations.confirmApp, async ({ agent, body: { code } }) => {
    const { recoveryCodes } = await perform(agent, confirmApp, { code });
    return { recovery_codes: [...recoveryCodes] };
  });

  serve(sessionOperations.removeFactor, async ({ agent, params }) => {
    await perform(agent, removeFactor, { factorId: params.id });
    return {};
  });

  serve(sessionOperations.renewRecoveryCodes, async ({ agent }) => {
    const { recoveryCodes } = await perform(agent, renewRecoveryCodes, {});
    return { recovery_codes: [...recoveryCodes] };
  });

  serve(sessionOperations.endBrowserTrust, async ({ agent, params }) => {
    await perform(agent, endBrowserTrust, { browserId: params.id });
    return {};
  });

  serve(sessionOperations.listAgentsWithFactor, async ({ agent }) => ({
    agent_ids: [...(await perform(agent, listAgentsWithFactor, {}))],
  }));

  serve(sessionOperations.getSignInRules, async ({ agent }) =>
    presentSignInRules(await perform(agent, getSignInRules, {})),
  );

  serve(sessionOperations.updateSignInRules, async ({ agent, body: { required, trusts_browsers } }) => {
    const change = {
      ...(required !== undefined && { required }),
      ...(trusts_browsers !== undefined && { trustsBrowsers: trusts_browsers }),
    };
    return presentSignInRules(await perform(agent, updateSignInRules, change));
  });

  serve(sessionOperations.removeAgentFactors, ({ agent, params }) =>
    perform(agent, removeAgentFactors, { agentId: params.id }),
  );

  serve(sessionOperations.endAgentSessions, async ({ agent, params }) => ({
    ended: await perform(agent, endAgentSessions, { agentId: params.id }),
  }));

  async function proofOf(
    agent: AgentActor,
    request: FastifyRequest,
    { password, code, passkey }: SessionBody<typeof sessionOperations.verifySession>,
  ): Promise<Proof> {
    if (passkey !== undefined) return { passkey: await ownPasskey(readPasskey, request, agent, passkey) };
    return code === undefined ? byPassword(agent, password) : { code };
  }

  /** @throws Refusal `invalid` on `password` */
  async function byPassword(agent: AgentActor, password: string | undefined): Promise<Proof> {
    if (password === undefined) throw invalid({ password: "empty" });
    await bounds.take({ mailbox: agent.agentId }, { "sign-ins": 1 });
    const { password_hash: passwordHash } = (await perform(agent, getOwnProfile, {})).agent;
    if (passwordHash !== null && (await passwordFits(passwordHash, password))) return { passwordHash };
    const door: SystemActor = { kind: "system", teamId: agent.teamId, ip: agent.ip };
    await perform(door, noteFailedSignIn, { agentId: agent.agentId });
    throw invalid({ password: "wrong-password" });
  }
}

function typedCode({ code, recovery_code: recoveryCode }: { code?: string; recovery_code?: string }): TypedCode {
  if (code !== undefined && recoveryCode === undefined) return { code };
  if (recoveryCode !== undefined && code === undefined) return { recoveryCode };
  throw invalid({ code: "empty" });
}

function refusalOf(verdict: Exclude<CodeVerdict, { verdict: "right" }>, field: string, now: number) {
  if (verdict.verdict === "wrong") return invalid({ [field]: "wrong-code" });
  return rateLimited(Math.max(1, Math.ceil((verdict.after - now) / 1_000)));
}
