import type { ChatSource } from "@frontdesk/core/contract/visitor";

/**
 * The sources of a message of the AI as they are shown.
 *
 * @param stored the JSON in `ai_messages.sources`: an array of `{title, url, article_id}`
 */
export function presentSources(stored: string): ChatSource[] {
  return (JSON.parse(stored) as ChatSource[]).map(({ title, url, article_id }) => ({
    title,
    url: isWebAddress(url) ? url : null,
    ...(article_id !== undefined && { article_id }),
  }));
}

const isWebAddress = (url: string | null): boolean => /^https?:$/.test(URL.parse(url ?? "")?.protocol ?? "");
