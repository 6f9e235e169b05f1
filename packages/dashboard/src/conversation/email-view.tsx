import { Suspense, useState } from "react";
import { t } from "../texts/texts.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const FormattedEmail = lazyPart(() => import("./formatted-email.tsx"), "FormattedEmail");

/** The emails that the agent has opened. A row of the thread is not kept once it is scrolled away. */
const opened = new Set<string>();

/**
 * Below a message that is an email with HTML: shows it as it was formatted.
 *
 * @param holdPosition `hold-position.ts`
 */
export function EmailView({ id, holdPosition }: { id: string; holdPosition(): void }) {
  const [isOpen, setOpen] = useState(opened.has(id));
  const toggle = () => {
    holdPosition();
    if (isOpen) opened.delete(id);
    else opened.add(id);
    setOpen(!isOpen);
  };
  return (
    <div className={isOpen ? "w-160 max-w-full text-start" : undefined}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex min-h-7 items-center font-medium text-accent-text text-meta hover:underline print:hidden pointer-coarse:min-h-11"
      >
        {t(isOpen ? "email.hide" : "email.show")}
      </button>
      {isOpen && (
        <Suspense>
          <FormattedEmail messageId={id} holdPosition={holdPosition} />
        </Suspense>
      )}
    </div>
  );
}
