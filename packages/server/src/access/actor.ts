import type { AgentRole } from "@frontdesk/core/domain/agent";
import type { SentVia } from "@frontdesk/core/domain/conversation";
import type { ApiKeyScope } from "@frontdesk/core/domain/policy";
import type { Grant } from "../assistants/assistant.ts";

/**
 * Who asks. Made by `authenticate.ts` (or by the command line, which is the system itself), asked by `perform`.
 */
export type Actor = ApiKeyActor | AgentActor | AssistantActor | VisitorActor | SystemActor;

interface OfTeam {
  teamId: string;
  /** The address that the request came from, for the audit log; undefined where there is no request. */
  ip?: string | undefined;
}

export interface ApiKeyActor extends OfTeam {
  kind: "api-key";
  keyId: string;
  /** Who made the key; what the key does without naming an agent is theirs (decisions 4 and 21). */
  agentId: string;
  /** Those it was given, as far as its agent has them at the moment of the request. */
  scopes: readonly ApiKeyScope[];
}

/** Somebody of the team, signed in to the dashboard (docs/decisions/0025-signed-in-agents.md). */
export interface AgentActor extends OfTeam {
  kind: "agent";
  agentId: string;
  /** At the moment of the request. */
  role: AgentRole;
  sessionId: string;
}

/** A connection of an assistant, as it was granted at the moment of the request (decision 49). */
export interface AssistantActor extends OfTeam, Grant {
  kind: "assistant";
  assistantId: string;
  name: string;
  /** Who speaks when it replies. */
  agentId: string | null;
  /** In whose name it notes. */
  createdBy: string | null;
}

/** Somebody on a website, in one browser. */
export interface VisitorActor extends OfTeam {
  kind: "visitor";
  widgetId: string;
  /** What is stored of the browser's token. */
  tokenHash: string;
  /** Undefined until the first message, and for whom nobody vouches any longer. */
  contactId: string | undefined;
  /** Until when a verified one may see their contact, ms since the epoch; undefined for all others. */
  verifiedUntil: number | undefined;
}

/** The actor as a visitor: other actors have operations of their own. */
export function visitorOf({ actor }: { actor: Actor }): VisitorActor {
  if (actor.kind !== "visitor") throw new Error("Only visitors do this.");
  return actor;
}

/** The operator at the command line, pages for people who are not signed in, and the service itself. */
export interface SystemActor extends OfTeam {
  kind: "system";
}

/** How a message of this actor was sent. */
export function sentVia(actor: Actor): SentVia {
  switch (actor.kind) {
    case "api-key":
      return "api";
    case "agent":
      return "dashboard";
    case "assistant":
      return "assistant";
    case "visitor":
      return "widget";
    case "system":
      return "automation";
    default:
      return actor satisfies never;
  }
}

/** The actor as the event log keeps it. */
export function actorRecord(actor: Actor): { kind: Actor["kind"]; id: string | null } {
  switch (actor.kind) {
    case "api-key":
      return { kind: actor.kind, id: actor.keyId };
    case "agent":
      return { kind: actor.kind, id: actor.agentId };
    case "assistant":
      return { kind: actor.kind, id: actor.assistantId };
    case "visitor":
      return { kind: actor.kind, id: actor.contactId ?? null };
    case "system":
      return { kind: actor.kind, id: null };
    default:
      return actor satisfies never;
  }
}
