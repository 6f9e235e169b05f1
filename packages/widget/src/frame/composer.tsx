import { EmojiGrid } from "./emoji-grid.tsx";
import type { Parts } from "./frame-state.ts";
import { emojiIcon, icon, sendIcon } from "./icons.tsx";

/** How often the team hears that the visitor goes on typing. */
const TYPING_STEP_MS = 3_000;
/** As long as a message may be (`CONTENT_MAX` of the contract). */
const CONTENT_MAX = 10_000;
const MOST_ROWS = 6;
/** Of `textarea` in `frame.css`; its padding is another one. */
const ROW_PX = 22;

export function Composer(parts: Parts & { onSend(text: string): void }) {
  const { frame, onSend } = parts;
  return (
    <form
      onSubmit={(event: Event) => {
        event.preventDefault();
        typingToldAt = 0;
        if (isFit(frame.draft)) onSend(frame.draft.trim());
      }}
    >
      <MessageBox {...parts} />
    </form>
  );
}

/** Where a message is written: Enter sends, Shift and Enter begin a new line. It must stand in a form. */
export function MessageBox(parts: Parts) {
  const { t, frame, change } = parts;
  const { draft, picking } = frame;
  const tooLong = draft.length > CONTENT_MAX;
  return (
    // The key: the same box before and after the form, so that the focus stays in it.
    <div class="below" key="box">
      {picking && <EmojiGrid {...parts} onPick={(emoji) => insert(emoji, parts)} />}
      <div class={tooLong ? "box wrong" : "box"}>
        <textarea
          rows="1"
          // Empty it follows the page, so that the placeholder does.
          dir={draft ? "auto" : undefined}
          aria-label={t("message")}
          placeholder={t("placeholder")}
          enterkeyhint="send"
          value={draft}
          aria-invalid={tooLong}
          aria-describedby="message-problem"
          onInput={() => onInput(parts)}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            messageBox().form?.requestSubmit();
          }}
        />
        <button
          type="button"
          class="smile"
          aria-label={t("emoji")}
          aria-expanded={picking}
          onClick={() => {
            change({ picking: !picking });
            setTimeout(() => document.querySelector<HTMLElement>(".emojis button")?.focus());
          }}
        >
          {icon(emojiIcon)}
        </button>
        <button type="submit" class="send" aria-label={t("send")} disabled={!isFit(draft)}>
          <span>{icon(sendIcon)}</span>
        </button>
      </div>
      <p class="problem" id="message-problem" role="alert">
        {tooLong && t("tooLong")}
      </p>
    </div>
  );
}

export const isFit = (draft: string) => draft.trim() !== "" && draft.length <= CONTENT_MAX;

const messageBox = () => document.querySelector("textarea") as HTMLTextAreaElement;

/** After drawing: as many rows as the text has. */
export function fitToText(): void {
  const box = document.querySelector("textarea");
  if (!box) return;
  box.rows = 1;
  box.rows = Math.min(MOST_ROWS, Math.max(1, Math.floor(box.scrollHeight / ROW_PX) - 1));
}

let typingToldAt = 0;

function onInput({ change, chat }: Parts): void {
  const draft = messageBox().value;
  change({ draft });
  const now = draft ? Date.now() : 0;
  if (draft && now - typingToldAt < TYPING_STEP_MS) return;
  if (draft || typingToldAt) chat.typing(draft !== "");
  typingToldAt = now;
}

function insert(emoji: string, parts: Parts): void {
  const box = messageBox();
  box.setRangeText(emoji, box.selectionStart, box.selectionEnd, "end");
  box.focus();
  parts.frame.picking = false;
  onInput(parts);
}
