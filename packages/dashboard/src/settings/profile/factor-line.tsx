import type { ReactNode } from "react";

/** What an agent can sign in with: what it is, its state, and what can be done with it. */
export function FactorLine({ title, text, children }: { title: string; text: ReactNode; children?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-3 border-line border-t py-2.5 first:border-t-0">
      <span className="min-w-0 flex-1">
        <span dir="auto" className="aligned block font-medium">
          {title}
        </span>
        <span className="text-meta text-muted">{text}</span>
      </span>
      {children}
    </li>
  );
}
