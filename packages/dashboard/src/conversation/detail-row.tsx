import type { ReactNode } from "react";

/** A row of what may be unknown, and then is not shown. */
export function Known({ label, value }: { label: string; value: string | null | undefined }) {
  if (!value) return null;
  return (
    <Row label={label}>
      <bdi>{value}</bdi>
    </Row>
  );
}

export function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline gap-3 py-1">
      <span className="w-20 shrink-0 text-muted">{label}</span>
      <div className="wrap-anywhere min-w-0 flex-1">{children}</div>
    </div>
  );
}
