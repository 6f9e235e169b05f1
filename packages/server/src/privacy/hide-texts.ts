import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import type { ConversationRow } from "../storage/tables.ts";
import { dropExports } from "./drop-exports.ts";
import { deletionsOfTexts } from "./erase-rows-store.ts";
import { insertErasedConversation } from "./erasure-store.ts";
import { noteTextsErased } from "./retention-store.ts";

/** Deletes what was written about conversations beside their messages; the texts and files of these are left to `erase-piece.ts`. */
export function hideTexts(
  ctx: Context,
  erasure_id: string,
  conversations: readonly ConversationRow[],
  events_before: number,
): void {
  const conversation_ids = listParam(conversations.map(({ id }) => id));
  for (const deletion of deletionsOfTexts) ctx.write(deletion, { team_id: ctx.teamId, conversation_ids });
  dropExports(
    ctx,
    conversations.map(({ contact_id }) => contact_id),
  );
  for (const { id, contact_id, last_sort_number } of conversations) {
    const left = { conversation_id: id, contact_id, events_before, texts_up_to: last_sort_number };
    ctx.write(insertErasedConversation, { team_id: ctx.teamId, erasure_id, ...left });
    ctx.write(noteTextsErased, { team_id: ctx.teamId, id, texts_erased_to: last_sort_number });
  }
}
