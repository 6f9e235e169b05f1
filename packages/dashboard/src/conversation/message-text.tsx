import { linkedText } from "@frontdesk/client/agent";
import type { Marked } from "@frontdesk/core/domain/highlights";
import type { ReactNode } from "react";
import { FoundText } from "../ui/marked-text.tsx";

/** The text of a message as written; addresses are links. `marked`: what a search has found. */
export function MessageText({ text, marked }: { text: string; marked?: Marked | undefined }) {
  const shown = (piece: string, index: number): ReactNode =>
    marked ? <FoundText key={index} text={piece} marked={marked} /> : piece;
  return (
    <p dir="auto" className="wrap-anywhere whitespace-pre-wrap text-message">
      {linkedText(text).map(({ text: piece, href }, index) =>
        href ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text keep their order
          <a key={index} href={href} target="_blank" rel="noreferrer" className="text-accent-text underline">
            {shown(piece, index)}
          </a>
        ) : (
          shown(piece, index)
        ),
      )}
    </p>
  );
}
