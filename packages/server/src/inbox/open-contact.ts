import { wholeContact } from "../contacts/get-contact.ts";
import type { WholeContact } from "../contacts/list-contacts.ts";
import type { Context, Operation } from "../context.ts";
import { type ConversationView, conversationViews } from "../conversations/conversation-view.ts";
import type { CustomValueRow } from "../custom-data/custom-data-store.ts";
import { listCustomData } from "../custom-data/list-custom-data.ts";
import { mayPerform } from "../perform.ts";
import { holdNow } from "../privacy/hold-contact.ts";
import type { HoldRow } from "../storage/tables.ts";
import { countersOf } from "../teams/team-counters.ts";
import { conversationsOfContact } from "./inbox-store.ts";

/** A contact with everything that is known of them. */
export interface OpenedContact {
  contact: WholeContact;
  customData: CustomValueRow[];
  /** The newest message first. */
  conversations: ConversationView[];
  /** Undefined as well for those who may not erase the contact. */
  hold: HoldRow | undefined;
  /** Of the team's log: everything up to it is included. */
  number: number;
}

const MOST_CONVERSATIONS = 50;

/**
 * What an agent sees of a contact.
 *
 * @throws Refusal `not-found`
 */
export const openContact: Operation<{ contactId: string }, OpenedContact> = {
  name: "open-contact",
  mode: "read",
  run: (ctx, { contactId }) => contactNow(ctx, contactId),
};

/** An operation on a contact that returns what an agent sees of the contact after it. */
export function contactAfter(
  operation: Operation<{ contactId: string }, unknown>,
): Operation<{ contactId: string }, OpenedContact> {
  return {
    ...operation,
    async run(ctx, { contactId }) {
      await operation.run(ctx, { contactId });
      return contactNow(ctx, contactId);
    },
  };
}

async function contactNow(ctx: Context, contactId: string): Promise<OpenedContact> {
  const contact = await wholeContact(ctx, contactId);
  const { id } = contact.contact;
  const [customData, conversations, hold, { event_number: number }] = await Promise.all([
    listCustomData.run(ctx, { contactId: id }),
    conversationsOf(ctx, id, MOST_CONVERSATIONS),
    mayPerform(ctx.actor, "erase-contact") ? holdNow(ctx, id) : undefined,
    countersOf(ctx),
  ]);
  return { contact, customData, conversations, hold, number };
}

/** The newest message first. */
export async function conversationsOf(ctx: Context, contactId: string, limit: number): Promise<ConversationView[]> {
  const rows = await ctx.db.all(conversationsOfContact, { team_id: ctx.teamId, contact_id: contactId, limit });
  const ids = rows.map(({ id }) => id);
  const byId = await conversationViews(ctx, ids);
  return ids.flatMap((id) => byId.get(id) ?? []);
}
