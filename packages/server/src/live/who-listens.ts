import type { HelloFrame } from "@frontdesk/core/contract/live";
import { type ApiKeyScope, policy } from "@frontdesk/core/domain/policy";
import { notAllowed, notAuthenticated } from "@frontdesk/core/domain/refusal";
import type { VisitorActor } from "../access/actor.ts";
import { type KnownKey, requireApiAccess } from "../access/authenticate.ts";
import type { Eye } from "./audience.ts";

/** The scope without which a key is not an agent's. */
const LISTENING: ApiKeyScope = policy["list-conversations"].apiKey;
/** The scope with which it may show that its agent types. */
const WRITING: ApiKeyScope = policy["send-message"].apiKey;

/** Whose stream it is. */
export interface Listener {
  teamId: string;
  eye: Eye;
  /** What streams of the same token are counted under. */
  key: string;
  /** The agent of a key; undefined for visitors. */
  agentId: string | undefined;
  mayType: boolean;
  /** Whether somebody sits there who is shown as online. */
  isPerson: boolean;
}

export interface ListenerChecks {
  apiKey(header: string | undefined): Promise<KnownKey>;
  visitor(token: string | undefined, widgetId: string): Promise<VisitorActor>;
}

export type Introduction = Pick<HelloFrame, "token" | "widget_id" | "present">;

/**
 * Whose token it is (docs/decisions/0020-live-stream.md): a visitor's who has written, or an API key, which is as good as
 * its agent.
 *
 * @throws Refusal `not-authenticated`, or `not-allowed` for a key that may not read conversations
 */
export async function whoListens(
  authenticate: ListenerChecks,
  { token, widget_id: widgetId, present = false }: Introduction,
): Promise<Listener> {
  if (token.startsWith("fd_visitor_")) {
    const { teamId, contactId, tokenHash } = await authenticate.visitor(token, widgetId ?? "");
    // Before the first message there is nothing to listen to.
    if (contactId === undefined) throw notAuthenticated("token");
    const eye: Eye = { kind: "visitor", contactId };
    return { teamId, eye, key: tokenHash, agentId: undefined, mayType: true, isPerson: true };
  }
  const { teamId, keyId, agentId, scopes } = requireApiAccess(await authenticate.apiKey(token));
  if (!scopes.includes(LISTENING)) throw notAllowed("not-allowed");
  const eye: Eye = { kind: "agent", scopes };
  return { teamId, eye, key: keyId, agentId, mayType: scopes.includes(WRITING), isPerson: present };
}
