import type { AgentRole, Availability } from "@frontdesk/core/domain/agent";
import type { SessionReach } from "@frontdesk/core/domain/factors";
import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import { REPLACED_TOKEN_MS, sessionIsOver } from "../sessions/session.ts";
import {
  markSessionSeen,
  type SessionToCheck,
  sessionById,
  sessionByReplacedToken,
  sessionByToken,
} from "../sessions/session-store.ts";
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
  /** When it is over, however much it is used; of a token that a proof has replaced, until when it is accepted. */
  endsAt: number | null;
}

/** A session that was authenticated by its token before. */
export interface OpenSession {
  teamId: string;
  sessionId: string;
}

export function authenticateSessions(storage: Storage, now: () => number, noteUse: NoteUse) {
  const sessions = remembered<SessionInMemory>(storage);

  return {
    /**
     * The agent of a session, with the present role. Each request counts as use: a session ends when it was not used for 14
     * days.
     *
     * @throws Refusal `not-authenticated` for a missing, malformed or unknown token, and for a session that is over
     */
    async session(token: string | undefined): Promise<KnownSession> {
      if (token === undefined) throw notAuthenticated("session");
      const hash = tokenHash(token);
      return present(hash, () => lookUp(storage, token, hash));
    },

    /**
     * The same for what stays open: its token may be replaced meanwhile.
     *
     * @throws Refusal `not-authenticated` when the session is over
     */
    openSession({ teamId, sessionId }: OpenSession): Promise<KnownSession> {
      return present(sessionId, async () =>
        sessionOf(teamId, await storage.first(sessionById, { team_id: teamId, id: sessionId })),
      );
    },
  };

  async function present(name: string, find: () => Promise<SessionInMemory>): Promise<KnownSession> {
    const session = await sessions.get(name, find);
    // Another process may have noted its use since this one read it.
    if (isOver(session, now())) Object.assign(session, await find());
    if (isOver(session, now())) throw notAuthenticated("session");
    noteUse(session, session.actor.sessionId, markSessionSeen);
    return session;
  }
}

const isOver = ({ createdAt, notedAt, endsAt }: SessionInMemory, moment: number): boolean =>
  sessionIsOver({ createdAt, lastSeenAt: notedAt, endsAt }, moment);

async function lookUp(storage: Storage, token: string, hash: string): Promise<SessionInMemory> {
  const teamId = tokenTeam("session", token);
  if (teamId === undefined) throw notAuthenticated("session");
  const asked = { team_id: teamId, token_hash: hash };
  const row = await storage.first(sessionByToken, asked);
  if (row) return sessionOf(teamId, row);
  const replaced = await storage.first(sessionByReplacedToken, asked);
  const { actor, ...session } = sessionOf(teamId, replaced);
  const endsAt = Math.min(session.endsAt ?? Number.POSITIVE_INFINITY, actor.verifiedAt + REPLACED_TOKEN_MS);
  // What it brings was sent before the proof.
  return { ...session, actor: { ...actor, verifiedAt: 0 }, endsAt };
}

function sessionOf(teamId: string, row: SessionToCheck | undefined): SessionInMemory {
  // The session of a deactivated agent is kept, unusable, so that its browser can say why.
  if (row?.status === "deactivated") throw notAuthenticated("deactivated");
  if (row?.status !== "active") throw notAuthenticated("session");
  const role = row.role as AgentRole;
  return {
    actor: {
      kind: "agent",
      teamId,
      agentId: row.agent_id,
      role,
      sessionId: row.id,
      verifiedAt: row.verified_at,
      reach: row.reach as SessionReach,
    },
    availability: row.availability as Availability,
    createdAt: row.created_at,
    notedAt: row.last_seen_at,
    endsAt: row.ends_at,
  };
}
