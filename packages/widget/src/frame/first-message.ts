import { isWebPage, type MessageToSend } from "@frontdesk/client/visitor";
import type { Parts } from "./frame-state.ts";

/** So many pages of the visit go with the first message, the newest ones. */
const MOST_PAGES = 30;

/** What goes with the first message besides what is written: the way that led here. Who writes, the chat has been told. */
export function firstMessageDetails({ chat, config, host }: Parts): Partial<MessageToSend> {
  if (chat.state.contact) return {};
  return {
    language: config.language,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    page_visited: host.pages
      .filter(isWebPage)
      .slice(-MOST_PAGES)
      .map(({ url, at }) => ({ page: url, date: new Date(at).toISOString() })),
  };
}
