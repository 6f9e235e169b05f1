import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** An empty screen: what would be here, why it is not, and what to do next. */
export function EmptyState({
  icon: Icon,
  title,
  text,
  children,
}: {
  icon: LucideIcon;
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-1 p-8 text-center">
      <Icon size={24} strokeWidth={1.5} className="mb-2 text-subtle" aria-hidden="true" />
      <p className="font-medium">{title}</p>
      {text && <p className="max-w-xs text-muted">{text}</p>}
      {children && <div className="mt-4 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}
