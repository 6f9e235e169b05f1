import { isEmojiOnly, linkedText } from "@frontdesk/client/agent";
import type { InboxPeople } from "@frontdesk/core/contract/inbox";
import type { Marked } from "@frontdesk/core/domain/highlights";
import { Fragment, type ReactNode } from "react";
import { cx } from "../ui/class-names.ts";
import { FoundText } from "../ui/marked-text.tsx";
import { mentionPieces } from "./mentioned-in.ts";
import { visitedPage } from "./visited-page.ts";

const NO_PEOPLE: InboxPeople["agents"] = [];

/**
 * The text of a message as written; addresses are links. One to three emoji are large.
 *
 * @param marked what a search has found
 * @param people mentions of them stand out
 */
export function MessageText({
  text,
  marked,
  people = NO_PEOPLE,
}: {
  text: string;
  marked?: Marked | undefined;
  people?: InboxPeople["agents"] | undefined;
}) {
  const found = (piece: string, index: number): ReactNode =>
    marked ? <FoundText key={index} text={piece} marked={marked} /> : piece;
  const shown = (piece: string, index: number): ReactNode =>
    people.length === 0
      ? found(piece, index)
      : mentionPieces(piece, people).map((part, place) =>
          part.isMention ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text keep their order
            <strong key={`${index} ${place}`} className="font-semibold">
              {found(part.text, 0)}
            </strong>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text keep their order
            <Fragment key={`${index} ${place}`}>{found(part.text, 0)}</Fragment>
          ),
        );
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
