/** A page that a visitor was on, as agents see it. */
export interface VisitedPage {
  /** The link target; undefined unless it is a web page: with another scheme, the system would open any program. */
  href: string | undefined;
  /** The website; empty unless it is a web page. */
  host: string;
  /** The website and the path; the whole text unless it is a web page. */
  text: string;
}

/** @param page as sent by the visitor's browser, or by a program of the team */
export function visitedPage(page: string): VisitedPage {
  const url = URL.parse(page);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return { href: undefined, host: "", text: page };
  return { href: url.href, host: url.host, text: url.host + url.pathname + url.search };
}
