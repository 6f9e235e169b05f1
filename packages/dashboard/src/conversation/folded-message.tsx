import { highlightsOf, type Marked } from "@frontdesk/core/domain/highlights";
import { type ReactNode, useContext, useRef, useState } from "react";
import { t } from "../texts/texts.ts";
import { cx } from "../ui/class-names.ts";
import { HoldPosition } from "./hold-position.ts";
import { isFolded } from "./long-text.ts";

/** What the agent has opened or folded. A row of the thread is not kept once it is scrolled away. */
const chosen = new Map<string, boolean>();

/**
 * The text of a message; a long one shows its first 20 lines. One in which a search has found something is open.
 *
 * @param id the same before and after the message is confirmed
 */
export function FoldedMessage({
  id,
  text,
  marked,
  children,
}: {
  id: string;
  text: string;
  marked?: Marked | undefined;
  children: ReactNode;
}) {
  const [choice, setChoice] = useState(chosen.get(id));
  const holdPosition = useContext(HoldPosition);
  const toggle = useRef<HTMLButtonElement>(null);
  if (!isFolded(text)) return children;
  const isOpen = choice ?? (marked !== undefined && highlightsOf(text, marked).length > 0);
  const choose = (open: boolean) => {
    holdPosition();
    chosen.set(id, open);
    setChoice(open);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a link further down that is reached by keyboard has to be seen */}
      <div
        onFocus={({ target }) => !isOpen && target.matches(":focus-visible") && choose(true)}
        className={cx(!isOpen && "folded")}
      >
        {children}
      </div>
      <button
        ref={toggle}
        type="button"
        aria-expanded={isOpen}
        onClick={() => {
          choose(!isOpen);
          if (isOpen) requestAnimationFrame(() => toggle.current?.scrollIntoView({ block: "nearest" }));
        }}
        className="flex min-h-7 items-center font-medium text-accent-text hover:underline print:hidden pointer-coarse:min-h-11"
      >
        {t(isOpen ? "showLess" : "showMore")}
      </button>
    </>
  );
}
