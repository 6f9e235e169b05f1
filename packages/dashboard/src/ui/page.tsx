import { Menu } from "lucide-react";
import type { ReactNode } from "react";
import { usePageTitle } from "../shell/page-title.ts";
import { openNav } from "../shell/shell-state.ts";
import { t } from "../texts/texts.ts";
import { IconButton } from "./button.tsx";

/** A screen other than the inbox: its title, its actions, and its scrollable content. */
export function Page({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  usePageTitle("screen", title);
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-13 shrink-0 items-center gap-2 border-line border-b px-4 max-md:ps-2">
        <IconButton label={t("nav.open")} onClick={openNav} className="md:hidden">
          <Menu size={16} />
        </IconButton>
        <h1 className="min-w-0 flex-1 truncate font-semibold text-title">{title}</h1>
        {actions}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </div>
  );
}

/** A section of a page: its purpose, then its content. */
export function Section({
  title,
  text,
  actions,
  children,
}: {
  title: string;
  text?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className="border-line border-b py-6 first:pt-0 last:border-b-0">
      <div className="mb-4 flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="font-semibold text-message">{title}</h2>
          {text && <p className="mt-0.5 max-w-prose text-muted">{text}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
