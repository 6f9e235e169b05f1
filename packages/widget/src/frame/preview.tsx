import { type ChatState, unreadMessages } from "@frontdesk/client/visitor";
import { answerText, spokenAnswer } from "./answer-text.ts";
import { Avatar } from "./avatar.tsx";
import type { Parts } from "./frame-state.ts";
import { crossIcon, icon } from "./icons.tsx";

/** Two lines have fewer characters. */
const MOST_CHARACTERS = 200;
/** Screen readers announce changes of a region only if they have seen it before. */
const ANNOUNCE_MS = 200;

/** The newest answer while the chat is closed. The page shows it above its button, by a low frame (`on-demand.css`). */
export function Preview(parts: Parts) {
  const { config, t, unread, state, frame, host } = parts;
  const message = newestAnswer(state);
  const count = unreadMessages(state);
  if (frame.open || !message || !count || frame.dismissed === message.id) return null;
  const name = message.agent?.name ?? config.team;
  return (
    <main
      class="preview"
      id={message.id}
      // A handler that returns false would keep every other key from its work.
      onKeyDown={({ key }: KeyboardEvent) => {
        if (key === "Escape") dismiss(message.id, parts);
      }}
    >
      <h1 class="aside">{unread(count)}</h1>
      <button type="button" onClick={() => host.post({ type: "open" })}>
        <Avatar name={name} photo={message.agent?.photo_url ?? null} ai={message.by_ai} />
        <span>
          <span class="writer">
            <b dir="auto">{name}</b>
            {message.by_ai && <b class="ai">{t.$aiLabel}</b>}
            {count > 1 && <small>{unread(count)}</small>}
          </span>
          <span class="answer" dir="auto">
            {answerText(message).slice(0, MOST_CHARACTERS)}
          </span>
        </span>
      </button>
      <button type="button" aria-label={t.$hide} onClick={() => dismiss(message.id, parts)}>
        {icon(crossIcon)}
      </button>
    </main>
  );
}

/** Announces the newest answer, once in a tab. Called when its preview is visible. */
export function announce(parts: Parts): void {
  const { state, frame, change } = parts;
  const message = newestAnswer(state);
  if (!message || frame.announced === message.id) return;
  const announcement = spokenAnswer(message, parts);
  // The same text again would be no change.
  change({ announced: message.id, announcement: "" });
  setTimeout(() => change({ announcement }), ANNOUNCE_MS);
}

function dismiss(id: string, { change }: Parts): void {
  change({ dismissed: id });
}

export const newestAnswer = ({ messages }: ChatState) =>
  messages.findLast(({ from, is_redacted }) => from === "agent" && !is_redacted);
