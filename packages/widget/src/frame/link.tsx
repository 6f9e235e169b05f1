import type { Child } from "./draw.ts";

/** A link out of the frame, without a referrer. Anything but http, https and mailto is not a link. */
export function link(href: string, content: Child) {
  if (!/^(https?|mailto):/i.test(href)) return content;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {content}
    </a>
  );
}
