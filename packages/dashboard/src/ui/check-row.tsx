import type { ReactNode } from "react";
import { Checkbox } from "./checkbox.tsx";

/** A checkbox with a label, one of several. */
export function CheckRow({
  label,
  hint,
  checked,
  onChange,
}: {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange(checked: boolean): void;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the checkbox in it
    <label className="flex min-h-8 cursor-pointer items-start gap-2.5 py-1.5 pointer-coarse:min-h-11 pointer-coarse:py-3">
      <span className="flex h-5 items-center">
        <Checkbox label={label} checked={checked} onChange={onChange} />
      </span>
      <span className="min-w-0">
        {label}
        {hint && <span className="block text-meta text-subtle">{hint}</span>}
      </span>
    </label>
  );
}
