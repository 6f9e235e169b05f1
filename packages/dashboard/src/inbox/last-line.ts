import type { LiveConversation } from "@frontdesk/core/contract/live";
import { t } from "../texts/texts.ts";

/** The newest message of a conversation in one line; undefined while there is none. */
export function lastLine({ last_message: last }: Pick<LiveConversation, "last_message">): string | undefined {
  if (!last) return undefined;
  return last.content || t(last.is_redacted ? "erased.message" : "attachment");
}
