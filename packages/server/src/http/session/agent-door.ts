import type { FastifyRequest } from "fastify";
import type { AgentActor } from "../../access/actor.ts";
import type { KnownSession } from "../../access/authenticate.ts";
import type { Limits } from "../../limits/rate-limiter.ts";
import { takeOrRefuse } from "../../limits/take-or-refuse.ts";
import type { OwnPage } from "../framework/own-page.ts";
import type { SessionCookie } from "./session-cookie.ts";

const WINDOW_MS = 60_000;
/** Requests of one session a minute, over all of its tabs; far more than a person makes. */
const MOST_REQUESTS = 1_200;
const MAX_SESSIONS = 10_000;

/**
 * Authentication for signed-in agents (docs/decisions/0025-signed-in-agents.md).
 *
 * @throws Refusal `not-authenticated`, `rate-limited`; HttpProblem 403 for a change that does not come from a page of ours
 */
export type AgentDoor = (request: FastifyRequest) => Promise<AgentActor>;

export function agentDoor({
  authenticate,
  cookie,
  ownPage,
  limits,
}: {
  authenticate: { session(token: string | undefined): Promise<KnownSession> };
  cookie: SessionCookie;
  ownPage: OwnPage;
  limits: Limits;
}): AgentDoor {
  const requests = limits.limiter("session", MOST_REQUESTS, WINDOW_MS, MAX_SESSIONS);
  return async (request) => {
    if (!onlyReads(request)) ownPage.require(request);
    const { actor } = await authenticate.session(cookie.read(request));
    await takeOrRefuse(requests, actor.sessionId);
    return { ...actor, ip: request.ip };
  };
}

/** GETs change nothing, anywhere. */
export function onlyReads({ method }: Pick<FastifyRequest, "method">): boolean {
  return method === "GET" || method === "HEAD";
}
