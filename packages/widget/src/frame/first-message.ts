import { isWebPage, type MessageToSend } from "@frontdesk/client/visitor";
import type { Parts } from "./frame-state.ts";

/** At most this many pages of the visit are sent with the first message, the newest ones. */
const MOST_PAGES = 30;

/** What is sent with the first message besides its content: the visited pages. Identity is known to the chat already. */
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
