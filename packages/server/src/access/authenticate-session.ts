import type { AgentRole, Availability } from "@frontdesk/core/domain/agent";
import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import { sessionIsOver } from "../sessions/session.ts";
import { markSessionSeen, sessionByToken } from "../sessions/session-store.ts";
import type { Storage } from "../storage/database.ts";
import type { AgentActor } from "./actor.ts";
import type { NoteUse } from "./note-use.ts";
import { remembered } from "./remembered.ts";
import { tokenHash, tokenTeam } from "./token.ts";

/** A session that has not ended. */
export interface KnownSession {
  actor: AgentActor;
  availability: Availability;
}

interface SessionInMemory extends KnownSession {
  createdAt: number;
  notedAt: number;
}

export function authenticateSessions(storage: Storage, now: () => number, noteUse: NoteUse) {
  const sessions = remembered<SessionInMemory>(storage);

  /**
   * The agent of a session, with the present role. Each request counts as use: a session ends when it was not used for 14 days.
   *
   * @throws Refusal `not-authenticated` for a missing, malformed or unknown token, and for a session that is over
   */
  return async (token: string | undefined): Promise<KnownSession> => {
    if (token === undefined) throw notAuthenticated("session");
    const hash = tokenHash(token);
    const session = await sessions.get(hash, () => lookUp(storage, token, hash));
    // Another process may have noted its use since this one read it.
    if (isOver(session, now())) Object.assign(session, await lookUp(storage, token, hash));
    if (isOver(session, now())) throw notAuthenticated("session");
    noteUse(session, session.actor.sessionId, markSessionSeen);
    return session;
  };
}

const isOver = ({ createdAt, notedAt }: SessionInMemory, moment: number): boolean =>
  sessionIsOver({ createdAt, lastSeenAt: notedAt }, moment);

async function lookUp(storage: Storage, token: string, hash: string): Promise<SessionInMemory> {
  const teamId = tokenTeam("session", token);
  if (teamId === undefined) throw notAuthenticated("session");
  const row = await storage.first(sessionByToken, { team_id: teamId, token_hash: hash });
  // The session of a deactivated agent is kept, unusable, so that its browser can say why.
  if (row?.status === "deactivated") throw notAuthenticated("deactivated");
  if (row?.status !== "active") throw notAuthenticated("session");
  const role = row.role as AgentRole;
  return {
    actor: { kind: "agent", teamId, agentId: row.agent_id, role, sessionId: row.id },
    availability: row.availability as Availability,
    createdAt: row.created_at,
    notedAt: row.last_seen_at,
  };
}
