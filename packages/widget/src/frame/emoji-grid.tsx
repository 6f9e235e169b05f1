import type { Parts } from "./frame-state.ts";

const EMOJIS = [..."😀😂🙂😉😊😍🤔😎🥳😢😱🙏👍👎👏💪👋👌🤝🎉🔥✅❌❓"];
const COLUMNS = 8;

/** A grid of emojis. Arrow keys move; screen readers know the names of emojis. */
export function EmojiGrid({ t, change, onPick }: Parts & { onPick(emoji: string): void }) {
  return (
    <fieldset
      class="emojis"
      aria-label={t.$emoji}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Escape") {
          // Closes the grid, not the whole chat.
          event.stopPropagation();
          change({ picking: false });
          document.querySelector<HTMLElement>(".smile")?.focus();
        }
        const forward = document.dir === "rtl" ? -1 : 1;
        const steps = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: COLUMNS, ArrowUp: -COLUMNS };
        const step = steps[event.key as keyof typeof steps];
        if (!step) return;
        event.preventDefault();
        const buttons = [...document.querySelectorAll<HTMLElement>(".emojis button")];
        buttons[buttons.indexOf(event.target as HTMLElement) + step]?.focus();
      }}
    >
      {EMOJIS.map((emoji, index) => (
        <button type="button" tabindex={index && -1} onClick={() => onPick(emoji)}>
          {emoji}
        </button>
      ))}
    </fieldset>
  );
}
