import type { MessageToSend } from "@frontdesk/client/visitor";
import type { FrameConfig } from "./frame-config.ts";
import type { HostPage } from "./host-page.ts";

/** So many pages of the visit go with the first message, the newest ones. */
const MOST_PAGES = 30;
/** Longest address that the service takes (`URL_MAX` of the contract). */
const URL_MAX = 2_048;

/** What goes with the first message besides its text: who writes, as far as the page knows, and the way that led here. */
export function firstMessageDetails(
  { pages, identity }: Pick<HostPage, "pages" | "identity">,
  { language }: Pick<FrameConfig, "language">,
): Omit<MessageToSend, "client_id" | "content"> {
  return {
    ...identity,
    language,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    page_visited: pages
      .filter(({ url }) => url.length <= URL_MAX)
      .slice(-MOST_PAGES)
      .map(({ url, at }) => ({ page: url, date: new Date(at).toISOString() })),
  };
}
