/** A page that a visitor was on, as agents see it. */
export interface VisitedPage {
  /** Where a click leads; undefined for what is no web page: of another scheme, the system would open any program. */
  href: string | undefined;
  /** The website; empty for what is no web page. */
  host: string;
  /** The website and the page on it; the whole text for what is no web page. */
  text: string;
}

/** @param page as the visitor's browser, or a program of the team, has said it */
export function visitedPage(page: string): VisitedPage {
  const url = URL.parse(page);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return { href: undefined, host: "", text: page };
  return { href: url.href, host: url.host, text: url.host + url.pathname + url.search };
}
