import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

/** Tabs. */
export function Tabs({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly { name: string; label: string; content: ReactNode }[];
}) {
  return (
    <Base.Root defaultValue={tabs[0]?.name}>
      <Base.List aria-label={label} className="flex gap-1 overflow-x-auto border-line border-b">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.name}
            value={tab.name}
            className="-mb-px h-9 shrink-0 whitespace-nowrap rounded-t-control border-transparent border-b-2 px-3 text-muted outline-offset-[-2px] hover:text-ink data-active:border-accent data-active:font-medium data-active:text-ink pointer-coarse:h-11"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.name} value={tab.name} className="pt-4 outline-offset-4">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
