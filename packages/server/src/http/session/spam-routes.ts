import { buffer } from "node:stream/consumers";
import { INBOX_PREFIX, inboxOperations } from "@frontdesk/core/contract/inbox";
import { SPAM_COUNT_MAX, SPAM_TEXT_MAX } from "@frontdesk/core/contract/inbox-spam";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance } from "fastify";
import type { AgentActor, ApiKeyActor } from "../../access/actor.ts";
import { listAutomaticMails, listHeldMails } from "../../email/held/list-held-mails.ts";
import { presentHeldMail } from "../../email/held/present-held-mail.ts";
import type { ParsedMail } from "../../email/parse/parsed-mail.ts";
import { textOfMail } from "../../email/parse/text-of-mail.ts";
import { deleteSpam } from "../../email/spam/delete-spam.ts";
import { listSpam } from "../../email/spam/list-spam.ts";
import { markNotSpam } from "../../email/spam/mark-not-spam.ts";
import { openSpam } from "../../email/spam/open-spam.ts";
import { presentSpam } from "../../email/spam/present-spam.ts";
import type { FileStorage } from "../../files/file-storage.ts";
import type { Perform } from "../../perform.ts";
import { answerOriginal } from "../framework/answer-original.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

export interface SpamRouteServices extends SessionDoors<AgentActor | ApiKeyActor> {
  perform: Perform;
  fileStorage: FileStorage;
  /** Reads a mail outside of this thread; undefined for one that cannot be read. */
  readMail(load: () => Promise<Uint8Array>): Promise<ParsedMail | undefined>;
}

/** The spam, the held and the automatic mails of a team, beside its inbox (docs/decisions/0065-spam.md). */
export async function spamRoutes(app: FastifyInstance, services: SpamRouteServices): Promise<void> {
  const { perform, fileStorage, readMail } = services;
  const serve = sessionEndpoints<AgentActor | ApiKeyActor>(app, services, INBOX_PREFIX);

  serve(inboxOperations.listSpam, async ({ agent, query: { before, limit = 50 } }) => {
    const { rows, next, total } = await perform(agent, listSpam, { before, limit, most: SPAM_COUNT_MAX });
    return { spam: rows.map(presentSpam), next, total };
  });

  serve(inboxOperations.getSpamText, async ({ agent, params }) => {
    const { teamId } = agent;
    const { id } = await perform(agent, openSpam, { spamId: params.id });
    const mail = await readMail(async () => {
      const content = await fileStorage.read({ teamId, id });
      // The content was not copied when the data was moved.
      if (!content) throw notFound("original");
      return buffer(content);
    });
    if (!mail) return { text: null, is_cut: false };
    const text = textOfMail(mail).text.trim();
    return { text: text.slice(0, SPAM_TEXT_MAX).toWellFormed(), is_cut: text.length > SPAM_TEXT_MAX };
  });

  serve(inboxOperations.getSpamOriginal, async ({ agent, params, request, reply }) => {
    const original = await perform(agent, openSpam, { spamId: params.id });
    return answerOriginal(request, reply, fileStorage, { teamId: agent.teamId, ...original });
  });

  serve(inboxOperations.markNotSpam, async ({ agent, params }) => {
    const { isPaused } = await perform(agent, markNotSpam, { spamId: params.id });
    return { is_paused: isPaused };
  });

  serve(inboxOperations.deleteSpam, async ({ agent, params }) => {
    await perform(agent, deleteSpam, { spamId: params.id });
    return {};
  });

  serve(inboxOperations.listHeldMails, async ({ agent, query: { before, limit = 50 } }) => {
    const { rows, next } = await perform(agent, listHeldMails, { before, limit });
    return { mails: rows.map(presentHeldMail), next };
  });

  serve(inboxOperations.listAutomaticMails, async ({ agent, query: { before, limit = 50 } }) => {
    const { rows, next } = await perform(agent, listAutomaticMails, { before, limit });
    return { mails: rows.map(presentHeldMail), next };
  });
}
