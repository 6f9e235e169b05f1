import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** An empty screen: what would be here, why it is not, and what to do next. */
export function EmptyState({
  icon: Icon,
  title,
  text,
  isPage,
  children,
}: {
  icon: LucideIcon;
  title: string;
  text?: ReactNode;
  /** The title is the heading of the page. */
  isPage?: true;
  children?: ReactNode;
}) {
  const Title = isPage ? "h1" : "p";
  return (
    <div className="flex h-full flex-col items-center justify-center gap-1 p-8 text-center">
      <Icon size={24} strokeWidth={1.5} className="mb-2 text-subtle" aria-hidden="true" />
      <Title className="font-medium">{title}</Title>
      {text && <p className="max-w-xs text-muted">{text}</p>}
      {children && <div className="mt-4 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}
