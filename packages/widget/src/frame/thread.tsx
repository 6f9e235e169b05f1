import type { ChatState } from "@frontdesk/client/visitor";
import { Avatar } from "./avatar.tsx";
import type { Parts } from "./frame-state.ts";
import { type Line, Message } from "./message.tsx";
import { startOfDay } from "./texts.ts";

/** Messages of one sender within this time form a group. */
const GROUP_MS = 300_000;
/** Within this distance of the end new messages are followed, and of the start older ones are fetched. */
const NEAR_PX = 60;

/** The thread. A live region elsewhere announces new messages; this log is silent, so that history is not read out. */
export function Thread(parts: Parts) {
  const { config, t, fill, day, state, here, frame, onDemand } = parts;
  const { greeting } = config;
  const ai = onDemand?.ai(parts);
  const draft = ai?.draftLines(state);
  const lines = linesOf(state, draft);
  const typing = draft ? null : state.typing;
  return (
    <>
      <div
        class={frame.reading ? "log reading" : "log"}
        role="log"
        aria-live="off"
        aria-label={t.$chat}
        // Scrollable content has to be reachable by keyboard.
        tabindex="0"
        onScroll={() => look(parts)}
      >
        {state.hasMore ? (
          <button type="button" class="text older" onClick={() => loadOlder(parts)}>
            {t.$older}
          </button>
        ) : (
          <div class="greeting">
            <h2 dir="auto">{greeting?.title || t.$greetingTitle}</h2>
            <p dir="auto">{here || ai?.answers(parts) ? greeting?.text || t.$greetingText : t.$awayText}</p>
          </div>
        )}
        {ai && <ai.Hello {...parts} />}
        {(lines.length === 0 || frame.reading) && onDemand && <onDemand.Articles {...parts} />}
        {lines.map((line, index) => {
          const before = lines[index - 1];
          const after = lines[index + 1];
          return [
            !sameDay(before, line) && (
              <p class="line" key={`day ${line.id}`}>
                {day(line.at)}
              </p>
            ),
            <Message {...parts} line={line} first={!together(before, line)} last={!together(line, after)}>
              {line.by_ai && ai && <ai.Sources {...parts} id={line.id} />}
            </Message>,
          ];
        })}
        {typing && (
          <div class="message first last fresh">
            <Avatar name={typing.name ?? config.team} photo={typing.photo_url} ai={typing.by_ai} />
            {typing.by_ai && (
              <p class="who" aria-hidden="true">
                <bdi>{typing.name}</bdi> <b class="ai">{t.$aiLabel}</b>
              </p>
            )}
            <p class="bubble dots">
              <span class="aside">{fill(t.$typing, { name: typing.name ?? config.team })}</span>
              <i />
              <i />
              <i />
            </p>
          </div>
        )}
        {onDemand && <onDemand.LeaveEmail {...parts} />}
        {state.conversation?.is_resolved &&
          state.outbox.length === 0 && [
            <p class="line">{t.$resolved}</p>,
            config.ask.rating && onDemand && <onDemand.Rating {...parts} />,
          ]}
      </div>
      <div class="below">
        {frame.behind && (
          <button type="button" class="text newest" onClick={follow}>
            ↓ {t.$newest}
          </button>
        )}
      </div>
      {ai && <ai.Person {...parts} />}
    </>
  );
}

let atEnd = true;
let drawn = { first: "", count: 0, height: 0 };
let watched: Element | undefined;

const logBox = () => document.querySelector(".log") as HTMLElement;

/** After rendering: follows new messages at the end, and keeps the scroll position elsewhere. */
export function keepScrollPosition(parts: Parts): void {
  const box = logBox();
  if (parts.frame.reading) return;
  const { messages, outbox } = parts.state;
  const first = messages[0]?.id ?? "";
  const count = messages.length + outbox.length;
  // Older messages were added above. `atEnd` is not used: a scroll that has just begun has not updated it yet.
  const olderCame = drawn.first !== "" && first !== drawn.first && count > drawn.count;
  if (olderCame) {
    box.scrollTop += box.scrollHeight - drawn.height;
    atEnd = isAtEnd(box);
  } else if ((atEnd && count > 0 && box.scrollHeight !== drawn.height) || (outbox.length > 0 && count > drawn.count))
    follow();
  else if (!atEnd && count > drawn.count && !parts.frame.behind) parts.change({ behind: true });
  drawn = { first, count, height: box.scrollHeight };
  if (watched !== box) {
    watched = box;
    // The on-screen keyboard opens, or a form collapses: keep the end visible.
    new ResizeObserver(() => atEnd && drawn.count > 0 && follow()).observe(box);
  }
  seen(parts);
}

const isAtEnd = (box: HTMLElement): boolean => box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;

export function follow(): void {
  const box = logBox();
  atEnd = true;
  box.scrollTop = box.scrollHeight;
}

function look(parts: Parts): void {
  const box = logBox();
  // Hidden.
  if (box.clientHeight === 0 || parts.frame.reading) return;
  atEnd = isAtEnd(box);
  if (atEnd && parts.frame.behind) parts.change({ behind: false });
  if (!atEnd && box.scrollTop < NEAR_PX) loadOlder(parts);
  seen(parts);
}

function seen({ frame, chat }: Parts): void {
  if (frame.open && atEnd && !document.hidden) chat.seen();
}

async function loadOlder({ state, frame, chat, change }: Parts): Promise<void> {
  if (frame.loadingOlder || !state.hasMore) return;
  const byButton = document.activeElement?.matches(".older");
  change({ loadingOlder: true });
  await chat.loadOlder();
  change({ loadingOlder: false });
  // The button disappears when there is nothing older, so the focus moves to the log.
  if (byButton) logBox().focus();
}

/** @param draft what the AI is about to say */
function linesOf({ messages, outbox, conversation }: ChatState, draft: Line[] = []): Line[] {
  const lastOwn = messages.findLast(({ from }) => from === "visitor");
  return [
    ...messages.map((message) => ({
      ...message,
      id: message.client_id ?? message.id,
      at: Date.parse(message.created_at),
      seen: message === lastOwn && message.sort_number <= (conversation?.team_seen_number ?? 0),
    })),
    ...draft,
    ...outbox.map((waiting) => ({
      ...{ ...waiting, waiting, agent: null },
      id: waiting.client_id,
      at: waiting.written_at,
      from: "visitor" as const,
    })),
  ];
}

function sameDay(one: Line | undefined, other: Line | undefined): boolean {
  return startOfDay(one?.at ?? 0) === startOfDay(other?.at ?? 0);
}

function together(one: Line | undefined, next: Line | undefined): boolean {
  return (
    sameDay(one, next) &&
    one?.from === next?.from &&
    one?.agent?.id === next?.agent?.id &&
    one?.by_ai === next?.by_ai &&
    (next?.at ?? 0) - (one?.at ?? 0) < GROUP_MS &&
    !one?.waiting?.refused
  );
}
