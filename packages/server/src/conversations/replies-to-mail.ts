import {
  bestWidgetLanguage,
  isOnSites,
  readWidgetSettings,
  type WidgetLanguage,
} from "@frontdesk/core/domain/widget-settings";
import { latestPageVisit } from "../contacts/contact-store.ts";
import type { Context, Operation } from "../context.ts";
import { answerAddress } from "../email/out/answer-address.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";
import { widgetById } from "../widgets/widget-store.ts";
import { type ChatMessage, withWhatIsShown } from "./chat-message.ts";
import { findConversation } from "./find-conversation.ts";
import { lookAgain, whetherToMail } from "./mailing.ts";

/** The content of a mail to a visitor who has left. */
export interface RepliesToMail {
  email: string;
  /** Where an answer to it goes, if it comes back into the chat. */
  answerTo: string | undefined;
  language: WidgetLanguage;
  teamName: string;
  /** The last page they visited, when it may be named. */
  page: string | undefined;
  /** Oldest first; at least one. */
  replies: ChatMessage[];
  /** The sort number of the last of them. */
  upTo: number;
}

/**
 * What the job `send-replies-mail` sends. The job may have waited for the mail server, so what to mail is read again; undefined
 * when there is nothing, and then the next check is scheduled, if any. A repeat returns the same until `note-replies-mailed`.
 * docs/decisions/0024-care-for-visitors.md
 */
export const repliesToMail: Operation<{ conversationId: string }, RepliesToMail | undefined> = {
  name: "replies-to-mail",
  mode: "write",
  async run(ctx, { conversationId }) {
    const conversation = await findConversation(ctx, conversationId);
    const decision = await whetherToMail(ctx, conversation);
    if (!decision.send) {
      lookAgain(ctx, conversation, decision.lookAt);
      return undefined;
    }
    const { contact, replies, upTo } = decision;
    const [teamName, page, shown, answerTo] = await Promise.all([
      nameOfTeam(ctx),
      pageToComeBackTo(ctx, conversation),
      withWhatIsShown(ctx, replies),
      answerAddress(ctx, conversation, contact.email),
    ]);
    const language = bestWidgetLanguage(contact.language === null ? [] : [contact.language]);
    return { email: contact.email, answerTo, language, teamName, page, replies: shown, upTo };
  },
};

async function nameOfTeam(ctx: Context): Promise<string> {
  const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
  if (!team) throw new Error("The team of a conversation is gone.");
  return team.name;
}

/**
 * The visitor's browser sent the page, and an e-mail can be typed by anyone: so the mail contains only the page's address,
 * without a query that may be secret, and no page outside of the sites that the owner has named. An owner who has named none
 * gets no link: the page may be anyone's, and the mail would vouch for it.
 */
async function pageToComeBackTo(ctx: Context, conversation: ConversationRow): Promise<string | undefined> {
  const { contact_id, widget_id } = conversation;
  const [visit, widget] = await Promise.all([
    ctx.db.first(latestPageVisit, { team_id: ctx.teamId, contact_id }),
    ctx.db.first(widgetById, { team_id: ctx.teamId, id: widget_id }),
  ]);
  const url = URL.parse(visit?.page ?? "");
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const { sites } = readWidgetSettings(widget?.settings ?? null);
  return sites.length > 0 && isOnSites(sites, url.origin) ? url.origin + url.pathname : undefined;
}
