import { Checkbox as Base } from "@base-ui/react/checkbox";
import { Check, Minus } from "lucide-react";

export function Checkbox({
  label,
  checked,
  some,
  onChange,
}: {
  /** Read, not shown. */
  label: string;
  checked: boolean;
  /** Some of what it stands for are chosen, others are not. */
  some?: boolean;
  onChange(checked: boolean, event: Event): void;
}) {
  return (
    <Base.Root
      aria-label={label}
      checked={checked}
      indeterminate={some ?? false}
      onCheckedChange={(next, details) => onChange(next, details.event)}
      className="inline-flex size-4 shrink-0 items-center justify-center rounded-tag border border-control bg-surface data-checked:border-accent data-indeterminate:border-accent data-checked:bg-accent data-indeterminate:bg-accent"
    >
      <Base.Indicator className="text-on-accent">
        {some ? <Minus size={12} strokeWidth={3} /> : <Check size={12} strokeWidth={3} />}
      </Base.Indicator>
    </Base.Root>
  );
}
