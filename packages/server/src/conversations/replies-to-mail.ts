import {
  bestWidgetLanguage,
  isOnSites,
  readWidgetSettings,
  type WidgetLanguage,
} from "@frontdesk/core/domain/widget-settings";
import { sessionOfContact } from "../access/visitor-session-store.ts";
import { contactById, latestPageVisit } from "../contacts/contact-store.ts";
import type { Context, Operation } from "../context.ts";
import type { ContactRow, ConversationRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";
import { widgetById } from "../widgets/widget-store.ts";
import { type ChatMessage, withWhatIsShown } from "./chat-message.ts";
import { findConversation } from "./find-conversation.ts";
import { lookAgain, replyDue, unseenReplies } from "./mailing.ts";
import { takeMailPlace } from "./visitor-mail-bound.ts";

/** Whoever is there may see the replies any moment; it is looked again after that long. */
const ONLINE_PAUSE_MS = 15 * 60_000;

/** What a visitor who has left is told by mail. */
export interface RepliesToMail {
  email: string;
  language: WidgetLanguage;
  teamName: string;
  /** The page they came to last, where it may be named. */
  page: string | undefined;
  /** Oldest first; at least one. */
  replies: ChatMessage[];
  /** The sort number of the last of them. */
  upTo: number;
}

/**
 * The replies of a conversation that are to be mailed now; undefined when there are none, and then it is decided when to
 * look again, if ever. A repeat answers the same until `note-replies-mailed`. docs/decisions/0024-care-for-visitors.md
 */
export const repliesToMail: Operation<{ conversationId: string }, RepliesToMail | undefined> = {
  name: "replies-to-mail",
  mode: "write",
  async run(ctx, { conversationId }) {
    const conversation = await findConversation(ctx, conversationId);
    const contact = await whoCanBeMailed(ctx, conversation);
    const replies = await unseenReplies(ctx, conversation);
    const [oldest, newest] = [replies[0], replies.at(-1)];
    if (!contact || !oldest || !newest) return later(ctx, conversation, null);
    if (contact.online_status === "online") return later(ctx, conversation, ctx.now + ONLINE_PAUSE_MS);
    if (replyDue(oldest) > ctx.now) return later(ctx, conversation, replyDue(oldest));
    const mail = { conversationId, upTo: newest.sort_number };
    const notBefore = await takeMailPlace(ctx, contact, mail);
    if (notBefore !== undefined) return later(ctx, conversation, notBefore);
    const [teamName, page, shown] = await Promise.all([
      nameOfTeam(ctx),
      pageToComeBackTo(ctx, conversation),
      withWhatIsShown(ctx, replies),
    ]);
    const language = bestWidgetLanguage(contact.language === null ? [] : [contact.language]);
    return { email: contact.email, language, teamName, page, replies: shown, upTo: newest.sort_number };
  },
};

function later(ctx: Context, conversation: ConversationRow, dueAt: number | null): undefined {
  lookAgain(ctx, conversation, dueAt);
}

/**
 * The visitor, when they have an e-mail, are not blocked, and have chatted in a browser. Those whom a program has brought
 * by the REST API it tells itself: it has its own ways.
 */
async function whoCanBeMailed(
  ctx: Context,
  { contact_id }: ConversationRow,
): Promise<(ContactRow & { email: string }) | undefined> {
  const [contact, session] = await Promise.all([
    ctx.db.first(contactById, { team_id: ctx.teamId, id: contact_id }),
    ctx.db.first(sessionOfContact, { team_id: ctx.teamId, contact_id }),
  ]);
  if (!contact || !session || contact.email === null || contact.blocked_at !== null) return undefined;
  return { ...contact, email: contact.email };
}

async function nameOfTeam(ctx: Context): Promise<string> {
  const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
  if (!team) throw new Error("The team of a conversation is gone.");
  return team.name;
}

/**
 * The visitor's browser has said where it was, and an e-mail is typed by anybody: so nothing but the place of the page is
 * told, without what may be secret in its query, and no page outside of the sites that the owner has named. An owner who
 * has named none gets no link: the page may be anybody's, and the mail would vouch for it.
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
