import DOMPurify from "dompurify";
import { marked } from "marked";
import { useMemo } from "react";

/** An answer as Markdown makes it. Markup that could do something is taken out: what others wrote is not to run here. */
export function MarkdownPreview({ text }: { text: string }) {
  const markup = useMemo(() => {
    const made = marked.parse(text, { async: false, gfm: true, breaks: true });
    return DOMPurify.sanitize(made, {
      FORBID_TAGS: ["style", "form", "input", "button"],
      FORBID_ATTR: ["style", "id"],
    });
  }, [text]);
  return (
    <div
      dir="auto"
      className="prose wrap-anywhere text-message"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made harmless above
      dangerouslySetInnerHTML={{ __html: markup }}
    />
  );
}
