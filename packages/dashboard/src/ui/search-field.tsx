import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { cx } from "./class-names.ts";

/** The debounce before a search. */
const PAUSE_MS = 150;

export function SearchField({
  label,
  value,
  onChange,
  className,
}: {
  label: string;
  value: string;
  onChange(value: string): void;
  className?: string;
}) {
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onChange(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <label
      className={cx(
        "flex h-8 items-center gap-2 rounded-control border border-control bg-surface px-2 focus-within:border-accent pointer-coarse:h-11",
        className,
      )}
    >
      <Search size={14} className="shrink-0 text-subtle" aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className="h-full min-w-0 flex-1 bg-transparent outline-none"
      />
    </label>
  );
}
