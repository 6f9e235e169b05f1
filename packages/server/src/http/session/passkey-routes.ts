import { type Me, sessionOperations } from "@frontdesk/core/contract/session";
import { conflict, invalid, notAuthenticated } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AgentActor, SystemActor } from "../../access/actor.ts";
import {
  claimedPasskey,
  creationOptions,
  readAssertion,
  readNewPasskey,
  requestOptions,
} from "../../access/passkey.ts";
import type { RelyingParty } from "../../access/relying-party.ts";
import { tokenTeam } from "../../access/token.ts";
import { addPasskey, beginPasskey, renamePasskey } from "../../factors/add-passkey.ts";
import { findPasskey, type UsedPasskey } from "../../factors/use-passkey.ts";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";
import { type Perform, requireMay } from "../../perform.ts";
import { signInWithPasskey } from "../../sessions/sign-in-with-passkey.ts";
import type { BeginSession } from "./begin-session.ts";
import type { PasskeyChallenges } from "./passkey-challenge.ts";
import type { OwnCookies } from "./session-cookie.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

export interface PasskeyRouteServices extends SessionDoors {
  perform: Perform;
  sessions: BeginSession;
  cookies: OwnCookies;
  bounds: StrangerBounds;
  challenges: PasskeyChallenges;
  readPasskey: ReadPasskey;
  /** Undefined where browsers have no passkeys. */
  relyingParty: RelyingParty | undefined;
  now(): number;
  me(agent: AgentActor): Promise<Me>;
}

/** What a browser's passkey has signed for the browser's challenge; undefined for anything else. */
export type ReadPasskey = (
  request: FastifyRequest,
  response: unknown,
) => Promise<{ teamId: string; agentId: string; used: UsedPasskey } | undefined>;

export function passkeyReader({
  perform,
  challenges,
  relyingParty,
}: Pick<PasskeyRouteServices, "perform" | "challenges" | "relyingParty">): ReadPasskey {
  return async (request, response) => {
    const begun = challenges.read(request);
    const claimed = claimedPasskey(response);
    if (!relyingParty || !begun || begun.adds || !claimed) return undefined;
    const { teamId, credentialId, userHandle } = claimed;
    const door: SystemActor = { kind: "system", teamId, ip: request.ip };
    const passkey = await perform(door, findPasskey, { credentialId });
    if (passkey?.user_handle !== userHandle) return undefined;
    const { challenge, endsAt: challengeEndsAt } = begun;
    const seen = await readAssertion(relyingParty, response, challenge, passkey);
    return seen && { teamId, agentId: passkey.agent_id, used: { credentialId, ...seen, challenge, challengeEndsAt } };
  };
}

/** Signing in with passkeys, and adding them (docs/decisions/0069-ways-in.md). */
export async function passkeyRoutes(app: FastifyInstance, services: PasskeyRouteServices): Promise<void> {
  const { perform, sessions, cookies, bounds, challenges, readPasskey, relyingParty, now, me } = services;
  const serve = sessionEndpoints(app, services);

  serve(sessionOperations.beginPasskeySignIn, async ({ request, reply }) => {
    if (!relyingParty) return { options: null };
    return { options: { ...(await requestOptions(relyingParty, challenges.begin(request, reply))) } };
  });

  serve(sessionOperations.signInWithPasskey, async ({ request, reply, body }) => {
    await bounds.take({ address: request.ip }, { "second-steps": 1 });
    const read = await readPasskey(request, body.response);
    if (!read) throw notAuthenticated("passkey");
    const door: SystemActor = { kind: "system", teamId: read.teamId, ip: request.ip };
    const token = cookies.secondStep.read(request) ?? "";
    // One of another team was begun by someone else.
    const secondStep = tokenTeam("second", token) === read.teamId ? token : undefined;
    const asked = { ...read.used, browser: sessions.browserOf(request), secondStep };
    return me(await sessions.enter(request, reply, await perform(door, signInWithPasskey, asked)));
  });

  serve(sessionOperations.beginPasskey, async ({ agent, request, reply }) => {
    if (!relyingParty) throw conflict("no-passkeys-here");
    const { agent: own, passkeys, userHandle } = await perform(agent, beginPasskey, {});
    const challenge = challenges.begin(request, reply, { agentId: agent.agentId, userHandle });
    const { email, name } = own;
    return { options: { ...(await creationOptions(relyingParty, { email, name, userHandle, challenge, passkeys })) } };
  });

  serve(sessionOperations.addPasskey, async ({ agent, request, body: { name, response } }) => {
    requireMay(agent, "add-passkey", now());
    const begun = challenges.read(request);
    if (!relyingParty || begun?.adds?.agentId !== agent.agentId) throw conflict("passkey-refused");
    const added = await readNewPasskey(relyingParty, response, begun.challenge);
    if (!added) throw conflict("passkey-refused");
    const { recoveryCodes } = await perform(agent, addPasskey, {
      ...added,
      ...{ name, userHandle: begun.adds.userHandle, rpId: relyingParty.id },
      ...{ challenge: begun.challenge, challengeEndsAt: begun.endsAt },
    });
    return { recovery_codes: [...recoveryCodes] };
  });

  serve(sessionOperations.renamePasskey, async ({ agent, params, body: { name } }) => {
    await perform(agent, renamePasskey, { passkeyId: params.id, name });
    return {};
  });
}

/** @throws Refusal `invalid` on `passkey` for one that is not the agent's: a 401 would sign them out */
export async function ownPasskey(
  readPasskey: ReadPasskey,
  request: FastifyRequest,
  agent: AgentActor,
  response: unknown,
): Promise<UsedPasskey> {
  const read = await readPasskey(request, response);
  if (read?.agentId !== agent.agentId || read.teamId !== agent.teamId) throw invalid({ passkey: "passkey-unknown" });
  return read.used;
}
