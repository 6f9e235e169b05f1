import type { SentVia } from "@frontdesk/core/domain/conversation";
import type { ApiKeyScope } from "@frontdesk/core/domain/policy";
import type { Grant } from "../assistants/assistant.ts";

/**
 * Who asks. Made by `authenticate.ts` (or by the command line, which is the system itself), asked by `perform`.
 * Dashboard sessions and automations join as kinds of their own.
 */
export type Actor = ApiKeyActor | AssistantActor | VisitorActor | SystemActor;

export interface ApiKeyActor {
  kind: "api-key";
  teamId: string;
  keyId: string;
  /** Who made the key; what the key does without naming an agent is theirs (decisions 4 and 21). */
  agentId: string;
  scopes: readonly ApiKeyScope[];
}

/** A connection of an assistant, as it was granted at the moment of the request (decision 49). */
export interface AssistantActor extends Grant {
  kind: "assistant";
  teamId: string;
  assistantId: string;
  name: string;
  /** Who speaks when it replies. */
  agentId: string | null;
  /** In whose name it notes. */
  createdBy: string | null;
}

/** Somebody on a website, in one browser. */
export interface VisitorActor {
  kind: "visitor";
  teamId: string;
  widgetId: string;
  /** What is stored of the browser's token. */
  tokenHash: string;
  /** Undefined until the first message. */
  contactId: string | undefined;
}

/** The operator at the command line, the set-up page, and the service itself. */
export interface SystemActor {
  kind: "system";
  teamId: string;
}

/** How a message of this actor was sent. */
export function sentVia(actor: Actor): SentVia {
  switch (actor.kind) {
    case "api-key":
      return "api";
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
