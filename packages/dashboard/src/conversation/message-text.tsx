import { linkedText } from "@frontdesk/client/agent";

/** The text of a message as written; addresses are links. */
export function MessageText({ text }: { text: string }) {
  return (
    <p dir="auto" className="wrap-anywhere whitespace-pre-wrap text-message">
      {linkedText(text).map(({ text: piece, href }, index) =>
        href ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text keep their order
          <a key={index} href={href} target="_blank" rel="noreferrer" className="text-accent-text underline">
            {piece}
          </a>
        ) : (
          piece
        ),
      )}
    </p>
  );
}
