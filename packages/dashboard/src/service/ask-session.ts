/** What is asked of the session's own interface. The types are the contract's; its schemas are not loaded. */
import type { Body, Params, Query, Response } from "@frontdesk/core/contract/operation";
import type { sessionOperations } from "@frontdesk/core/contract/session";
import { filled, send } from "./send.ts";

type Operations = typeof sessionOperations;
type Name = keyof Operations;

/** The compiler holds it equal to the contract. */
const routes = {
  signIn: ["POST", "/sign-in"],
  signOut: ["POST", "/sign-out"],
  getMe: ["GET", "/me"],
  updateMe: ["PATCH", "/me"],
  changePassword: ["POST", "/me/password"],
  listSessions: ["GET", "/me/sessions"],
  endSession: ["DELETE", "/me/sessions/{id}"],
  endOtherSessions: ["DELETE", "/me/sessions"],
  requestPasswordReset: ["POST", "/password-reset"],
  confirmPasswordReset: ["POST", "/password-reset/confirm"],
  getInvitation: ["GET", "/join/{token}"],
  acceptInvitation: ["POST", "/join/{token}"],
  setAgentRole: ["PATCH", "/agents/{id}"],
  deactivateAgent: ["POST", "/agents/{id}/deactivate"],
  reactivateAgent: ["POST", "/agents/{id}/reactivate"],
  renewInvitation: ["POST", "/agents/{id}/invitation"],
  renameTeam: ["PATCH", "/team"],
  setApiAccess: ["PUT", "/team/api-access"],
  listApiKeys: ["GET", "/keys"],
  createApiKey: ["POST", "/keys"],
  revokeApiKey: ["DELETE", "/keys/{id}"],
  listTagUse: ["GET", "/tags"],
  createTag: ["POST", "/tags"],
  updateTag: ["PATCH", "/tags/{id}"],
  deleteTag: ["DELETE", "/tags/{id}"],
  listFieldUse: ["GET", "/custom-fields"],
  createCustomField: ["POST", "/custom-fields"],
  updateCustomField: ["PATCH", "/custom-fields/{id}"],
  deleteCustomField: ["DELETE", "/custom-fields/{id}"],
  getSecretRotation: ["GET", "/webhooks/{id}/rotation"],
  listAuditLog: ["GET", "/audit-log"],
} as const satisfies { [N in Name]: readonly [Operations[N]["method"], Operations[N]["path"]] };

type Given<Part, Value> = Value extends undefined ? object : { [key in Part & string]: Value };

/** What an operation takes: `params`, `query` and `body`, where it has them. */
export type SessionInput<N extends Name> = Given<"params", Params<Operations[N]>> &
  (Query<Operations[N]> extends undefined ? object : { query?: Query<Operations[N]> }) &
  Given<"body", Body<Operations[N]>>;

/** @throws ServiceError for everything but an answer */
export function askSession<N extends Name>(
  name: N,
  ...[input]: object extends SessionInput<N> ? [input?: SessionInput<N>] : [input: SessionInput<N>]
): Promise<Response<Operations[N]>> {
  const [method, path] = routes[name];
  const { params, query, body } = (input ?? {}) as { params?: Record<string, string>; query?: object; body?: object };
  // A change is told apart from a page's form by its JSON.
  const sent = method === "GET" ? undefined : (body ?? {});
  return send({ method, path: filled(path, params), query: query as Record<string, unknown>, body: sent });
}
