import { languageOf } from "@frontdesk/core/domain/ai/script-language";
import type { Context } from "../../context.ts";
import { messagesBefore } from "../../conversations/message-store.ts";
import { listParam } from "../../storage/dialect.ts";
import type { ContactRow } from "../../storage/tables.ts";

/** So many of the last messages tell in which language the visitor writes. */
const LAST_MESSAGES = 6;

/** The language that was chosen for the contact, else that of a text, as BCP 47; null when neither is known for sure. */
export function chosenOrWritten({ intake }: Pick<ContactRow, "intake">, text: string): string | null {
  const chosen = intake === null ? null : (JSON.parse(intake) as Record<string, unknown>).preferred_chat_language;
  if (typeof chosen === "string" && chosen !== "" && chosen !== "auto-detect") return chosen;
  return languageOf(text) ?? null;
}

/** The language in which our own words are said to a visitor, BCP 47: as chosen, as they write, as their browser says, or English. */
export async function visitorLanguage(
  ctx: Context,
  conversationId: string,
  contact: Pick<ContactRow, "intake" | "language"> | undefined,
): Promise<string> {
  const found = await ctx.db.all(messagesBefore, {
    ...{ team_id: ctx.teamId, conversation_id: conversationId, before: Number.MAX_SAFE_INTEGER },
    ...{ types: listParam(["message"]), limit: LAST_MESSAGES },
  });
  const last = found.find(({ agent_id }) => agent_id === null)?.content ?? "";
  return (contact && chosenOrWritten(contact, last)) ?? contact?.language ?? "en";
}
