import type { HttpOperation, Response } from "@frontdesk/core/contract";
import { VISITOR_PREFIX, visitorOperations } from "@frontdesk/core/contract/visitor";
import { invalid } from "@frontdesk/core/domain/refusal";
import { type DeviceHeaders, deviceOf } from "@frontdesk/core/domain/user-agent";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { VisitorActor } from "../../access/actor.ts";
import type { ReadIdentity } from "../../access/visitor-identity.ts";
import { askForPerson } from "../../ai/speaker/ask-for-person.ts";
import { confirmHelped } from "../../ai/speaker/confirm-helped.ts";
import { identifyVisitor } from "../../contacts/identify-visitor.ts";
import { openChat } from "../../conversations/open-chat.ts";
import {
  presentChat,
  presentChatContact,
  presentChatConversation,
  presentChatMessage,
  presentIdentified,
} from "../../conversations/present-chat.ts";
import { rateConversation } from "../../conversations/rate-conversation.ts";
import { seeMessages } from "../../conversations/see-messages.ts";
import { sendVisitorMessage } from "../../conversations/send-visitor-message.ts";
import type { Amounts, StrangerBounds } from "../../limits/stranger-bounds.ts";
import type { VisitorRoom } from "../../limits/visitor-room.ts";
import type { Perform } from "../../perform.ts";
import { type Asked, serveOperation } from "../framework/serve-operation.ts";
import { boundUnreadBodies } from "../framework/unread-bodies.ts";
import { readPageVisits } from "./page-visits.ts";
import { type AtWidget, strangerOf, type VisitorDoor } from "./visitor-door.ts";

interface VisitorServices {
  perform: Perform;
  door: VisitorDoor;
  readIdentity: ReadIdentity;
  bounds: StrangerBounds;
  room: VisitorRoom;
  /** Identifies the log that numbers belong to. */
  epoch(): Promise<string>;
  /** The beginning of the addresses of files. */
  filesUrl: string;
}

interface VisitorRequest<O extends HttpOperation> extends Asked<O> {
  visitor: VisitorActor;
}

/**
 * The API of the widget for visitors (docs/decisions/0020-live-stream.md). Visitors authenticate by a bearer token, never by a
 * cookie.
 */
export async function visitorRoutes(
  app: FastifyInstance,
  { perform, door, readIdentity, bounds, room, epoch, filesUrl }: VisitorServices,
) {
  boundUnreadBodies(app, bounds, app.initialConfig.bodyLimit ?? 0);

  serve(visitorOperations.sendMessage, async ({ visitor, request, body }) => {
    const { client_id: clientId, content, attachments = [], page_visited: pages = [], ...said } = body;
    const { identity, data, timezone, ...details } = said;
    const { browser, system } = deviceOf(request.headers as DeviceHeaders);
    if (!content && attachments.length === 0) {
      throw invalid({ content: "message-empty" });
    }
    await count(request, visitor, { messages: 1, "new-visitors": visitor.contactId === undefined ? 1 : 0 });
    const written = await perform(visitor, sendVisitorMessage, {
      clientId,
      content,
      attachments,
      filesUrl,
      identity: await vouched(visitor, identity),
      data,
      details,
      device: { browser_type: browser, operating_system: system, timezone: timezone ?? null },
      pageVisits: readPageVisits(pages),
    });
    return { message: presentChatMessage(written), contact: presentChatContact(written.contact) };
  });

  serve(visitorOperations.introduce, async ({ visitor, request, body: { identity, ...page } }) => {
    const isNew = identity !== undefined && visitor.contactId === undefined;
    await count(request, visitor, { "new-visitors": isNew ? 1 : 0 });
    const identification = { identity: await vouched(visitor, identity), page };
    return presentIdentified(await perform(visitor, identifyVisitor, identification));
  });

  serve(visitorOperations.openChat, async ({ visitor, query: { before, limit } }) => {
    const chat = await perform(visitor, openChat, { before, limit });
    return presentChat(chat, await epoch());
  });

  serve(visitorOperations.seeMessages, async ({ visitor, request, body: { conversation_id, sort_number } }) => {
    await count(request, visitor);
    const seen = await perform(visitor, seeMessages, { conversationId: conversation_id, sortNumber: sort_number });
    return { conversation: presentChatConversation(seen) };
  });

  serve(visitorOperations.askForPerson, async ({ visitor, request, body: { conversation_id } }) => {
    await count(request, visitor);
    const handedOver = await perform(visitor, askForPerson, { conversationId: conversation_id });
    return { conversation: presentChatConversation(handedOver) };
  });

  serve(visitorOperations.confirmHelped, async ({ visitor, request, body: { conversation_id } }) => {
    await count(request, visitor);
    const resolved = await perform(visitor, confirmHelped, { conversationId: conversation_id });
    return { conversation: presentChatConversation(resolved) };
  });

  serve(visitorOperations.rate, async ({ visitor, request, body: { conversation_id, rating, comment } }) => {
    await count(request, visitor);
    const rated = await perform(visitor, rateConversation, { conversationId: conversation_id, rating, comment });
    return { conversation: presentChatConversation(rated) };
  });

  /** Before anything is written. */
  async function count(request: FastifyRequest, visitor: VisitorActor, amounts: Amounts = {}): Promise<void> {
    await room.require();
    await bounds.take(strangerOf(request, visitor), { ...amounts, "written-bytes": request.bodyBytes ?? 0 });
  }

  async function vouched(visitor: VisitorActor, identity: string | undefined) {
    return identity === undefined ? undefined : readIdentity(visitor, identity);
  }

  function serve<const O extends HttpOperation>(
    operation: O,
    answer: (asked: VisitorRequest<O>) => Promise<Response<O>>,
  ): void {
    // Then the page may identify again a visitor whose verified session has expired.
    const mayVouch = operation.body !== undefined && "identity" in operation.body.properties;
    serveOperation<O>(app, operation, {
      prefix: VISITOR_PREFIX,
      async enter(request) {
        request.visitor = await door(request as AtWidget, mayVouch);
      },
      async answer(asked) {
        const { visitor } = asked.request;
        if (!visitor) throw new Error("The route was reached without a visitor.");
        return answer({ ...asked, visitor });
      },
    });
  }
}

declare module "fastify" {
  interface FastifyRequest {
    visitor?: VisitorActor;
  }
}
