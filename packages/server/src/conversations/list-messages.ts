import { type PageRequest, pageOffset } from "@frontdesk/core/domain/page";
import { searchWords } from "@frontdesk/core/domain/search-text";
import { deliveriesOf, type MessageDelivery } from "../channels/message-delivery.ts";
import type { Context, Operation } from "../context.ts";
import { mailsOfMessages } from "../email/in/mail-store.ts";
import { type Listed, pageWindow } from "../list.ts";
import { listParam } from "../storage/dialect.ts";
import type { ConversationRow, MailRow } from "../storage/tables.ts";
import { agentNames, contactNames } from "./conversation-store.ts";
import { findConversation } from "./find-conversation.ts";
import { type ListedMessageRow, messagePage, messageSearchPage, messageSearchTotal } from "./message-store.ts";

/** A message as it is listed, with the names of its writer and contact. */
export interface ListedMessageWithNames {
  message: ListedMessageRow;
  agentName: string | null;
  contactName: string | null;
  /** Null where nothing is sent outside, and where it was not requested. */
  delivery: MessageDelivery | null;
  /** Null for what is no mail, and where it was not requested. */
  email: MailRow | null;
}

/**
 * The messages of a conversation, newest first, system lines left out; with `search` those whose content contains all its words
 * (decision 2, docs/decisions/0045-what-a-search-finds.md). `withNames`: whether `agent` or `contact` was requested,
 * `withDelivery` and `withEmail`: whether these were. Specification: GET /conversations/{conversation_id}/messages.
 */
export const listMessages: Operation<
  PageRequest & {
    conversationId: string;
    search: string | undefined;
    withNames: boolean;
    withDelivery: boolean;
    withEmail: boolean;
  },
  Listed<ListedMessageWithNames>
> = {
  name: "list-messages",
  mode: "read",
  async run(ctx, { conversationId, search, withNames, withDelivery, withEmail, ...page }) {
    const conversation = await findConversation(ctx, conversationId);
    const words = searchWords(search ?? "");
    const { rows, total } =
      words.length === 0 ? await everyMessage(ctx, conversation, page) : await matching(ctx, conversation, page, words);
    const names = withNames ? await namesIn(ctx, conversation, rows) : undefined;
    const ids = rows.map(({ id }) => id);
    const [deliveries, mails] = await Promise.all([
      withDelivery ? deliveriesOf(ctx, ids) : undefined,
      withEmail ? ctx.db.all(mailsOfMessages, { team_id: ctx.teamId, message_ids: listParam(ids) }) : [],
    ]);
    const mailOf = new Map(mails.map((mail) => [mail.message_id, mail]));
    const listed = rows.map((message) => ({
      message,
      agentName: names?.agents.get(message.agent_id ?? "") ?? null,
      contactName: names?.contacts.get(message.contact_id ?? "") ?? null,
      delivery: deliveries?.get(message.id) ?? null,
      email: mailOf.get(message.id) ?? null,
    }));
    return { rows: listed, total };
  },
};

async function namesIn(ctx: Context, conversation: ConversationRow, rows: readonly ListedMessageRow[]) {
  const agentIds = new Set(rows.flatMap(({ agent_id }) => agent_id ?? []));
  const [contacts, agents] = await Promise.all([
    ctx.db.all(contactNames, { team_id: ctx.teamId, contact_ids: listParam([conversation.contact_id]) }),
    ctx.db.all(agentNames, { team_id: ctx.teamId, agent_ids: listParam([...agentIds]) }),
  ]);
  const byId = (people: { id: string; name: string | null }[]) => new Map(people.map(({ id, name }) => [id, name]));
  return { contacts: byId(contacts), agents: byId(agents) };
}

async function everyMessage(ctx: Context, conversation: ConversationRow, page: PageRequest) {
  const offset = pageOffset(page);
  // Without system lines sort numbers and list positions are the same, and a deep page is found by its number.
  const byNumber = conversation.message_count === conversation.last_sort_number;
  const rows = await ctx.db.all(messagePage, {
    team_id: ctx.teamId,
    conversation_id: conversation.id,
    from: conversation.last_sort_number - (byNumber ? offset : 0),
    limit: page.limit,
    offset: byNumber ? 0 : offset,
  });
  return { rows, total: conversation.message_count };
}

async function matching(ctx: Context, conversation: ConversationRow, page: PageRequest, words: string[]) {
  const params = { team_id: ctx.teamId, conversation_id: conversation.id, words: listParam(words) };
  const [counted, rows] = await Promise.all([
    ctx.db.first(messageSearchTotal, params),
    ctx.db.all(messageSearchPage, { ...params, ...pageWindow(page) }),
  ]);
  return { rows, total: counted?.total ?? 0 };
}
