import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { direction } from "../texts/texts.ts";
import { cx } from "./class-names.ts";

const STEP = 16;

/** The separator between two panes, movable by pointer and arrow keys. */
export function PaneSeparator({
  label,
  width,
  min,
  max,
  /** Which of the two panes the width belongs to: the one before the separator or the one after it. */
  of,
  onChange,
  className,
}: {
  label: string;
  width: number;
  min: number;
  max: number;
  of: "before" | "after";
  onChange(width: number): void;
  className?: string;
}) {
  const begun = useRef<{ x: number; width: number }>(undefined);
  const grows = (of === "before") === (direction === "ltr") ? 1 : -1;
  const set = (next: number) => onChange(Math.round(Math.min(max, Math.max(min, next))));
  const move = ({ clientX }: PointerEvent) => {
    if (begun.current) set(begun.current.width + (clientX - begun.current.x) * grows);
  };
  const press = (event: KeyboardEvent) => {
    const steps = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    set(width + steps * grows);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: HTML has no movable separator
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = { x: event.clientX, width };
      }}
      onPointerMove={move}
      onPointerUp={() => {
        begun.current = undefined;
      }}
      className={cx(
        "relative z-10 w-px shrink-0 cursor-col-resize touch-none bg-line outline-offset-0 transition-colors hover:bg-accent",
        "before:absolute before:inset-y-0 before:-start-1 before:w-2",
        className,
      )}
    />
  );
}
