import { Button as Base } from "@base-ui/react/button";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "./class-names.ts";
import { Keys } from "./keys.tsx";
import { Tooltip } from "./tooltip.tsx";

const LOOKS = {
  /** The primary action. */
  primary: "bg-accent text-on-accent hover:bg-accent-hover data-disabled:bg-active data-disabled:text-subtle",
  plain: "border border-line bg-surface hover:bg-hover data-disabled:text-subtle",
  quiet: "text-muted hover:bg-hover hover:text-ink data-popup-open:bg-active data-popup-open:text-ink",
  quietDanger: "text-danger hover:bg-hover data-disabled:text-subtle",
  danger: "bg-danger-fill text-on-accent hover:brightness-90 data-disabled:bg-active data-disabled:text-subtle",
} as const;

const SIZES = {
  compact: "h-7 px-2 gap-1.5",
  default: "h-8 px-3 gap-2",
  large: "h-9 px-4 gap-2",
} as const;

type BaseProps = Omit<ComponentProps<typeof Base>, "className">;

export interface ButtonProps extends BaseProps {
  look?: keyof typeof LOOKS;
  size?: keyof typeof SIZES;
  className?: string;
}

export function Button({ look = "plain", size = "default", className, ...props }: ButtonProps) {
  return (
    <Base
      {...props}
      className={cx(
        "inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-control font-medium transition-colors",
        "pointer-coarse:min-h-11",
        SIZES[size],
        LOOKS[look],
        className,
      )}
    />
  );
}

/** An icon button, with a tooltip that names its action and its key. */
export function IconButton({
  label,
  keys,
  className,
  children,
  ...props
}: BaseProps & { label: string; keys?: string; className?: string; children: ReactNode }) {
  return (
    <Tooltip
      text={
        <>
          {label}
          {keys && <Keys keys={keys} />}
        </>
      }
    >
      <Base
        {...props}
        aria-label={label}
        className={cx(
          "inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted transition-colors",
          "hover:bg-hover hover:text-ink data-disabled:text-control data-popup-open:bg-active data-popup-open:text-ink",
          "pointer-coarse:size-11",
          className,
        )}
      >
        {children}
      </Base>
    </Tooltip>
  );
}
