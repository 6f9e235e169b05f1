import {
  actionOperation,
  bulkOperation,
  COUNT_MAX,
  FOUND_MAX,
  INBOX_PREFIX,
  type InboxActionInput,
  type InboxActionName,
  inboxActionNames,
  inboxOperations,
  type Overtaken,
  PREFERENCES_MAX_BYTES,
  VIEW_COUNT_MAX,
} from "@frontdesk/core/contract/inbox";
import { type InboxQuery, readCursor } from "@frontdesk/core/domain/inbox";
import { policy } from "@frontdesk/core/domain/policy";
import { sentenceOf } from "@frontdesk/core/domain/reasons";
import { invalid, notAllowed, Refusal } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AgentActor, ApiKeyActor } from "../../access/actor.ts";
import { blockContact, unblockContact } from "../../contacts/block-contact.ts";
import { presentLiveMessage } from "../../conversations/present-team.ts";
import { type CannedReplyChange, listCannedReplies, writeCannedReplies } from "../../inbox/canned-replies.ts";
import { conversationActions } from "../../inbox/conversation-actions.ts";
import { countInbox } from "../../inbox/count-inbox.ts";
import { forwardFromInbox, undoForward } from "../../inbox/forward-from-inbox.ts";
import { holdReply } from "../../inbox/hold-reply.ts";
import { dropDraft, keepDraft, listDrafts } from "../../inbox/keep-draft.ts";
import { type Cursor, listInbox } from "../../inbox/list-inbox.ts";
import { listPeople } from "../../inbox/list-people.ts";
import { contactAfter, openContact } from "../../inbox/open-contact.ts";
import { openInInbox } from "../../inbox/open-in-inbox.ts";
import { getPreferences, setPreferences } from "../../inbox/preferences.ts";
import {
  presentCannedReply,
  presentCounts,
  presentDetails,
  presentDraft,
  presentFound,
  presentInboxList,
  presentOpenedContact,
  presentPeople,
  presentShown,
  presentThread,
} from "../../inbox/present-inbox.ts";
import { readThread } from "../../inbox/read-thread.ts";
import { listSavedViews, writeSavedView } from "../../inbox/saved-views.ts";
import { searchInbox } from "../../inbox/search-inbox.ts";
import { type SendOutcome, sendFromInbox } from "../../inbox/send-from-inbox.ts";
import { undoReply } from "../../inbox/undo-reply.ts";
import { articleAsText } from "../../knowledge/article-as-text.ts";
import { suggestArticles } from "../../knowledge/suggest-articles.ts";
import type { Perform } from "../../perform.ts";
import { presentReason } from "../framework/answer-error.ts";
import { HttpProblem } from "../framework/http-problem.ts";
import { eitherDoor } from "./either-door.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

/** Authenticates an agent of the team. */
type InboxActor = AgentActor | ApiKeyActor;
type InboxWayIn = SessionDoors<InboxActor>["door"];

export interface InboxRouteServices extends SessionDoors<InboxActor> {
  perform: Perform;
  /** Identifies the log that numbers belong to. */
  epoch(): Promise<string>;
  /** For the other screens of the agent. */
  onOwnRead(read: { team: string; agentId: string; conversationId: string; readNumber: number }): void;
}

/**
 * Agents who are signed in; a program's key, in `X-API-KEY`, counts as its agent. Every route here needs the key's scope to
 * read conversations: changes return a conversation too.
 */
export function inboxDoor(
  signedIn: (request: FastifyRequest) => Promise<AgentActor>,
  byKey: (request: FastifyRequest, reply: FastifyReply) => Promise<ApiKeyActor>,
): InboxWayIn {
  return eitherDoor(signedIn, async (request, reply) => {
    const actor = await byKey(request, reply);
    if (!actor.scopes.includes(policy["list-inbox"].apiKey)) throw notAllowed("not-allowed");
    return actor;
  });
}

/** The API of an agent's inbox (docs/decisions/0026-inbox.md). */
export async function inboxRoutes(app: FastifyInstance, services: InboxRouteServices): Promise<void> {
  const { perform, epoch, onOwnRead } = services;
  const serve = sessionEndpoints<InboxActor>(app, services, INBOX_PREFIX);

  serve(inboxOperations.listConversations, async ({ agent, query: { before, limit = 50, ...query } }) => {
    const { unread, tag_ids, agent_ids, ...rest } = query;
    const asked: InboxQuery = {
      ...rest,
      ...(tag_ids && { tag_ids: tag_ids.split(",") }),
      ...(agent_ids && { agent_ids: agent_ids.split(",") }),
      ...(unread && { unread: true }),
    };
    return presentInboxList(
      await perform(agent, listInbox, { query: asked, before: cursorIn(before), limit }),
      await epoch(),
    );
  });

  serve(inboxOperations.getCounts, async ({ agent }) =>
    presentCounts(await perform(agent, countInbox, { most: COUNT_MAX }), await epoch()),
  );

  serve(inboxOperations.getConversation, async ({ agent, params }) =>
    presentDetails(await perform(agent, openInInbox, { conversationId: params.conversation_id }), await epoch()),
  );

  serve(inboxOperations.listMessages, async ({ agent, params, query: { before, after, limit = 50 } }) => {
    const asked = { conversationId: params.conversation_id, before, after, limit };
    return presentThread(await perform(agent, readThread, asked), await epoch());
  });

  serve(inboxOperations.sendMessage, async ({ agent, params, body }) => {
    const result = await perform(agent, sendFromInbox, {
      conversationId: params.conversation_id,
      clientId: body.client_id,
      type: body.type,
      content: body.content,
      attachments: body.attachments ?? [],
      mentions: body.mentions ?? [],
      afterNumber: body.after_number,
      anyway: body.anyway ?? false,
      resolve: body.resolve ?? false,
      draftedWithAi: body.drafted_with_ai,
    });
    if (result.outcome !== "sent") throw notSent(result);
    return presentSent(result, await epoch());
  });

  serve(inboxOperations.holdReply, async ({ agent, params, body }) => {
    const result = await perform(agent, holdReply, {
      conversationId: params.conversation_id,
      clientId: body.client_id,
      type: "message",
      content: body.content,
      attachments: body.attachments ?? [],
      mentions: [],
      afterNumber: body.after_number,
      anyway: body.anyway ?? false,
      resolve: body.resolve ?? false,
      draftedWithAi: body.drafted_with_ai,
      holdMs: body.hold_ms,
    });
    if (result.outcome === "held") return { sent: null };
    if (result.outcome !== "sent") throw notSent(result);
    return { sent: presentSent(result, await epoch()) };
  });

  serve(inboxOperations.undoReply, async ({ agent, params, query }) => {
    const asked = { conversationId: params.conversation_id, clientId: query.client_id };
    const result = await perform(agent, undoReply, asked);
    return { sent: result.outcome === "sent" ? presentSent(result, await epoch()) : null };
  });

  serve(inboxOperations.forwardMail, async ({ agent, params, body }) =>
    perform(agent, forwardFromInbox, {
      ...{ conversationId: params.conversation_id, messageId: body.message_id, clientId: body.client_id },
      ...{ to: body.to, content: body.content, files: body.files, holdMs: body.hold_ms },
    }),
  );

  serve(inboxOperations.undoForward, async ({ agent, params, query }) =>
    perform(agent, undoForward, { conversationId: params.conversation_id, clientId: query.client_id }),
  );

  for (const name of inboxActionNames) {
    serve(actionOperation(name), async ({ agent, params, body }) =>
      presentShown(await act(agent, name, params.conversation_id, body), await epoch()),
    );
    // Each has a commit of its own; those of one request share the cost of committing.
    serve(bulkOperation(name), async ({ agent, body: { conversation_ids: ids, ...body } }) => {
      const ended = await Promise.all(
        ids.map((id) => act(agent, name, id, body as never).then(() => undefined, refusalOf)),
      );
      const failed = ids.flatMap((id, index) => {
        const refusal = ended[index];
        return refusal ? [{ id, ...firstReason(refusal) }] : [];
      });
      return { done: ids.filter((_, index) => !ended[index]), failed };
    });
  }

  async function act<Name extends InboxActionName>(
    agent: InboxActor,
    name: Name,
    conversationId: string,
    asked: InboxActionInput<Name>,
  ) {
    const { operation, input } = conversationActions[name](conversationId, asked);
    const shown = await perform(agent, operation, input as never);
    if (name === "read") {
      const { id, last_sort_number: last } = shown.conversation.conversation;
      const { sort_number: readNumber = last } = asked as InboxActionInput<"read">;
      const { teamId: team, agentId } = agent;
      onOwnRead({ team, agentId, conversationId: id, readNumber: Math.min(readNumber, last) });
    }
    return shown;
  }

  const onContact = {
    getContact: openContact,
    blockContact: contactAfter(blockContact),
    unblockContact: contactAfter(unblockContact),
  } as const;
  for (const name of ["getContact", "blockContact", "unblockContact"] as const) {
    serve(inboxOperations[name], async ({ agent, params }) =>
      presentOpenedContact(await perform(agent, onContact[name], { contactId: params.contact_id }), await epoch()),
    );
  }

  serve(inboxOperations.putDraft, async ({ agent, params, body: { returned_by: returnedBy, ...draft } }) => ({
    draft: presentDraft(
      await perform(agent, keepDraft, { conversationId: params.conversation_id, ...draft, returnedBy }),
    ),
  }));

  serve(inboxOperations.deleteDraft, async ({ agent, params, query }) => {
    await perform(agent, dropDraft, { conversationId: params.conversation_id, mode: query.mode });
    return {};
  });

  serve(inboxOperations.listDrafts, async ({ agent }) => {
    const drafts = await perform(agent, listDrafts, {});
    return { drafts: drafts.map((draft) => ({ conversation_id: draft.conversation_id, ...presentDraft(draft) })) };
  });

  serve(inboxOperations.listCannedReplies, async ({ agent }) => ({
    canned_replies: (await perform(agent, listCannedReplies, {})).map(presentCannedReply),
  }));

  serve(inboxOperations.suggestArticles, async ({ agent, query: { q: query } }) => {
    const found = await perform(agent, suggestArticles, { query });
    return { articles: found.map(({ id, ...text }) => ({ id, question: text.question, text: articleAsText(text) })) };
  });

  const writeReply = async (agent: InboxActor, whose: "own" | "team", change: CannedReplyChange) =>
    presentCannedReply(await perform(agent, writeCannedReplies[whose], change));

  serve(inboxOperations.addCannedReply, async ({ agent, params, body }) => ({
    canned_reply: await writeReply(agent, whoseIn(params), { add: body }),
  }));

  serve(inboxOperations.updateCannedReply, async ({ agent, params, body: { name, content } }) => ({
    canned_reply: await writeReply(agent, whoseIn(params), { update: { id: params.id, name, content } }),
  }));

  serve(inboxOperations.removeCannedReply, async ({ agent, params }) => {
    await writeReply(agent, whoseIn(params), { remove: { id: params.id } });
    return {};
  });

  serve(inboxOperations.listSavedViews, async ({ agent }) => ({
    saved_views: await perform(agent, listSavedViews, { most: VIEW_COUNT_MAX }),
  }));

  serve(inboxOperations.addSavedView, async ({ agent, body }) => ({
    saved_view: await perform(agent, writeSavedView, body),
  }));

  serve(inboxOperations.updateSavedView, async ({ agent, params, body }) => ({
    saved_view: await perform(agent, writeSavedView, { ...body, id: params.id }),
  }));

  serve(inboxOperations.removeSavedView, async ({ agent, params }) => {
    await perform(agent, writeSavedView, { id: params.id, remove: true });
    return {};
  });

  serve(inboxOperations.getPreferences, async ({ agent }) => ({
    preferences: await perform(agent, getPreferences, {}),
  }));

  serve(inboxOperations.putPreferences, async ({ agent, body: preferences }) => ({
    preferences: await perform(agent, setPreferences, { preferences, mostBytes: PREFERENCES_MAX_BYTES }),
  }));

  serve(inboxOperations.search, async ({ agent, query: { q, time_zone: timeZone } }) =>
    presentFound(await perform(agent, searchInbox, { query: q, timeZone, limit: FOUND_MAX }), q),
  );

  serve(inboxOperations.listPeople, async ({ agent }) => presentPeople(await perform(agent, listPeople, {})));
}

type Sent = Extract<SendOutcome, { outcome: "sent" }>;

const presentSent = (result: Sent, epoch: string) => ({
  message: presentLiveMessage(result.message),
  ...presentShown(result, epoch),
});

function notSent(result: Exclude<SendOutcome, Sent>): HttpProblem {
  if (result.outcome !== "overtaken") return new HttpProblem(409, `reply-${result.outcome}`);
  const more: Omit<Overtaken, "message"> = { reply: presentLiveMessage(result.reply) };
  return new HttpProblem(409, "reply-overtaken", { more });
}

/** @throws Refusal `invalid` on `before` */
function cursorIn(before: string | undefined): Cursor | undefined {
  if (before === undefined) return undefined;
  const cursor = readCursor(before);
  if (!cursor) throw invalid({ before: "no-such-place" });
  return { value: Date.parse(cursor.value), id: cursor.id };
}

/** The path names one of the two owners; another word belongs to no canned reply. */
function whoseIn({ whose }: { whose: string }): "own" | "team" {
  if (whose === "own" || whose === "team") return whose;
  throw new HttpProblem(404, "http.no-such-part");
}

/** A refusal is the result of this one; an internal error fails the whole request. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** The first error of the first wrong field. */
function firstReason({ detail, fields = {} }: Refusal) {
  const first = Object.values(fields).flat()[0] ?? detail;
  return { message: sentenceOf(first), ...presentReason(first) };
}
