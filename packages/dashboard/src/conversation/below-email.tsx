import { type ReactNode, useState } from "react";

/** What the agent has opened. A row of the thread is not kept once it is scrolled away. */
const opened = new Set<string>();

/**
 * Below a message that is an email: a button that shows and hides more of it.
 *
 * @param part which part of the email it is: each is opened for itself
 * @param holdPosition `hold-position.ts`
 * @param children what is shown while it is open
 */
export function BelowEmail({
  id,
  part,
  labels,
  openClass,
  holdPosition,
  children,
}: {
  id: string;
  part: "formatted" | "quoted";
  labels: { show: string; hide: string };
  openClass?: string;
  holdPosition(): void;
  children: ReactNode;
}) {
  const key = `${part}:${id}`;
  const [isOpen, setOpen] = useState(opened.has(key));
  const toggle = () => {
    holdPosition();
    if (isOpen) opened.delete(key);
    else opened.add(key);
    setOpen(!isOpen);
  };
  return (
    <div className={isOpen ? openClass : undefined}>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex min-h-7 items-center font-medium text-accent-text text-meta hover:underline print:hidden pointer-coarse:min-h-11"
      >
        {isOpen ? labels.hide : labels.show}
      </button>
      {isOpen && children}
    </div>
  );
}
