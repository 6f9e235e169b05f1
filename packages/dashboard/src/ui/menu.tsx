import { Menu as Base } from "@base-ui/react/menu";
import { type ReactElement, type ReactNode, useCallback, useState } from "react";
import { cx } from "./class-names.ts";
import { Keys } from "./keys.tsx";
import { useCloseOnNavigation } from "./use-close-on-navigation.ts";

export const MENU_LOOK = "rises min-w-48 rounded-menu border border-line bg-raised p-1 shadow-menu outline-none";

/** A menu behind its button. It is rendered within the main landmark, for screen reader users who navigate by landmarks. */
export function Menu({
  trigger,
  align = "end",
  side = "bottom",
  children,
}: {
  trigger: ReactElement;
  align?: "start" | "end";
  side?: "top" | "bottom";
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  useCloseOnNavigation(open, close);
  return (
    <Base.Root open={open} onOpenChange={(next) => setOpen(next)}>
      <Base.Trigger render={trigger} />
      <Base.Portal container={document.querySelector("main")}>
        <Base.Positioner align={align} side={side} sideOffset={4} className="z-50">
          <Base.Popup className={MENU_LOOK}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const ITEM =
  "flex h-8 cursor-default select-none items-center gap-2 rounded-control px-2 outline-none data-highlighted:bg-active pointer-coarse:h-11 data-disabled:text-subtle";

export function MenuItem({
  icon,
  keys,
  danger,
  disabled,
  onSelect,
  children,
}: {
  icon?: ReactNode;
  keys?: string | undefined;
  danger?: boolean;
  disabled?: boolean;
  onSelect(): void;
  children: ReactNode;
}) {
  return (
    <Base.Item
      {...(disabled !== undefined && { disabled })}
      onClick={onSelect}
      className={cx(ITEM, danger && "text-danger")}
    >
      {icon && <span className={cx("shrink-0", !danger && "text-muted")}>{icon}</span>}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys && <Keys keys={keys} />}
    </Base.Item>
  );
}

/** A radio group: one of several. */
export function MenuChoice<Value extends string>({
  value,
  choices,
  onChange,
}: {
  value: Value;
  choices: readonly { value: Value; label: string; icon?: ReactNode }[];
  onChange(value: Value): void;
}) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      {choices.map((choice) => (
        <Base.RadioItem key={choice.value} value={choice.value} closeOnClick className={ITEM}>
          {choice.icon && <span className="shrink-0 text-muted">{choice.icon}</span>}
          <span className="flex-1">{choice.label}</span>
          <Base.RadioItemIndicator className="size-1.5 rounded-full bg-accent" />
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}

export function MenuTitle({ children }: { children: ReactNode }) {
  return <p className="px-2 pt-1.5 pb-1 font-medium text-label text-subtle">{children}</p>;
}
