import { type PageRequest, pageOffset } from "@frontdesk/core/domain/page";
import { seesEverything, type Visibility, visibilityOf } from "../access/visibility-store.ts";
import type { Context, Operation } from "../context.ts";
import { type ListStart, listStart, type TimedList } from "../lists/list-start.ts";
import { listParam } from "../storage/dialect.ts";
import {
  type BrowsedConversationRow,
  conversationsInOrder,
  endingBefore,
  piecesOf,
} from "./conversation-browse-store.ts";
import type { PersonRow } from "./conversation-store.ts";
import { type ListedMessageRow, latestMessages } from "./message-store.ts";

/** The statuses that a list of conversations can have. */
export type BrowsedStatus = "all" | "unresolved" | "resolved";

/** A conversation with its contact. */
export interface ConversationWithContact {
  conversation: BrowsedConversationRow;
  contact: PersonRow;
}

export interface BrowsedConversation extends ConversationWithContact {
  /** Undefined while there are only system lines. */
  lastMessage: ListedMessageRow | undefined;
}

/**
 * The conversations that the actor may see, newest activity first whatever their status, a page at a time. `hasMore`: whether
 * another page follows; the total is not returned. Specification: the tool list-conversations.
 */
export const browseConversations: Operation<
  PageRequest & { status: BrowsedStatus },
  { rows: BrowsedConversation[]; hasMore: boolean }
> = {
  name: "browse-conversations",
  mode: "read",
  async run(ctx, { status, ...page }) {
    // One more than the page holds shows whether another page follows.
    const ids = await idsAt(ctx, status, pageOffset(page), page.limit + 1);
    const shown = ids.slice(0, page.limit);
    const [conversations, messages] = await Promise.all([
      conversationsOf(ctx, shown),
      ctx.db.all(latestMessages, { team_id: ctx.teamId, conversation_ids: listParam(shown) }),
    ]);
    const last = new Map(messages.map((message) => [message.conversation_id, message]));
    const rows = conversations.map((row) => ({ ...row, lastMessage: last.get(row.conversation.id) }));
    return { rows, hasMore: ids.length > page.limit };
  },
};

/** These conversations with their contacts, newest activity first. */
export async function conversationsOf(ctx: Context, ids: readonly string[]): Promise<ConversationWithContact[]> {
  const rows = await ctx.db.all(conversationsInOrder, { team_id: ctx.teamId, conversation_ids: listParam(ids) });
  return rows.map((conversation) => ({
    conversation,
    contact: { id: conversation.contact_id, name: conversation.contact_name, email: conversation.contact_email },
  }));
}

const pieces = {
  all: { of: piecesOf.all, lists: ["open-conversations", "resolved-conversations"] },
  unresolved: { of: piecesOf.open, lists: "open-conversations" },
  resolved: { of: piecesOf.resolved, lists: "resolved-conversations" },
} as const satisfies Record<BrowsedStatus, { of: object; lists: TimedList | readonly TimedList[] }>;

/** The ids of `limit` conversations after the `offset` newest ones. */
async function idsAt(ctx: Context, status: BrowsedStatus, offset: number, limit: number): Promise<string[]> {
  const visibility = visibilityOf(ctx.actor);
  const { of, lists } = pieces[status];
  const start = await startAt(ctx, lists, offset, visibility);
  if (!start) return [];
  const found = await ctx.db.all(of, {
    team_id: ctx.teamId,
    ...visibility,
    ...endingBefore(start.before),
    limit,
    offset: start.skip,
    reach: start.skip + limit,
  });
  return found.map(({ id }) => id);
}

/** The stored counts are those of the whole team: where something is hidden, a deep page skips the rows before it. */
function startAt(
  ctx: Context,
  lists: TimedList | readonly TimedList[],
  offset: number,
  visibility: Visibility,
): Promise<ListStart | undefined> | ListStart {
  return seesEverything(visibility) ? listStart(ctx, lists, offset) : { before: Number.MAX_SAFE_INTEGER, skip: offset };
}
