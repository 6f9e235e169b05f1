import { isWebPage, type MessageToSend } from "@frontdesk/client/visitor";
import type { Parts } from "./frame-state.ts";

/** At most this many pages of the visit are sent with the first message, the newest ones. */
const MOST_PAGES = 30;

/**
 * What is sent with a message besides its content: the time zone, as visitors travel, and with the first message the visited
 * pages. Identity is known to the chat already.
 */
export function messageDetails({ chat, config, host }: Parts): Partial<MessageToSend> {
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (chat.state.contact) return { timezone };
  return {
    language: config.language,
    timezone,
    page_visited: host.pages
      .filter(isWebPage)
      .slice(-MOST_PAGES)
      .map(({ url, at }) => ({ page: url, date: new Date(at).toISOString() })),
  };
}
