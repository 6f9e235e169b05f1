/**
 * What the dashboard requests besides the REST API (docs/decisions/0025-signed-in-agents.md): sign-in, the agent's own account,
 * the team's agents, keys and audit log. Every path begins with `/app/api`. Signed-in agents have the REST API itself below
 * `/app/api/v1`.
 *
 * The session is in a cookie that no script can read. A request that changes something has to come from a page of our own,
 * and a body is JSON. Errors have the form of the REST API (`errors.ts`): 401 is "sign in again", 403 is "your role may not".
 */
import type { Static } from "typebox";
import { Type } from "typebox";
import { agentOnlineStatuses, agentRoles, agentStatuses, availabilities } from "../domain/agent.ts";
import { apiKeyScopes, auditedOperations } from "../domain/policy.ts";
import {
  attachmentUrl,
  CUSTOM_FIELD_NAME_MAX,
  choice,
  EMAIL_MAX,
  nullable,
  personName,
  TAG_COLOR_MAX,
  TAG_NAME_MAX,
  text,
  timestamp,
  uuid,
} from "./fields.ts";
import { LiveTag } from "./live.ts";
import type { Body, HttpOperation } from "./operation.ts";
import { inviteAgents } from "./rest/agents.ts";
import { channelOperations } from "./session-channels.ts";

export type { AppRequest } from "./session-connect.ts";

import { connectOperations } from "./session-connect.ts";
import { factorOperations, SecondStepAsked, typedCode, webAuthn } from "./session-factors.ts";
import { mailOperations } from "./session-mail.ts";
import { privacyOperations } from "./session-privacy.ts";
import { sourceOperations } from "./session-sources.ts";
import { ShownSsoProvider, ssoOperations } from "./session-sso.ts";

/** The prefix of every path in this file. */
export const SESSION_PREFIX = "/app/api";

export type SessionBody<O extends HttpOperation> = Body<O>;

const nullableString = nullable(Type.String());
const nullableTimestamp = nullable(timestamp);
const byId = Type.Object({ id: Type.String() });
const nothing = Type.Object({});
/** The bounds of a new password (8 to 128 characters) are refused in words, on the field. */
const password = text(1_000, { minLength: 1 });

/** A person of the team, as the team's own pages show them. */
export const TeamAgent = Type.Object({
  id: uuid,
  email: Type.String(),
  name: nullableString,
  role: choice(agentRoles),
  status: choice(agentStatuses),
  online_status: choice(agentOnlineStatuses),
  profile_photo_url: nullableString,
});
export type TeamAgent = Static<typeof TeamAgent>;

/** `mailed`: whether the link is also sent to the agent by email. */
const SentInvitation = Type.Object({ agent: TeamAgent, link: Type.String(), mailed: Type.Boolean() });

const named = Type.Object({ id: uuid, name: Type.String() });
/** API keys and assistants of an agent that were given more than the agent may do now (docs/decisions/0031-power-of-keys.md). */
const reducedAccess = { api_keys: Type.Array(named), assistants: Type.Array(named) };

export const OwnTeam = Type.Object({ id: uuid, name: Type.String(), api_access: Type.Boolean() });
export type OwnTeam = Static<typeof OwnTeam>;

/** Who is signed in, and what they may. */
export const Me = Type.Object({
  /** Whether the server sends email. It may change with a restart. */
  sends_mail: Type.Boolean(),
  agent: Type.Object({
    ...TeamAgent.properties,
    /** `away`: shown as away whenever they are online. */
    availability: choice(availabilities),
  }),
  team: OwnTeam,
  /** Whether a language model is set up, so that the copilot can write. */
  copilot: Type.Boolean(),
  /** Whether the copilot suggests a reply before it is asked for one: in an empty composer. */
  ghost_text: Type.Boolean(),
  /** Whether this session reaches nothing but the page that adds a second factor. */
  must_enrol: Type.Boolean(),
  /** The names of all operations that their role may perform (`domain/policy.ts`). */
  may: Type.Array(Type.String()),
});
export type Me = Static<typeof Me>;

/** The password was right, and the second step is asked for: `finishSignIn`. */
export const SecondStep = Type.Object({
  second_step: SecondStepAsked,
});
export type SecondStep = Static<typeof SecondStep>;
const SignedIn = Type.Union([Me, SecondStep]);

/** A browser in which an agent is signed in. */
export const Session = Type.Object({
  id: uuid,
  /** Whether it is the session of this request. */
  is_current: Type.Boolean(),
  created_at: timestamp,
  last_seen_at: timestamp,
  ip: nullableString,
  /** The browser's user agent. */
  user_agent: nullableString,
});
export type Session = Static<typeof Session>;

/** `providers`: those of the only team that has any; with several teams, `by_email` finds them. */
export const SignInBySso = Type.Object({ providers: Type.Array(ShownSsoProvider), by_email: Type.Boolean() });
export type SignInBySso = Static<typeof SignInBySso>;

/** An API key without its value. */
export const ApiKey = Type.Object({
  id: uuid,
  name: Type.String(),
  /** Its last four characters. */
  ending: Type.String(),
  scopes: Type.Array(choice(apiKeyScopes)),
  /** The agent who created the key: what it does without naming an agent is done as them. */
  agent_id: uuid,
  created_at: timestamp,
  expires_at: nullableTimestamp,
  last_used_at: nullableTimestamp,
  revoked_at: nullableTimestamp,
});
export type ApiKey = Static<typeof ApiKey>;

/** A tag of the team, and how many conversations have it. */
export const TagInUse = Type.Object({ ...LiveTag.properties, conversations: Type.Integer({ minimum: 0 }) });
export type TagInUse = Static<typeof TagInUse>;
const tagName = text(TAG_NAME_MAX, { minLength: 1 });
const tagColor = nullable(text(TAG_COLOR_MAX));

/** A custom field, and how many contacts have a value of it. */
export const FieldInUse = Type.Object({ id: uuid, name: Type.String(), contacts: Type.Integer({ minimum: 0 }) });
export type FieldInUse = Static<typeof FieldInUse>;
const fieldName = text(CUSTOM_FIELD_NAME_MAX, { minLength: 1 });
const OneField = Type.Object({ custom_field: Type.Object({ id: uuid, name: Type.String() }) });

/** A line of the audit log. */
export const AuditEntry = Type.Object({
  id: uuid,
  at: timestamp,
  /** Who did it; `name` is null for the system, and for an actor that no longer exists. */
  actor: Type.Object({
    kind: choice(["agent", "api-key", "assistant", "visitor", "system"]),
    id: nullable(uuid),
    name: nullableString,
  }),
  /** What was done: the name of the operation (`create-webhook`, `start-session`). */
  action: Type.String(),
  /** What it was done to, as in events; names and ids, never a secret. */
  what: Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true }),
  ip: nullableString,
});
export type AuditEntry = Static<typeof AuditEntry>;

/** Of a setup link: it works, it's another or an older one, or there is a team already and no link works any more. */
export const setupStates = ["open", "refused", "done"] as const;
export type SetupState = (typeof setupStates)[number];
const setupToken = text(256);

/** Lines of one page of the audit log. */
const AUDIT_PAGE_MAX = 100;

export const sessionOperations = {
  ...factorOperations,
  ...privacyOperations,
  ...mailOperations,
  ...sourceOperations,
  ...connectOperations,
  ...channelOperations,
  ...ssoOperations,
  /** 401 for a wrong e-mail or password, without saying which; 429 after too many tries. */
  signIn: {
    method: "POST",
    path: "/sign-in",
    body: Type.Object({ email: text(EMAIL_MAX, { minLength: 1 }), password }),
    responses: { 200: { body: SignedIn } },
    open: true,
  },
  /**
   * The second step: exactly one of `code` (of the app) and `recovery_code`. 422 on the one that is wrong; 429 after five wrong
   * ones; 401 (`second-step-over`) when the first step has to be repeated.
   */
  finishSignIn: {
    method: "POST",
    path: "/sign-in/second-step",
    body: Type.Object({
      code: Type.Optional(typedCode),
      recovery_code: Type.Optional(typedCode),
      /** Spares this browser the second step for 30 days. */
      trust_browser: Type.Optional(Type.Boolean()),
    }),
    responses: { 200: { body: Me } },
    open: true,
  },
  /** Whether a forgotten password can be reset by email, and which companies' accounts can sign in. */
  getSignInOptions: {
    method: "GET",
    path: "/sign-in",
    responses: { 200: { body: Type.Object({ sends_mail: Type.Boolean(), sso: SignInBySso }) } },
    open: true,
  },
  /** 401 for a passkey that is unknown, of another host, or has signed something else: one answer for all. */
  signInWithPasskey: {
    method: "POST",
    path: "/sign-in/passkey",
    body: Type.Object({ response: webAuthn }),
    responses: { 200: { body: Me } },
    open: true,
  },
  /** Ends this session at once. Without a session it does nothing, and is not an error. */
  signOut: { method: "POST", path: "/sign-out", responses: { 200: { body: nothing } }, open: true },
  getMe: { method: "GET", path: "/me", responses: { 200: { body: Me } } },
  /** A field that is left out stays as it is. */
  updateMe: {
    method: "PATCH",
    path: "/me",
    body: Type.Object({
      name: Type.Optional(personName),
      /** The address of an image, an uploaded one too; null for none. */
      profile_photo_url: Type.Optional(nullable(attachmentUrl)),
      availability: Type.Optional(choice(availabilities)),
    }),
    responses: { 200: { body: Me } },
  },
  /** Ends all other sessions of this person. 422 on `current_password` or `new_password`. */
  changePassword: {
    method: "POST",
    path: "/me/password",
    body: Type.Object({ current_password: password, new_password: password }),
    responses: { 200: { body: nothing } },
  },
  /** The last used first. */
  listSessions: {
    method: "GET",
    path: "/me/sessions",
    responses: { 200: { body: Type.Object({ sessions: Type.Array(Session) }) } },
  },
  endSession: { method: "DELETE", path: "/me/sessions/{id}", params: byId, responses: { 200: { body: nothing } } },
  /** All but the session of this request. */
  endOtherSessions: {
    method: "DELETE",
    path: "/me/sessions",
    responses: { 200: { body: Type.Object({ ended: Type.Integer({ minimum: 0 }) }) } },
  },
  /** The same answer whether an agent has the e-mail or not. The link of the mail is `/app/reset-password#<token>`. */
  requestPasswordReset: {
    method: "POST",
    path: "/password-reset",
    body: Type.Object({ email: text(EMAIL_MAX, { minLength: 1 }) }),
    responses: { 200: { body: Type.Object({ message: Type.String() }) } },
    open: true,
  },
  /** Ends all sessions of the person, who then signs in. 404 for a link that was used or has expired; 422 on `password`. */
  confirmPasswordReset: {
    method: "POST",
    path: "/password-reset/confirm",
    body: Type.Object({ token: text(256, { minLength: 1 }), password }),
    responses: { 200: { body: Type.Object({ email: Type.String() }) } },
    open: true,
  },
  /** The agent whom an invitation link invites. 404 for one that was used or has expired. */
  getInvitation: {
    method: "GET",
    path: "/join/{token}",
    params: Type.Object({ token: Type.String() }),
    responses: {
      200: {
        body: Type.Object({
          email: Type.String(),
          name: nullableString,
          team_name: Type.String(),
          /** Whether they join with their company account alone. */
          by_sso: Type.Boolean(),
        }),
      },
    },
    open: true,
  },
  /** Whether a setup link works. The token is in the body, because addresses are in logs. */
  getSetupState: {
    method: "POST",
    path: "/setup/state",
    body: Type.Object({ token: setupToken }),
    responses: { 200: { body: Type.Object({ state: choice(setupStates) }) } },
    open: true,
  },
  /** Creates the first team with its owner, who is signed in, and a widget. 422 on the fields, on `token` too. */
  setUp: {
    method: "POST",
    path: "/setup",
    body: Type.Object({
      token: setupToken,
      team_name: personName,
      name: personName,
      email: text(EMAIL_MAX, { minLength: 1 }),
      password,
      widget_name: personName,
    }),
    responses: { 200: { body: Me } },
    open: true,
  },
  /** Joins the team and is signed in. 422 on `name` or `password`. */
  acceptInvitation: {
    method: "POST",
    path: "/join/{token}",
    params: Type.Object({ token: Type.String() }),
    body: Type.Object({ name: personName, password }),
    responses: { 200: { body: SignedIn } },
    open: true,
  },
  /**
   * Gives another role; their sessions end, and their keys and assistants do at most what the role may. 422 on `role` for the
   * last owner, 403 for roles above one's own.
   */
  setAgentRole: {
    method: "PATCH",
    path: "/agents/{id}",
    params: byId,
    body: Type.Object({ role: choice(agentRoles) }),
    responses: { 200: { body: Type.Object({ agent: TeamAgent, ...reducedAccess }) } },
  },
  /** How many conversations assigned to them are not resolved. */
  countOpenConversations: {
    method: "GET",
    path: "/agents/{id}/open-conversations",
    params: byId,
    responses: { 200: { body: Type.Object({ count: Type.Integer({ minimum: 0 }) }) } },
  },
  /**
   * Ends their sessions; their keys and assistants stop working. Their open conversations go to `hand_over_to`, to no one for
   * null, and stay theirs when it is left out. 422 on `hand_over_to` for an agent who cannot be assigned.
   */
  deactivateAgent: {
    method: "POST",
    path: "/agents/{id}/deactivate",
    params: byId,
    body: Type.Object({ hand_over_to: Type.Optional(nullableString) }),
    responses: { 200: { body: Type.Object({ agent: TeamAgent, ...reducedAccess }) } },
  },
  reactivateAgent: {
    method: "POST",
    path: "/agents/{id}/reactivate",
    params: byId,
    responses: { 200: { body: Type.Object({ agent: TeamAgent }) } },
  },
  /** As `POST /agents/invite` of the REST API, with the link of each person. */
  inviteAgents: {
    method: "POST",
    path: "/agents",
    body: inviteAgents.body,
    responses: { 200: { body: Type.Object({ invitations: Type.Array(SentInvitation) }) } },
  },
  /** A new link for an agent who is invited and has not joined; the one before stops working. */
  renewInvitation: {
    method: "POST",
    path: "/agents/{id}/invitation",
    params: byId,
    responses: { 200: { body: SentInvitation } },
  },
  /**
   * A link by which an agent chooses a new password: works once, until `expires_at`. Nothing changes before it is used. 403 for
   * roles above one's own; 422 on `agent` for oneself, and for an agent who has not joined or is deactivated.
   */
  createPasswordReset: {
    method: "POST",
    path: "/agents/{id}/password-reset",
    params: byId,
    responses: { 200: { body: Type.Object({ link: Type.String(), expires_at: timestamp }) } },
  },
  /** The link of an agent who has not joined stops working. 422 on `agent` for one who has joined meanwhile. */
  revokeInvitation: {
    method: "DELETE",
    path: "/agents/{id}/invitation",
    params: byId,
    responses: { 200: { body: Type.Object({ agent: TeamAgent }) } },
  },
  renameTeam: {
    method: "PATCH",
    path: "/team",
    body: Type.Object({ name: personName }),
    responses: { 200: { body: Type.Object({ team: OwnTeam }) } },
  },
  /** Switches the access of all API keys. */
  setApiAccess: {
    method: "PUT",
    path: "/team/api-access",
    body: Type.Object({ on: Type.Boolean() }),
    responses: { 200: { body: Type.Object({ team: OwnTeam }) } },
  },
  /** Oldest first, revoked ones too. */
  listApiKeys: {
    method: "GET",
    path: "/keys",
    responses: { 200: { body: Type.Object({ keys: Type.Array(ApiKey) }) } },
  },
  /** `value` is in this answer only. */
  createApiKey: {
    method: "POST",
    path: "/keys",
    body: Type.Object({
      name: personName,
      /** All scopes when left out. */
      scopes: Type.Optional(Type.Array(choice(apiKeyScopes), { minItems: 1, maxItems: apiKeyScopes.length })),
      expires_at: Type.Optional(nullable(timestamp)),
    }),
    responses: { 201: { body: Type.Object({ key: ApiKey, value: Type.String() }) } },
  },
  revokeApiKey: {
    method: "DELETE",
    path: "/keys/{id}",
    params: byId,
    responses: { 200: { body: Type.Object({ key: ApiKey }) } },
  },
  /** By name. */
  listTagUse: {
    method: "GET",
    path: "/tags",
    responses: { 200: { body: Type.Object({ tags: Type.Array(TagInUse) }) } },
  },
  /** 422 on `name` for one that the team has, whatever the letter case. */
  createTag: {
    method: "POST",
    path: "/tags",
    body: Type.Object({ name: tagName, color: Type.Optional(tagColor) }),
    responses: { 201: { body: Type.Object({ tag: LiveTag }) } },
  },
  /** With `merge` the name of another tag merges this one into it and answers it; without `merge` that is 422 on `name`. */
  updateTag: {
    method: "PATCH",
    path: "/tags/{id}",
    params: byId,
    body: Type.Object({
      name: Type.Optional(tagName),
      color: Type.Optional(tagColor),
      merge: Type.Optional(Type.Boolean()),
    }),
    responses: { 200: { body: Type.Object({ tag: LiveTag }) } },
  },
  /** Takes it off every conversation. */
  deleteTag: { method: "DELETE", path: "/tags/{id}", params: byId, responses: { 200: { body: nothing } } },
  /** By name. */
  listFieldUse: {
    method: "GET",
    path: "/custom-fields",
    responses: { 200: { body: Type.Object({ custom_fields: Type.Array(FieldInUse) }) } },
  },
  /** 422 on `name` for one that the team has. */
  createCustomField: {
    method: "POST",
    path: "/custom-fields",
    body: Type.Object({ name: fieldName }),
    responses: { 201: { body: OneField } },
  },
  updateCustomField: {
    method: "PATCH",
    path: "/custom-fields/{id}",
    params: byId,
    body: Type.Object({ name: fieldName }),
    responses: { 200: { body: OneField } },
  },
  /** Deletes every contact's value of it too. */
  deleteCustomField: {
    method: "DELETE",
    path: "/custom-fields/{id}",
    params: byId,
    responses: { 200: { body: nothing } },
  },
  /**
   * When the new signing secret of a webhook takes over, or since when it signs alone; null when none was created since the
   * last one was activated. It is not in the subscription itself, which has only its documented keys in the REST API.
   */
  getSecretRotation: {
    method: "GET",
    path: "/webhooks/{id}/rotation",
    params: byId,
    responses: { 200: { body: Type.Object({ takes_over_at: nullableTimestamp }) } },
  },
  /** Newest first, 400 days back; filters are combined by "and". */
  listAuditLog: {
    method: "GET",
    path: "/audit-log",
    query: Type.Object({
      /** The `next` of the page before. */
      before: Type.Optional(Type.String()),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: AUDIT_PAGE_MAX, default: 50 })),
      /** What was done. */
      action: Type.Optional(choice(auditedOperations)),
      /** Who did it: an agent or an API key. An unknown one gives an empty list. */
      actor_id: Type.Optional(Type.String()),
    }),
    responses: {
      200: {
        body: Type.Object({
          entries: Type.Array(AuditEntry),
          /** Where the next page begins; null when this is the last. */
          next: nullableString,
        }),
      },
    },
  },
} as const satisfies Record<string, HttpOperation>;
