import { Fragment } from "react";
import { type TextKey, t } from "../texts/texts.ts";

export const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform);
const NAMES: Record<string, string> = {
  $mod: IS_APPLE ? "⌘" : "Ctrl",
  Shift: "⇧",
  Enter: "↵",
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
  // Distinct from the separator of keys.
  Plus: "+",
};

const SPOKEN: Record<string, TextKey> = {
  Shift: "key.shift",
  Enter: "key.enter",
  Escape: "key.escape",
  "/": "key.slash",
  "?": "key.question",
  "]": "key.bracket",
};

/** The keys of a shortcut as they are said and read out: `Ctrl+K`, `G, I`. */
export function spokenKeys(keys: string): string {
  const nameOf = (key: string) => {
    if (key === "$mod") return t(IS_APPLE ? "key.command" : "key.control");
    const name = SPOKEN[key];
    return name ? t(name) : key;
  };
  return keys
    .split(" ")
    .map((press) => press.split("+").map(nameOf).join("+"))
    .join(", ");
}

/** The keys of a shortcut (`$mod+K`, `G I`). Decorative: the label beside it says what it does. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span aria-hidden="true" className="inline-flex items-center gap-1 pointer-coarse:hidden">
      {keys.split(" ").map((press, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the keys of a shortcut keep their order
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
