import { isEmojiOnly, linkedText } from "@frontdesk/client/agent";
import type { Marked } from "@frontdesk/core/domain/highlights";
import type { ReactNode } from "react";
import { cx } from "../ui/class-names.ts";
import { FoundText } from "../ui/marked-text.tsx";
import { visitedPage } from "./visited-page.ts";

/**
 * The text of a message as written; addresses are links. One to three emoji are large.
 *
 * @param marked what a search has found
 */
export function MessageText({ text, marked }: { text: string; marked?: Marked | undefined }) {
  const shown = (piece: string, index: number): ReactNode =>
    marked ? <FoundText key={index} text={piece} marked={marked} /> : piece;
  return (
    <p
      dir="auto"
      className={cx("wrap-anywhere whitespace-pre-wrap", isEmojiOnly(text) ? "text-emoji" : "text-message")}
    >
      {linkedText(text).map(({ text: piece, href }, index) =>
        href ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text keep their order
          <MessageLink key={index} href={href}>
            {shown(piece, index)}
          </MessageLink>
        ) : (
          shown(piece, index)
        ),
      )}
    </p>
  );
}

/** Its title is the site that it leads to: `https://bank.test@evil.test/` looks like another. */
function MessageLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      title={visitedPage(href).host || undefined}
      dir="ltr"
      target="_blank"
      rel="noreferrer"
      className="text-accent-text underline"
    >
      {children}
    </a>
  );
}
