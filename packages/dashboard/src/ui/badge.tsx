import type { ReactNode } from "react";
import { cx } from "./class-names.ts";

const TONES = {
  neutral: "bg-active text-muted",
  accent: "bg-accent-soft text-accent-text",
  note: "bg-note text-note-ink",
  success: "text-success bg-hover",
  warning: "text-warning bg-hover",
  danger: "text-danger bg-hover",
} as const;

/** A state in a word. */
export function Badge({ tone = "neutral", children }: { tone?: keyof typeof TONES; children: ReactNode }) {
  return (
    <span
      className={cx(
        "inline-flex h-5 shrink-0 items-center gap-1 rounded-tag px-1.5 font-medium text-label",
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

/** A tag: its color is a dot, so that its name stays readable. */
export function TagBadge({
  name,
  color,
  small,
  children,
}: {
  name: string;
  color: string | null;
  small?: boolean;
  children?: ReactNode;
}) {
  return (
    <span
      className={cx(
        "inline-flex max-w-40 shrink-0 items-center gap-1.5 rounded-tag border border-line px-1.5 text-label text-muted",
        small ? "h-4" : "h-7 gap-1 bg-surface",
      )}
    >
      <span className="size-2 shrink-0 rounded-full" style={{ backgroundColor: color ?? "var(--control)" }} />
      <span dir="auto" className="truncate">
        {name}
      </span>
      {children}
    </span>
  );
}
