import type { WayIn } from "@frontdesk/core/domain/ways-in";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AgentActor, SystemActor } from "../../access/actor.ts";
import type { KnownSession } from "../../access/authenticate.ts";
import type { Perform } from "../../perform.ts";
import type { AgentWithPassword } from "../../sessions/sign-in.ts";
import { startSession } from "../../sessions/start-session.ts";
import type { SessionCookie } from "./session-cookie.ts";

/** Signs an agent in with the requesting browser: by password, invitation, or the set-up page. */
export type BeginSession = (
  request: FastifyRequest,
  reply: FastifyReply,
  agent: AgentWithPassword,
  wayIn: WayIn,
) => Promise<AgentActor>;

export function beginSession({
  perform,
  authenticate,
  cookie,
}: {
  perform: Perform;
  authenticate: { session(token: string | undefined): Promise<KnownSession> };
  cookie: SessionCookie;
}): BeginSession {
  return async (request, reply, { teamId, agentId, passwordHash }, wayIn) => {
    const door: SystemActor = { kind: "system", teamId, ip: request.ip };
    const userAgent = request.headers["user-agent"];
    const { token } = await perform(door, startSession, { agentId, passwordHash, wayIn, userAgent });
    cookie.set(request, reply, token);
    const { actor } = await authenticate.session(token);
    return { ...actor, ip: request.ip };
  };
}
