import { Autocomplete as Base } from "@base-ui/react/autocomplete";
import { Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { t } from "../texts/texts.ts";
import { cx } from "./class-names.ts";
import { Keys } from "./keys.tsx";
import { matching } from "./matching.ts";

export interface Choice {
  id: string;
  label: ReactNode;
  /** Also searched. */
  also?: string | undefined;
  hint?: ReactNode;
  /** At the end of the row, never cut off: a date. */
  aside?: string | undefined;
  /** Below, in two lines at most. */
  excerpt?: ReactNode;
  icon?: ReactNode;
  keys?: string | undefined;
  group?: string | undefined;
  checked?: boolean | undefined;
  onSelect(): void;
}

/**
 * A searchable list: a few letters and Enter. The first match is highlighted.
 *
 * @param stays open after a choice, for the next one
 * @param beyond one more choice when nothing matches: to create it
 */
export function Picker({
  label,
  choices,
  empty,
  large,
  filtered,
  stays,
  onType,
  beyond,
}: {
  label: string;
  choices: readonly Choice[];
  empty?: ReactNode;
  large?: boolean;
  /** The choices are filtered already. */
  filtered?: boolean;
  stays?: boolean;
  onType?(text: string): void;
  beyond?(text: string): Choice | undefined;
}) {
  const [typed, setTyped] = useState("");
  const found = filtered ? choices : matching(choices, typed);
  const more = typed.trim() ? beyond?.(typed.trim()) : undefined;
  const shown = more ? [...found, more] : found;
  return (
    <Base.Root
      inline
      open
      items={shown}
      filter={null}
      autoHighlight="always"
      keepHighlight
      value={typed}
      onValueChange={(text, { reason }) => {
        // Choosing one would write its name into the field.
        if (reason === "item-press") return;
        setTyped(text);
        onType?.(text);
      }}
      itemToStringValue={({ label }: Choice) => String(label)}
    >
      <div className={cx("flex items-center gap-2 border-line border-b px-3", large ? "h-12" : "h-10")}>
        <Search size={14} className="shrink-0 text-subtle" aria-hidden="true" />
        <Base.Input
          autoFocus
          aria-label={label}
          placeholder={label}
          className={cx("h-full min-w-0 flex-1 bg-transparent outline-none", large && "text-message")}
        />
      </div>
      <Base.Empty className="px-3 py-4 text-center text-muted empty:hidden">
        {shown.length === 0 ? (empty ?? t("nothingFound")) : null}
      </Base.Empty>
      <Base.List
        className={cx("overflow-y-auto p-1 empty:hidden", large ? "max-h-[50vh]" : "max-h-72")}
        aria-label={label}
      >
        {shown.map((choice, index) => (
          <Row
            key={choice.id}
            choice={choice}
            heading={choice.group !== shown[index - 1]?.group}
            onSelect={() => {
              if (stays) setTyped("");
              choice.onSelect();
            }}
          />
        ))}
      </Base.List>
    </Base.Root>
  );
}

function Row({ choice, heading, onSelect }: { choice: Choice; heading: boolean; onSelect(): void }) {
  const { label, hint, aside, excerpt, icon, keys, group, checked } = choice;
  return (
    <>
      {heading && group && (
        <div role="presentation" className="px-2 pt-2 pb-1 font-medium text-label text-subtle">
          {group}
        </div>
      )}
      <Base.Item
        value={choice}
        onClick={onSelect}
        className="flex min-h-8 cursor-default select-none items-center gap-2 rounded-control px-2 data-highlighted:bg-active pointer-coarse:min-h-11"
      >
        {icon && <span className="flex w-5 shrink-0 justify-center text-muted">{icon}</span>}
        <span className={cx("min-w-0 flex-1", excerpt !== undefined && "py-1.5")}>
          <span className="flex items-baseline gap-2">
            <span className="min-w-0 flex-1 truncate">
              <bdi>{label}</bdi> {hint && <bdi className="ms-2 text-meta text-subtle">{hint}</bdi>}
            </span>
            {aside && <span className="numbers shrink-0 text-meta text-subtle">{aside}</span>}
          </span>
          {excerpt && (
            <span dir="auto" className="wrap-anywhere mt-0.5 line-clamp-2 text-meta text-muted">
              {excerpt}
            </span>
          )}
        </span>
        {checked && <span className="text-accent-text text-meta">{t("chosen")}</span>}
        {keys && <Keys keys={keys} />}
      </Base.Item>
    </>
  );
}
