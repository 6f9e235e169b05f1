import { Check, Minus } from "lucide-react";

/** The browser's own: every row of a list has one, and while the list is scrolled rows come with every frame. */
export function Checkbox({
  label,
  checked,
  some = false,
  onChange,
}: {
  /** Read, not shown. */
  label: string;
  checked: boolean;
  /** Some of what it stands for are chosen, others are not. */
  some?: boolean;
  onChange(checked: boolean, event: Event): void;
}) {
  const Sign = some ? Minus : Check;
  return (
    <span className="relative inline-flex size-4 shrink-0 text-on-accent">
      <input
        type="checkbox"
        ref={(input) => {
          if (input) input.indeterminate = some;
        }}
        aria-label={label}
        checked={checked}
        onChange={({ target, nativeEvent }) => onChange(target.checked, nativeEvent)}
        className="size-4 appearance-none rounded-tag border border-control bg-surface checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent"
      />
      {(checked || some) && (
        <Sign size={12} strokeWidth={3} aria-hidden="true" className="pointer-events-none absolute inset-0 m-auto" />
      )}
    </span>
  );
}
