import { Check, Minus } from "lucide-react";

/** The native checkbox: every row of a list has one, and scrolling renders rows with every frame. */
export function Checkbox({
  label,
  checked,
  some = false,
  tabbable = true,
  onChange,
}: {
  /** For screen readers only. */
  label: string;
  checked: boolean;
  /** Indeterminate: some of its items are checked, others are not. */
  some?: boolean;
  /** False in a list that is one tab stop, where a key checks it. */
  tabbable?: boolean;
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
        tabIndex={tabbable ? undefined : -1}
        onChange={({ target, nativeEvent }) => onChange(target.checked, nativeEvent)}
        className="size-4 appearance-none rounded-tag border border-control bg-surface checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent"
      />
      {(checked || some) && (
        <Sign size={12} strokeWidth={3} aria-hidden="true" className="pointer-events-none absolute inset-0 m-auto" />
      )}
    </span>
  );
}
