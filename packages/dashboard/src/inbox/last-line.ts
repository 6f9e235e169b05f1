import type { LiveConversation, LiveLastMessage } from "@frontdesk/core/contract/live";
import { t } from "../texts/texts.ts";

type Listed = Pick<LiveConversation, "last_message" | "open_question">;

/** What a list shows of a conversation: its newest message, but the visitor's question instead of the words with which the AI hands it over. */
export function shownMessage({ last_message: last, open_question: question }: Listed): LiveLastMessage | null {
  return question && last?.type === "message" && last.from === "agent" ? question : last;
}

/** That message in one line; undefined while there is none. */
export function lastLine(conversation: Listed): string | undefined {
  const shown = shownMessage(conversation);
  if (!shown) return undefined;
  return shown.content || t(shown.is_redacted ? "erased.message" : "attachment");
}
