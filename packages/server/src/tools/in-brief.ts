import type { ToolConversation } from "@frontdesk/core/contract/tool-resources";
import { beginning, tokensOf } from "./fitting.ts";

/** Hosts accept 25,000; the estimate of ids is right to a hundredth. */
const PAGE_TOKENS = 24_900;
/** A row without its ids, and with "…" for each of its texts: times, and the names of its members. Measured: 135 to 141. */
const FRAME_TOKENS = 137;
/** The overhead of a text itself in the estimate. */
const QUOTES_TOKENS = 2;
/** Texts are estimated; cut by the estimate they may have a tenth more where it is lowest. */
const ESTIMATE_ERROR = 1.1;

/**
 * Shortens the conversations of a page that does not fit a model otherwise: times to the second, and of each row's texts as
 * much as there is room for. With 100 rows, the most, that is a name and an e-mail of the usual length; the rest is in
 * get-conversation.
 */
export function inBrief(rows: readonly ToolConversation[]): ToolConversation[] {
  const ids = tokensOf(
    rows.map(({ id, contact, last_message, widget_id }) => [id, contact.id, last_message?.id, widget_id]),
  );
  const tokens = ((PAGE_TOKENS - ids) / rows.length - FRAME_TOKENS) / ESTIMATE_ERROR;
  return rows.map((row) => rowInBrief(row, tokens));
}

/** The contact comes first: the name takes up to two thirds of the tokens, and each text what those before it have left. */
function rowInBrief(row: ToolConversation, tokens: number): ToolConversation {
  let left = tokens;
  function part<Text extends string | null>(text: Text, most = left): Text {
    if (!text) return text;
    const shown = beginning(text, most);
    left -= tokensOf(shown) - QUOTES_TOKENS;
    return shown as Text;
  }
  const name = part(row.contact.name, (tokens * 2) / 3);
  const email = part(row.contact.email);
  const last = row.last_message && { ...row.last_message, content: part(row.last_message.content) };
  return {
    ...row,
    last_message: last && { ...last, created_at: toTheSecond(last.created_at) },
    origin_url: part(row.origin_url),
    resolved_at: row.resolved_at && toTheSecond(row.resolved_at),
    created_at: toTheSecond(row.created_at),
    updated_at: toTheSecond(row.updated_at),
    contact: { ...row.contact, name, email },
  };
}

const toTheSecond = (time: string): string => time.replace(/\.\d+Z$/, "Z");
