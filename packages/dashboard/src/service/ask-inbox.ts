/** What is asked of the inbox. The types are the contract's; its schemas are not loaded. */
import type { inboxOperations } from "@frontdesk/core/contract/inbox";
import type { Body, Params, Query, Response } from "@frontdesk/core/contract/operation";
import { filled, send } from "./send.ts";

type Operations = typeof inboxOperations;
type Name = keyof Operations;

/** The compiler holds it equal to the contract. What the live state asks for itself is not here. */
const routes = {
  listCannedReplies: ["GET", "/canned-replies"],
  addCannedReply: ["POST", "/canned-replies/{whose}"],
  updateCannedReply: ["PATCH", "/canned-replies/{whose}/{id}"],
  removeCannedReply: ["DELETE", "/canned-replies/{whose}/{id}"],
  listSavedViews: ["GET", "/saved-views"],
  addSavedView: ["POST", "/saved-views"],
  updateSavedView: ["PATCH", "/saved-views/{id}"],
  removeSavedView: ["DELETE", "/saved-views/{id}"],
  getPreferences: ["GET", "/preferences"],
  putPreferences: ["PUT", "/preferences"],
  search: ["GET", "/search"],
  listPeople: ["GET", "/people"],
  listConversations: ["GET", "/conversations"],
  getCounts: ["GET", "/counts"],
  getConversation: ["GET", "/conversations/{conversation_id}"],
  listMessages: ["GET", "/conversations/{conversation_id}/messages"],
  sendMessage: ["POST", "/conversations/{conversation_id}/messages"],
  putDraft: ["PUT", "/conversations/{conversation_id}/draft"],
  deleteDraft: ["DELETE", "/conversations/{conversation_id}/draft"],
  getContact: ["GET", "/contacts/{contact_id}"],
  blockContact: ["POST", "/contacts/{contact_id}/block"],
  unblockContact: ["POST", "/contacts/{contact_id}/unblock"],
  listDrafts: ["GET", "/drafts"],
} as const satisfies { [N in Name]: readonly [Operations[N]["method"], Operations[N]["path"]] };

type Given<Part, Value> = Value extends undefined ? object : { [key in Part & string]: Value };

export type InboxInput<N extends Name> = Given<"params", Params<Operations[N]>> &
  (Query<Operations[N]> extends undefined ? object : { query?: Query<Operations[N]> }) &
  Given<"body", Body<Operations[N]>>;

/** @throws ServiceError for everything but an answer */
export function askInbox<N extends Name>(
  name: N,
  ...[input]: object extends InboxInput<N>
    ? [input?: InboxInput<N> & { signal?: AbortSignal }]
    : [input: InboxInput<N> & { signal?: AbortSignal }]
): Promise<Response<Operations[N]>> {
  const [method, path] = routes[name];
  const { params, query, body, signal } = (input ?? {}) as {
    params?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: object;
    signal?: AbortSignal;
  };
  const sent = method === "GET" ? undefined : (body ?? {});
  return send({ method, path: `/inbox${filled(path, params)}`, query, body: sent, signal });
}
