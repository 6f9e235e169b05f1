import type { SecondStep } from "@frontdesk/core/contract/session";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AgentActor, SystemActor } from "../../access/actor.ts";
import type { KnownSession } from "../../access/authenticate.ts";
import type { Browser } from "../../factors/known-browser.ts";
import type { Perform } from "../../perform.ts";
import type { OpenedSession, SecondStepAsked } from "../../sessions/open-session.ts";
import type { AgentWithPassword } from "../../sessions/sign-in.ts";
import { type NewSession, startSession } from "../../sessions/start-session.ts";
import type { OwnCookies } from "./session-cookie.ts";

/** What the routes of signing in share: they alone set the cookies of a session. */
export interface BeginSession {
  /** After a right password, an invitation or the set-up page. */
  begin(
    request: FastifyRequest,
    reply: FastifyReply,
    agent: AgentWithPassword,
    wayIn: NewSession["wayIn"],
  ): Promise<Begun>;
  /** Asks the browser for the second step. */
  askSecondStep(request: FastifyRequest, reply: FastifyReply, asked: SecondStepAsked): SecondStep;
  /** Gives the browser a session that has begun. */
  enter(request: FastifyRequest, reply: FastifyReply, opened: OpenedSession): Promise<AgentActor>;
  /** Gives the browser the new token of its session. */
  renew(request: FastifyRequest, reply: FastifyReply, token: string): void;
  /** The browser of a request. */
  browserOf(request: FastifyRequest): Browser;
}

/** The agent who is signed in; or the second step that they are asked for. */
export type Begun = { agent: AgentActor } | SecondStep;

/** Agents who sign in with one browser; the token of the one who was there first is dropped. */
const MOST_AGENTS_IN_BROWSER = 8;
const BETWEEN_TOKENS = ".";

export function beginSession({
  perform,
  authenticate,
  cookies,
}: {
  perform: Perform;
  authenticate: { session(token: string | undefined): Promise<KnownSession> };
  cookies: OwnCookies;
}): BeginSession {
  return {
    async begin(request, reply, { teamId, agentId, passwordHash }, wayIn) {
      const door: SystemActor = { kind: "system", teamId, ip: request.ip };
      const asked = { agentId, passwordHash, wayIn, browser: browserOf(request) };
      const begun = await perform(door, startSession, asked);
      if (begun.outcome === "session") return { agent: await enter(request, reply, begun) };
      return askSecondStep(request, reply, begun);
    },
    askSecondStep,
    enter,
    renew: (request, reply, token) => cookies.session.set(request, reply, token),
    browserOf,
  };

  function askSecondStep(request: FastifyRequest, reply: FastifyReply, asked: SecondStepAsked): SecondStep {
    cookies.secondStep.set(request, reply, asked.token);
    return presentSecondStep(asked);
  }

  async function enter(request: FastifyRequest, reply: FastifyReply, opened: OpenedSession): Promise<AgentActor> {
    cookies.session.set(request, reply, opened.token);
    if (opened.browserToken) {
      const tokens = [opened.browserToken, ...browserOf(request).tokens].slice(0, MOST_AGENTS_IN_BROWSER);
      cookies.browser.set(request, reply, tokens.join(BETWEEN_TOKENS));
    }
    const { actor } = await authenticate.session(opened.token);
    return { ...actor, ip: request.ip };
  }

  function browserOf(request: FastifyRequest): Browser {
    const tokens = cookies.browser.read(request)?.split(BETWEEN_TOKENS) ?? [];
    return { tokens: tokens.slice(0, MOST_AGENTS_IN_BROWSER), userAgent: request.headers["user-agent"] };
  }
}

function presentSecondStep({ app, passkey, recoveryCodes, mayTrust }: SecondStepAsked): SecondStep {
  return { second_step: { app, passkey, recovery_codes: recoveryCodes, may_trust: mayTrust } };
}
