import DOMPurify from "dompurify";
import { marked } from "marked";
import { useMemo } from "react";

/** Only what Markdown produces: with `class`, `style` or `id` an article could cover the dashboard. */
const ALLOWED_TAGS = [
  ..."h1 h2 h3 h4 h5 h6 p br hr ul ol li blockquote pre code a img strong b em i del s sub sup kbd".split(" "),
  ..."table thead tbody tr th td".split(" "),
];
const ALLOWED_ATTR = ["href", "src", "alt", "title", "start", "align"];

/**
 * An answer as rendered Markdown, sanitized: markup by others must not run here, nor look like a part of the dashboard.
 * `contain: paint` keeps the rest inside its own box.
 */
export function MarkdownPreview({ text }: { text: string }) {
  const markup = useMemo(() => {
    const made = marked.parse(text, { async: false, gfm: true, breaks: true });
    return DOMPurify.sanitize(made, {
      ALLOWED_TAGS,
      ALLOWED_ATTR,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
    });
  }, [text]);
  return (
    <div
      dir="auto"
      className="prose wrap-anywhere contain-paint text-message"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized above
      dangerouslySetInnerHTML={{ __html: markup }}
    />
  );
}
