import type { AgentRole } from "@frontdesk/core/domain/agent";
import type { ApiKeyScope } from "@frontdesk/core/domain/policy";
import type { Grant } from "../assistants/assistant.ts";

/**
 * Who asks. Made by `authenticate.ts`, or by the part of the service that acts by itself; asked by `perform`. What depends on
 * the kind is a total function of `by-actor.ts`, or `visible.ts`, so that a new kind does not compile until each has answered.
 */
export type Actor =
  | ApiKeyActor
  | AgentActor
  | AssistantActor
  | VisitorActor
  | AutomationActor
  | ChannelActor
  | AiActor
  | SystemActor;
export type ActorKind = Actor["kind"];

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

/** A rule of the team, run because of an event. */
export interface AutomationActor extends OfTeam {
  kind: "automation";
  automationId: string;
  name: string;
  /** Who speaks when it replies or notes; null: it does neither. */
  agentId: string | null;
  /** The automations that led to this run, the first one first; not itself. Empty when a person or a program began. */
  chain: readonly string[];
}

/** An account of a channel, importing what came in there. */
export interface ChannelActor extends OfTeam {
  kind: "channel";
  accountId: string;
}

/** The built-in AI of the team. */
export interface AiActor extends OfTeam {
  kind: "ai";
  aiId: string;
  name: string;
  /** Who speaks when it replies or notes. */
  agentId: string;
}

/** The operator at the command line, pages for people who are not signed in, and housekeeping. */
export interface SystemActor extends OfTeam {
  kind: "system";
}

/**
 * The actor as one of `kind`, in an operation that the policy opens to no other kind.
 *
 * @throws Error for another one: a row of the policy is wrong
 */
export function actorOfKind<K extends ActorKind>(actor: Actor, kind: K): Extract<Actor, { kind: K }> {
  if (actor.kind !== kind) throw new Error(`Only an actor of the kind ${kind} does this, not ${actor.kind}.`);
  return actor as Extract<Actor, { kind: K }>;
}

/** The actor as a visitor: other actors have operations of their own. */
export function visitorOf({ actor }: { actor: Actor }): VisitorActor {
  return actorOfKind(actor, "visitor");
}
