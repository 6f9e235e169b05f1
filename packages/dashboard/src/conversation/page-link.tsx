import { cx } from "../ui/class-names.ts";
import { visitedPage } from "./visited-page.ts";

/**
 * A page that a visitor was on. It opens in another tab; anything but a web page is plain text.
 *
 * @param title the page's own title. The host is shown beside it: a title can claim to be anything
 */
export function PageLink({ page, title, className }: { page: string; title?: string | undefined; className?: string }) {
  const { href, host, text } = visitedPage(page);
  if (!href) {
    return (
      <span title={page} className={className}>
        {text}
      </span>
    );
  }
  return (
    <a href={href} title={page} target="_blank" rel="noreferrer" className={cx(className, "hover:underline")}>
      {title ? `${title} (${host})` : text}
    </a>
  );
}
