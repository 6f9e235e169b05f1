import { Field as Base } from "@base-ui/react/field";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "./class-names.ts";

const CONTROL =
  "w-full rounded-control border border-control bg-surface px-3 text-ink outline-offset-0 data-invalid:border-danger disabled:bg-app disabled:text-muted pointer-coarse:text-[1rem]";

/** A label, an input, and the service's error for it. */
export function Field({
  label,
  hint,
  problem,
  hideLabel,
  children,
}: {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  hideLabel?: boolean;
  children: ReactNode;
}) {
  return (
    <Base.Root invalid={problem !== undefined} className="flex flex-col gap-1.5">
      <Base.Label className={cx("font-medium", hideLabel && "sr-only")}>{label}</Base.Label>
      {children}
      {hint && <Base.Description className="text-meta text-muted">{hint}</Base.Description>}
      <Base.Error match={problem !== undefined} className="text-danger text-meta">
        {problem}
      </Base.Error>
    </Base.Root>
  );
}

export function TextInput({
  className,
  ...props
}: Omit<ComponentProps<typeof Base.Control>, "className"> & { className?: string }) {
  return <Base.Control {...props} className={cx(CONTROL, "h-9", className)} />;
}

export function TextArea({ className, ...props }: ComponentProps<"textarea">) {
  return <Base.Control render={<textarea {...props} />} className={cx(CONTROL, "min-h-20 resize-y py-2", className)} />;
}

/** The native select: familiar, and right on phones. */
export function Select({ className, children, ...props }: ComponentProps<"select">) {
  return (
    <Base.Control render={<select {...props}>{children}</select>} className={cx(CONTROL, "h-9 pe-8", className)} />
  );
}
