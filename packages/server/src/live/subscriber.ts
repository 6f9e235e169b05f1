import type { HelloFrame } from "@frontdesk/core/contract/live";
import { type ApiKeyScope, policy, scopesOf } from "@frontdesk/core/domain/policy";
import { enrolFirst, notAllowed, notAuthenticated } from "@frontdesk/core/domain/refusal";
import type { VisitorActor } from "../access/actor.ts";
import { type KnownKey, type KnownSession, type OpenSession, requireApiAccess } from "../access/authenticate.ts";
import type { Viewer } from "./audience.ts";

/** The scope that a key needs to open a stream for its agent. */
const LISTENING: ApiKeyScope = policy["list-conversations"].apiKey;
/** The scope that a key needs to show that its agent types. */
const WRITING: ApiKeyScope = policy["send-message"].apiKey;

/** The owner of a stream. */
export interface Subscriber {
  teamId: string;
  viewer: Viewer;
  /** What streams of the same token are counted under. */
  key: string;
  /** The agent of a key or of a session; undefined for visitors. */
  agentId: string | undefined;
  mayType: boolean;
  /** Of a visitor: the team has blocked them, and their stream only reads. It follows the contact while it is open. */
  isBlocked: boolean;
  /** Of a verified visitor: until when, ms since the epoch; renewed while the stream is open. */
  verifiedUntil?: number | undefined;
  /** Whether a person is at this stream who is shown as online. */
  isPerson: boolean;
  /** Whether they want to be shown as away. */
  isAway: boolean;
  /** Whether they have not used the screen for long. */
  isIdle?: boolean;
}

export interface SubscriberChecks {
  apiKey(header: string | undefined): Promise<KnownKey>;
  visitor(token: string | undefined, widgetId: string): Promise<VisitorActor>;
  isBlocked(contact: { teamId: string; contactId: string }): Promise<boolean>;
  session(token: string | undefined): Promise<KnownSession>;
  openSession(session: OpenSession): Promise<KnownSession>;
}

export interface Credentials extends Pick<HelloFrame, "token" | "widget_id" | "present"> {
  /** The token in the request's cookie, when it came from a page of our own. */
  session?: string | undefined;
  /** Its session, once the stream is open. */
  opened?: OpenSession;
}

/**
 * Identifies the owner of a token (docs/decisions/0020-live-stream.md): a visitor who has written, an API key, which counts as
 * its agent, or without a token the session.
 *
 * @throws Refusal `not-authenticated`, or `not-allowed` for a key that may not read conversations
 */
export async function identifySubscriber(
  authenticate: SubscriberChecks,
  { token, widget_id: widgetId, present = false, session, opened }: Credentials,
): Promise<Subscriber> {
  if (token === undefined) {
    return ofSession(await (opened ? authenticate.openSession(opened) : authenticate.session(session)), present);
  }
  if (isVisitorToken(token)) {
    const { teamId, contactId, tokenHash, verifiedUntil } = await authenticate.visitor(token, widgetId ?? "");
    // Before the first message there is nothing to receive.
    if (contactId === undefined) throw notAuthenticated("token");
    const viewer: Viewer = { kind: "visitor", contactId };
    return {
      teamId,
      viewer,
      key: tokenHash,
      agentId: undefined,
      mayType: true,
      isBlocked: await authenticate.isBlocked({ teamId, contactId }),
      verifiedUntil,
      isPerson: true,
      isAway: false,
    };
  }
  const { teamId, keyId, agentId, scopes } = requireApiAccess(await authenticate.apiKey(token));
  if (!scopes.includes(LISTENING)) throw notAllowed("not-allowed");
  const viewer: Viewer = { kind: "agent", scopes };
  return {
    teamId,
    viewer,
    key: keyId,
    agentId,
    mayType: scopes.includes(WRITING),
    isBlocked: false,
    isPerson: present,
    isAway: false,
  };
}

export function isVisitorToken(token: string | undefined): boolean {
  return token?.startsWith("fd_visitor_") ?? false;
}

function ofSession({ actor, availability }: KnownSession, isPerson: boolean): Subscriber {
  const { teamId, agentId, role, sessionId } = actor;
  if (actor.reach === "enrolment") throw enrolFirst();
  const scopes = scopesOf(role);
  const mayType = scopes.includes(WRITING);
  return {
    teamId,
    viewer: { kind: "agent", scopes },
    key: sessionId,
    agentId,
    mayType,
    isBlocked: false,
    isPerson,
    isAway: availability === "away",
  };
}
