import { isFit, sendDraft } from "./draft.ts";
import type { Parts } from "./frame-state.ts";
import { emojiIcon, fileIcon, icon, sendIcon } from "./icons.tsx";
import { onDemandLoaded } from "./load-on-demand.ts";
import { CONTENT_MAX, MOST_FILES } from "./message-bounds.ts";

const MOST_ROWS = 6;
/** The length of a message is shown from this one on. */
const NEAR_MAX = 9_000;
/** As for `textarea` in `frame.css`, which sets its padding separately. */
const ROW_PX = 22;

export function Composer(parts: Parts) {
  return (
    <form onSubmit={() => sendDraft(parts)}>
      <MessageBox {...parts} />
    </form>
  );
}

/** The message field: Enter sends, Shift+Enter starts a new line. It must be inside a form. */
export function MessageBox(parts: Parts) {
  const { t, fill, frame, change, onDemand } = parts;
  const { draft, picking, sending, tooMany } = frame;
  const tooLong = draft.length > CONTENT_MAX;
  return (
    // The key keeps the same element before and after the form, so that the focus stays in it.
    <div class="below" key="box">
      {picking && onDemand && <onDemand.EmojiGrid {...parts} onPick={(emoji) => insert(emoji, parts)} />}
      <div class={tooLong ? "box wrong" : "box"}>
        {onDemand && <onDemand.Attachments {...parts} />}
        <textarea
          rows="1"
          // Empty, it has the direction of the page, and so has the placeholder.
          dir={draft ? "auto" : undefined}
          aria-label={t.$message}
          placeholder={t.$placeholder}
          enterkeyhint="send"
          value={draft}
          readonly={sending}
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
          aria-label={t.$emoji}
          aria-expanded={picking}
          onClick={() => {
            change({ picking: !picking });
            onDemandLoaded.then(() => setTimeout(() => document.querySelector<HTMLElement>(".emojis button")?.focus()));
          }}
        >
          {icon(emojiIcon)}
        </button>
        <button type="button" aria-label={t.$attach} onClick={() => chooseFiles(parts)}>
          {icon(fileIcon)}
        </button>
        <button type="submit" class="send" aria-label={t.$send} disabled={sending || !isFit(frame)}>
          <span>{icon(sendIcon)}</span>
        </button>
      </div>
      <p class="problem" id="message-problem" role="alert">
        {tooLong ? t.$tooLong : tooMany && fill(t.$tooMany, { count: String(MOST_FILES) })}
      </p>
      {draft.length > NEAR_MAX && (
        <p class="meta">
          {draft.length}/{CONTENT_MAX}
        </p>
      )}
      {sending && (
        <p class="meta" role="status">
          {t.$sending}
        </p>
      )}
    </div>
  );
}

/** A single element that stays: a browser may drop an unreferenced one together with the chosen files. */
const chooser = document.createElement("input");
chooser.type = "file";
chooser.multiple = true;

/** In the click itself: some seconds later browsers open no dialog, and the script that attaches files may still be loading. */
function chooseFiles(parts: Parts): void {
  // So that the same file can be chosen again.
  chooser.value = "";
  chooser.onchange = async () => (await onDemandLoaded).attach(chooser.files ?? [], parts);
  chooser.click();
}

const messageBox = () => document.querySelector("textarea") as HTMLTextAreaElement;

/** After rendering: as many rows as the text has. */
export function fitToText(): void {
  // There is none while the form before a first message has its place.
  const box: HTMLTextAreaElement | null = messageBox();
  if (!box) return;
  const log = document.querySelector(".log") as HTMLElement;
  const top = log.scrollTop;
  box.rows = 1;
  box.rows = Math.min(MOST_ROWS, Math.max(1, box.scrollHeight / ROW_PX - 1));
  // With one row the log has more room, which moves it when it is at its end.
  log.scrollTop = top;
}

function onInput({ change, chat }: Parts): void {
  const draft = messageBox().value;
  change({ draft });
  chat.typing(draft !== "");
}

function insert(emoji: string, parts: Parts): void {
  const box = messageBox();
  box.setRangeText(emoji, box.selectionStart, box.selectionEnd, "end");
  box.focus();
  parts.frame.picking = false;
  onInput(parts);
}
