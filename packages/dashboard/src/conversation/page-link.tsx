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
      <span title={page} dir="auto" className={cx(className, "aligned")}>
        {text}
      </span>
    );
  }
  return (
    <a
      href={href}
      title={page}
      // An address is read from its host on, in every language.
      dir={title ? "auto" : "ltr"}
      target="_blank"
      rel="noreferrer"
      className={cx(className, "aligned hover:underline")}
    >
      {title ? (
        <>
          {title} (<bdi>{host}</bdi>)
        </>
      ) : (
        text
      )}
    </a>
  );
}
