import { type AgentRole, type Availability, canAct } from "@frontdesk/core/domain/agent";
import { canonicalId } from "@frontdesk/core/domain/id";
import { scopesOfAgent } from "@frontdesk/core/domain/policy";
import { introduceAgain, notAllowed, notAuthenticated, notFound } from "@frontdesk/core/domain/refusal";
import { hasRunOut } from "@frontdesk/core/domain/visitor-identity";
import { assistantActor, creatorCanAct, isLive } from "../assistants/assistant.ts";
import { assistantByToken, markAssistantUsed } from "../assistants/assistant-store.ts";
import { contactById } from "../contacts/contact-store.ts";
import { sessionIsOver } from "../sessions/session.ts";
import { markSessionSeen, sessionByToken } from "../sessions/session-store.ts";
import type { Storage } from "../storage/database.ts";
import type { Statement } from "../storage/statement.ts";
import { teamOfWidget } from "../widgets/widget-store.ts";
import type { AgentActor, ApiKeyActor, AssistantActor, SystemActor, VisitorActor } from "./actor.ts";
import { apiKeyByHash, givenScopes, markApiKeyUsed } from "./api-key-store.ts";
import { remembered } from "./remembered.ts";
import { tokenHash, tokenTeam, VISITOR_TOKEN } from "./token.ts";
import { visitorSession } from "./visitor-session-store.ts";

/** `last_used_at` is for people; it is written at most this often for a key. */
const LAST_USED_STEP_MS = 60_000;

/** A key that is valid, and whether it may be used at present. */
export interface KnownKey {
  actor: ApiKeyActor;
  /** Whether its team's API access is on. */
  apiAccess: boolean;
  /** Whether its agent is not deactivated. */
  agentCanAct: boolean;
}

/** A key as the database had it at this version of `access`. */
interface KeyInMemory extends KnownKey {
  expiresAt: number | null;
  /** When its use was last noted, as far as this process knows. */
  notedAt: number;
}

/** An assistant connection that is not revoked. */
export interface KnownAssistant {
  actor: AssistantActor;
  /**
   * Whether it is active, has anything granted to look at, and its creator can act; if not, it has no tools (decisions 49, 51).
   */
  live: boolean;
  /** Whether the agent who created it is not deactivated. */
  creatorCanAct: boolean;
}

interface AssistantInMemory extends KnownAssistant {
  notedAt: number;
}

/** A session that has not ended. */
export interface KnownSession {
  actor: AgentActor;
  availability: Availability;
}

interface SessionInMemory extends KnownSession {
  createdAt: number;
  notedAt: number;
}

/**
 * Turns the `X-API-KEY` header, an assistant's bearer token or the cookie of a session into an actor (specification,
 * "Authentication"; decision 49; docs/decisions/0025-signed-in-agents.md).
 */
export function createAuthentication(storage: Storage, now: () => number, onFailure: (error: unknown) => void) {
  const keys = remembered<KeyInMemory>(storage);
  const assistants = remembered<AssistantInMemory>(storage);
  /** A widget stays with its team. */
  const widgets = remembered<{ id: string; team_id: string }>(storage);
  const sessions = remembered<SessionInMemory>(storage);

  return {
    /**
     * @throws Refusal `not-authenticated`, one and the same for a missing, malformed, unknown, expired or revoked key
     */
    async apiKey(header: string | undefined): Promise<KnownKey> {
      if (header === undefined) throw notAuthenticated();
      const hash = tokenHash(header);
      const key = await keys.get(hash, () => lookUpKey(header, hash));
      const moment = now();
      if (key.expiresAt !== null && key.expiresAt <= moment) throw notAuthenticated();
      if (moment - key.notedAt >= LAST_USED_STEP_MS) noteUse(key, moment, key.actor.keyId, markApiKeyUsed);
      return key;
    },

    /**
     * A paused connection is known, and has nothing granted that it could use (decision 51).
     *
     * @throws Refusal `not-authenticated` for a missing, malformed, unknown or revoked token
     */
    async assistant(token: string | undefined): Promise<KnownAssistant> {
      if (token === undefined) throw notAuthenticated("token");
      const hash = tokenHash(token);
      const assistant = await assistants.get(hash, () => lookUpAssistant(token, hash));
      const moment = now();
      if (moment - assistant.notedAt >= LAST_USED_STEP_MS) {
        noteUse(assistant, moment, assistant.actor.assistantId, markAssistantUsed);
      }
      return assistant;
    },

    /**
     * Whose session it is, with the role of this moment. Asking is using it: it is over when nobody has for 14 days.
     *
     * @throws Refusal `not-authenticated` for a missing, malformed or unknown token, and for a session that is over
     */
    async session(token: string | undefined): Promise<KnownSession> {
      if (token === undefined) throw notAuthenticated("session");
      const hash = tokenHash(token);
      const session = await sessions.get(hash, () => lookUpSession(token, hash));
      const moment = now();
      // Another process may have seen it since this one looked it up.
      if (sessionIsOver(timesOf(session), moment)) Object.assign(session, await lookUpSession(token, hash));
      if (sessionIsOver(timesOf(session), moment)) throw notAuthenticated("session");
      if (moment - session.notedAt >= LAST_USED_STEP_MS) {
        noteUse(session, moment, session.actor.sessionId, markSessionSeen);
      }
      return session;
    },

    /**
     * The visitor whose browser has made the token. Before the first message it is nobody yet, and may only write or be
     * introduced (docs/decisions/0020-live-stream.md). One who was verified is refused when that has run out.
     *
     * @param evenOver for what may bring an identity along: whoever was verified is nobody then, and is not refused
     * @throws Refusal `not-authenticated` for a missing or malformed token, and naming `identity` for a visitor whom the page
     *   has to introduce again; `not-found` for the widget
     */
    async visitor(token: string | undefined, widgetId: string, evenOver = false): Promise<VisitorActor> {
      if (token === undefined || !VISITOR_TOKEN.test(token)) throw notAuthenticated("token");
      const widget = await findWidget(widgetId);
      const hash = tokenHash(token);
      const session = await storage.first(visitorSession, { team_id: widget.team_id, token_hash: hash });
      const verifiedUntil = session?.verified_until ?? undefined;
      const hasEnded = verifiedUntil !== undefined && hasRunOut(verifiedUntil, now());
      if (hasEnded && !evenOver) throw introduceAgain();
      return {
        kind: "visitor",
        teamId: widget.team_id,
        widgetId: widget.id,
        tokenHash: hash,
        ...(hasEnded
          ? { contactId: undefined, verifiedUntil: undefined }
          : { contactId: session?.contact_id, verifiedUntil }),
      };
    },

    /** Whether the team takes nothing more from this contact. */
    async isBlocked({ teamId, contactId }: { teamId: string; contactId: string }): Promise<boolean> {
      const contact = await storage.first(contactById, { team_id: teamId, id: contactId });
      return contact !== undefined && contact.blocked_at !== null;
    },

    /**
     * The team whose widget it is, for the pages of the widget that everybody may see.
     *
     * @throws Refusal `not-found` for the widget
     */
    async teamOfWidget(widgetId: string): Promise<SystemActor> {
      return { kind: "system", teamId: (await findWidget(widgetId)).team_id };
    },
  };

  async function findWidget(widgetId: string): Promise<{ id: string; team_id: string }> {
    const id = canonicalId(widgetId);
    if (!id) throw notFound("widget");
    return widgets.get(id, async () => {
      const widget = await storage.first(teamOfWidget, { id });
      if (!widget) throw notFound("widget");
      return { id, team_id: widget.team_id };
    });
  }

  async function lookUpKey(header: string, hash: string): Promise<KeyInMemory> {
    // The checksum refuses a mistyped key without a look into the database.
    const teamId = tokenTeam("key", header);
    if (teamId === undefined) throw notAuthenticated();
    const row = await storage.first(apiKeyByHash, { team_id: teamId, key_hash: hash });
    if (!row || row.revoked_at !== null) throw notAuthenticated();
    const agent = { role: row.agent_role, status: row.agent_status };
    // No key does more than its agent may do at present (docs/decisions/0031-power-of-keys.md).
    const ofAgent = scopesOfAgent(agent);
    const scopes = givenScopes(row).filter((scope) => ofAgent.includes(scope));
    return {
      actor: { kind: "api-key", teamId, keyId: row.id, agentId: row.agent_id, scopes },
      apiAccess: row.api_access === 1,
      agentCanAct: canAct(agent),
      expiresAt: row.expires_at,
      notedAt: row.last_used_at ?? 0,
    };
  }

  async function lookUpAssistant(token: string, hash: string): Promise<AssistantInMemory> {
    const teamId = tokenTeam("assistant", token);
    if (teamId === undefined) throw notAuthenticated("token");
    const row = await storage.first(assistantByToken, { team_id: teamId, token_hash: hash });
    if (!row || row.state === "revoked") throw notAuthenticated("token");
    return {
      actor: assistantActor(row),
      live: isLive(row),
      creatorCanAct: creatorCanAct(row),
      notedAt: row.last_used_at ?? 0,
    };
  }

  async function lookUpSession(token: string, hash: string): Promise<SessionInMemory> {
    const teamId = tokenTeam("session", token);
    if (teamId === undefined) throw notAuthenticated("session");
    const row = await storage.first(sessionByToken, { team_id: teamId, token_hash: hash });
    if (row?.status !== "active") throw notAuthenticated("session");
    const role = row.role as AgentRole;
    return {
      actor: { kind: "agent", teamId, agentId: row.agent_id, role, sessionId: row.id },
      availability: row.availability as Availability,
      createdAt: row.created_at,
      notedAt: row.last_seen_at,
    };
  }

  /** Beside the request: nobody waits for it, and a failure costs nothing but a date. */
  function noteUse(
    known: KeyInMemory | AssistantInMemory | SessionInMemory,
    moment: number,
    id: string,
    mark: Statement<{ team_id: string; id: string; last_used_at: number }, unknown>,
  ): void {
    known.notedAt = moment;
    const { teamId } = known.actor;
    storage.write(teamId, (db) => db.run(mark, { team_id: teamId, id, last_used_at: moment })).catch(onFailure);
  }
}

/**
 * @throws Refusal `not-allowed` when the team's API access is switched off (decision 29), or the key's agent is deactivated
 *   (docs/decisions/0031-power-of-keys.md)
 */
export function requireApiAccess(key: KnownKey): ApiKeyActor {
  if (!key.apiAccess) throw notAllowed("access-off");
  if (!key.agentCanAct) throw notAllowed("agent-deactivated");
  return key.actor;
}

const timesOf = ({ createdAt, notedAt }: SessionInMemory) => ({ createdAt, lastSeenAt: notedAt });
