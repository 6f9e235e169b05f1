import type { Context, Operation } from "../context.ts";
import type { ContactRow, ErasureRow } from "../storage/tables.ts";
import { hideFoundContact } from "./erase-contact.ts";
import type { Hidden } from "./erase-job.ts";
import { conversationsOfErased } from "./erase-rows-store.ts";
import { deleteSomeImportsOfWidget, someContactsOfWidget } from "./erase-widget-store.ts";
import { erasedCounts } from "./erased-counts.ts";
import { erasureById, noteErased } from "./erasure-store.ts";
import { hideConversations } from "./hide-conversations.ts";

/** Contacts of one commit; fewer where they have more conversations than one each. */
const AT_ONCE = 20;

/** Imports of mails of one commit. */
const IMPORTS_AT_ONCE = 1_000;

/** Hides the next contacts of a removed widget, with their conversations; after them, some of what came into its mailboxes is deleted. */
export const hideSomeOfWidget: Operation<{ erasureId: string }, Hidden> = {
  name: "hide-contacts-of-widget",
  mode: "write",
  async run(ctx, { erasureId }) {
    const erasure = await ctx.db.first(erasureById, { team_id: ctx.teamId, id: erasureId });
    if (!erasure || erasure.widget_id === null) return { erasureId, isMore: false };
    const { widget_id } = erasure;
    const found = await ctx.db.all(someContactsOfWidget, { team_id: ctx.teamId, widget_id, limit: AT_ONCE });
    const contacts = fewEnough(found);
    if (contacts.length > 0) {
      await hideContacts(ctx, erasure, contacts);
      return { erasureId, isMore: true };
    }
    const some = { team_id: ctx.teamId, widget_id, limit: IMPORTS_AT_ONCE };
    return { erasureId, isMore: (await ctx.db.run(deleteSomeImportsOfWidget, some)) > 0 };
  },
};

/** Hides contacts with their conversations, and counts them with the erasure. */
export async function hideContacts(
  ctx: Context,
  { id, erased }: Pick<ErasureRow, "id" | "erased">,
  contacts: readonly Pick<ContactRow, "id">[],
): Promise<void> {
  const counts = erasedCounts(erased);
  for (const contact of contacts) {
    const conversations = await ctx.db.all(conversationsOfErased, { team_id: ctx.teamId, contact_id: contact.id });
    hideConversations(ctx, id, conversations, 0);
    await hideFoundContact(ctx, id, contact.id);
    counts.conversations += conversations.length;
  }
  counts.contacts += contacts.length;
  ctx.write(noteErased, { team_id: ctx.teamId, id, erased: JSON.stringify(counts) });
}

/** The first ones with at most as many conversations in all, but always one. */
function fewEnough<T extends Pick<ContactRow, "conversation_count">>(contacts: readonly T[]): T[] {
  let conversations = 0;
  return contacts.filter(({ conversation_count }, index) => {
    conversations += conversation_count;
    return index === 0 || conversations <= AT_ONCE;
  });
}
