import { Fragment } from "react";

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform);
const NAMES: Record<string, string> = {
  $mod: IS_APPLE ? "⌘" : "Ctrl",
  Shift: "⇧",
  Enter: "↵",
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
  // Between keys it stands for "with".
  Plus: "+",
};

/** A shortcut as tinykeys writes it (`$mod+K`, `G I`), as keys. Decoration: what it is for is said in words beside it. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span aria-hidden="true" className="inline-flex items-center gap-1 pointer-coarse:hidden">
      {keys.split(" ").map((press, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the keys of a shortcut never move
        <Fragment key={index}>
          {press.split("+").map((key) => (
            <kbd
              key={key}
              className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-tag border border-line bg-app px-1 font-sans text-label text-muted"
            >
              {NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)}
            </kbd>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
