/**
 * What depends on who acts, each as a total function. What an actor may do is in the policy, and what it may see in
 * `visible.ts`.
 */
import type { AgentRole } from "@frontdesk/core/domain/agent";
import type { SentVia } from "@frontdesk/core/domain/conversation";
import { type ApiKeyScope, apiKeyScopes } from "@frontdesk/core/domain/policy";
import type { Actor, ActorKind, VisitorActor } from "./actor.ts";

/** The actor as the event log and the audit log store it. */
export function actorRecord(actor: Actor): { kind: ActorKind; id: string | null } {
  switch (actor.kind) {
    case "api-key":
      return { kind: actor.kind, id: actor.keyId };
    case "agent":
      return { kind: actor.kind, id: actor.agentId };
    case "assistant":
      return { kind: actor.kind, id: actor.assistantId };
    case "visitor":
      return { kind: actor.kind, id: actor.contactId ?? null };
    case "automation":
      return { kind: actor.kind, id: actor.automationId };
    case "channel":
      return { kind: actor.kind, id: actor.accountId };
    case "ai":
      return { kind: actor.kind, id: actor.aiId };
    case "system":
      return { kind: actor.kind, id: null };
    default:
      return actor satisfies never;
  }
}

/**
 * The automations that led to what the actor does, the first one first, itself included: the cause of its events. Their number
 * is how deep rules have triggered rules. Null for what people and programs do.
 */
export function causeOf(actor: Actor): readonly string[] | null {
  switch (actor.kind) {
    case "automation":
      return [...actor.chain, actor.automationId];
    case "api-key":
    case "agent":
    case "assistant":
    case "visitor":
    case "channel":
    case "ai":
    case "system":
      return null;
    default:
      return actor satisfies never;
  }
}

/** The name shown for what the actor does by itself (decision 47); undefined when an agent or the system does it. */
export function automationOf(actor: Actor): { id: string; name: string } | undefined {
  switch (actor.kind) {
    case "assistant":
      return { id: actor.assistantId, name: actor.name };
    case "automation":
      return { id: actor.automationId, name: actor.name };
    case "ai":
      return { id: actor.aiId, name: actor.name };
    case "api-key":
    case "agent":
    case "visitor":
    case "channel":
    case "system":
      return undefined;
    default:
      return actor satisfies never;
  }
}

/** The agent who the actor is, or who owns it, or who speaks for it. */
export function ownAgentId(actor: Actor): string | undefined {
  switch (actor.kind) {
    case "api-key":
    case "agent":
    case "ai":
      return actor.agentId;
    case "assistant":
    case "automation":
      return actor.agentId ?? undefined;
    case "visitor":
    case "channel":
    case "system":
      return undefined;
    default:
      return actor satisfies never;
  }
}

/**
 * The agent in whose name the actor writes notes by itself; null when it has none. People and their programs write notes by
 * `send-message`.
 */
export function noteAuthorId(actor: Actor): string | null {
  switch (actor.kind) {
    case "assistant":
      return actor.createdBy;
    case "automation":
    case "ai":
      return actor.agentId;
    case "api-key":
    case "agent":
    case "visitor":
    case "channel":
    case "system":
      throw new Error(`The actor ${actor.kind} does not note by itself.`);
    default:
      return actor satisfies never;
  }
}

/** How a message of this actor was sent. */
export function sentVia({ kind }: { kind: ActorKind }): SentVia {
  switch (kind) {
    case "api-key":
      return "api";
    case "agent":
      return "dashboard";
    case "assistant":
      return "assistant";
    case "ai":
      return "ai";
    case "visitor":
      return "widget";
    case "automation":
    case "system":
      return "automation";
    case "channel":
      return "channel";
    default:
      return kind satisfies never;
  }
}

/**
 * Whether `replyObstacle` keeps the actor from replying. A rule is not affected: it has conditions of its own, and "a colleague
 * will answer" is what it should say where a handoff was requested.
 */
export function isHeldByObstacles(actor: Actor): boolean {
  switch (actor.kind) {
    case "assistant":
    case "ai":
      return true;
    case "api-key":
    case "agent":
    case "visitor":
    case "automation":
    case "channel":
    case "system":
      return false;
    default:
      return actor satisfies never;
  }
}

/** Whether a hold on a contact keeps the actor from redacting. A restore redacts as the system what was redacted before. */
export function isBoundByHolds(actor: Actor): boolean {
  switch (actor.kind) {
    case "api-key":
    case "agent":
    case "assistant":
    case "visitor":
    case "automation":
    case "channel":
    case "ai":
      return true;
    case "system":
      return false;
    default:
      return actor satisfies never;
  }
}

/** The scopes that limit what the actor may pass on to others, or see of others; all of them when none do. */
export function heldScopes(actor: Actor): readonly ApiKeyScope[] {
  switch (actor.kind) {
    case "api-key":
      return actor.scopes;
    case "agent":
    case "assistant":
    case "visitor":
    case "automation":
    case "channel":
    case "ai":
    case "system":
      return apiKeyScopes;
    default:
      return actor satisfies never;
  }
}

/**
 * The role above which the actor manages no agent; undefined when no role limits it: a key is limited by its scopes, and the
 * operator by nothing.
 */
export function limitingRole(actor: Actor): AgentRole | undefined {
  switch (actor.kind) {
    case "agent":
      return actor.role;
    case "api-key":
    case "assistant":
    case "visitor":
    case "automation":
    case "channel":
    case "ai":
    case "system":
      return undefined;
    default:
      return actor satisfies never;
  }
}

/** The actor when it is a visitor, for bounds that apply to visitors only. */
export function strangerOf(actor: Actor): VisitorActor | undefined {
  switch (actor.kind) {
    case "visitor":
      return actor;
    case "api-key":
    case "agent":
    case "assistant":
    case "automation":
    case "channel":
    case "ai":
    case "system":
      return undefined;
    default:
      return actor satisfies never;
  }
}

/** Under whose name its files are counted: one browser of a visitor, one API key, one agent, one account of a channel. */
export function fileSenderOf(actor: Actor): string {
  switch (actor.kind) {
    case "visitor":
      return `visitor:${actor.tokenHash}`;
    case "api-key":
      return `key:${actor.keyId}`;
    case "agent":
      return `agent:${actor.agentId}`;
    case "channel":
      return `channel:${actor.accountId}`;
    case "assistant":
    case "automation":
    case "ai":
    case "system":
      throw new Error(`A file does not come from the actor ${actor.kind}.`);
    default:
      return actor satisfies never;
  }
}

/**
 * The owner of its idempotency keys. An agent keeps them through a new session: a retry after signing in again is still one
 * request.
 */
export function requesterId(actor: Actor): string {
  switch (actor.kind) {
    case "api-key":
      return actor.keyId;
    case "agent":
      return actor.agentId;
    case "assistant":
    case "visitor":
    case "automation":
    case "channel":
    case "ai":
    case "system":
      throw new Error("Only requests of API keys and of signed-in agents carry an idempotency key.");
    default:
      return actor satisfies never;
  }
}
