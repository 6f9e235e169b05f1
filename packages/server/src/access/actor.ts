import type { AgentRole } from "@frontdesk/core/domain/agent";
import type { SessionReach } from "@frontdesk/core/domain/factors";
import type { ApiKeyScope } from "@frontdesk/core/domain/policy";
import type { Grant } from "../assistants/assistant.ts";

/**
 * Who asks for an operation. Made by `authenticate.ts`, or by the part of the service that acts by itself; checked by
 * `perform`. What depends on the kind is a total function of `by-actor.ts`, or `visible.ts`, so that a new kind does not
 * compile until each covers it.
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
  /** The address of the request, for the audit log; undefined without a request. */
  ip?: string | undefined;
}

export interface ApiKeyActor extends OfTeam {
  kind: "api-key";
  keyId: string;
  /** The agent who made the key; without a named agent the key acts as this agent (decisions 4 and 21). */
  agentId: string;
  /** The scopes it was given, as far as its agent has them at the moment of the request. */
  scopes: readonly ApiKeyScope[];
}

/** An agent who is signed in to the dashboard (docs/decisions/0025-signed-in-agents.md). */
export interface AgentActor extends OfTeam {
  kind: "agent";
  agentId: string;
  /** At the moment of the request. */
  role: AgentRole;
  sessionId: string;
  /** When they last proved who they are, ms since the epoch. */
  verifiedAt: number;
  /** Whether they have to add a second factor before anything else. */
  reach: SessionReach;
}

/** A connection of an assistant, as it was granted at the moment of the request (decision 49). */
export interface AssistantActor extends OfTeam, Grant {
  kind: "assistant";
  assistantId: string;
  name: string;
  /** The agent who is named as the writer of its replies. */
  agentId: string | null;
  /** The agent in whose name it writes notes. */
  createdBy: string | null;
}

/** A person on a website, in one browser. */
export interface VisitorActor extends OfTeam {
  kind: "visitor";
  widgetId: string;
  /** The stored hash of the browser's token. */
  tokenHash: string;
  /** Undefined until the first message, and when a verified session has expired. */
  contactId: string | undefined;
  /** Until when a verified visitor may see their contact, ms since the epoch; undefined for all others. */
  verifiedUntil: number | undefined;
}

/** A rule of the team, run because of an event. */
export interface AutomationActor extends OfTeam {
  kind: "automation";
  automationId: string;
  name: string;
  /** The agent who is named as the writer of its replies and notes; null: it writes neither. */
  agentId: string | null;
  /** The automations that led to this run, the first one first; not itself. Empty when a person or a program was the cause. */
  chain: readonly string[];
}

/** An account of a channel, importing what it received. */
export interface ChannelActor extends OfTeam {
  kind: "channel";
  accountId: string;
}

/** The built-in AI of the team. */
export interface AiActor extends OfTeam {
  kind: "ai";
  aiId: string;
  name: string;
  /** The agent who is named as the writer of its replies and notes. */
  agentId: string;
}

/** The operator at the command line, pages for people who are not signed in, and housekeeping. */
export interface SystemActor extends OfTeam {
  kind: "system";
}

/**
 * The actor as one of `kind`, in an operation that the policy allows to this kind only.
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
