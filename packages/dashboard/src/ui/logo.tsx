import { cx } from "./class-names.ts";

/** The logo with the product's name. */
export function Logo({ bare, className }: { bare?: boolean; className?: string }) {
  return (
    <span className={cx("inline-flex items-center gap-2 font-semibold text-title", className)}>
      <svg viewBox="0 0 32 32" className="size-6 shrink-0" aria-hidden="true">
        <path
          className="fill-accent"
          d="M8 3h16a6 6 0 0 1 6 6v10a6 6 0 0 1-6 6h-9l-6.200 4.600A1.100 1.100 0 0 1 7 28.700V25a5 5 0 0 1-5-5V9a6 6 0 0 1 6-6Z"
        />
        <path
          className="stroke-on-accent"
          fill="none"
          strokeWidth="2.600"
          strokeLinecap="round"
          d="M9.500 11.500h13M9.500 17h8"
        />
      </svg>
      {!bare && "Frontdesk"}
    </span>
  );
}
