/** The frame: one store (`@frontdesk/client/visitor`), rendered whenever it or `frame-state.ts` changes. */
import { type ChatState, createVisitorChat, unreadMessages } from "@frontdesk/client/visitor";
import { spokenAnswer } from "./answer-text.ts";
import { Composer, fitToText } from "./composer.tsx";
import { keepDraft, readDraft } from "./draft.ts";
import { draw } from "./draw.ts";
import { readConfig } from "./frame-config.ts";
import type { FrameState, Parts } from "./frame-state.ts";
import { Head } from "./head.tsx";
import { listenToHostPage } from "./host-page.ts";
import { hoursAt } from "./hours.ts";
import { identifyDetailsOf, reportToPageAuthor } from "./identify.ts";
import { loadOnDemand, onDemand, onDemandLoaded } from "./load-on-demand.ts";
import { messageDetails } from "./message-details.ts";
import { asksFirst, PreChatForm } from "./pre-chat-form.tsx";
import { browserValues } from "./stored-values.ts";
import { wordingOf } from "./texts.ts";
import { follow, keepScrollPosition, Thread } from "./thread.tsx";

const NO_VALUES = { name: "", email: "", comment: "" };
const MUTED_KEY = "frontdesk-muted";
/** How often the time is checked: messages that wait too long, opening hours, and the change of day. */
const LOOK_MS = 8_000;

const config = readConfig();
const wording = wordingOf(config);
const chat = createVisitorChat({
  origin: new URL("..", location.href).href.slice(0, -1),
  widgetId: config.widget,
  onIdentified(answer) {
    reportToPageAuthor(answer);
    change({ given: answer.ok ? answer.body.given : [] });
  },
  onGone() {
    forget();
    host.post({ type: "gone" });
  },
});
const frame: FrameState = {
  // Without a surrounding page the frame is a page itself.
  open: parent === window,
  muted: browserValues.get(MUTED_KEY) === "1",
  networked: navigator.onLine,
  draft: "",
  files: [],
  values: { ...NO_VALUES },
  problems: {},
  rating: 0,
  ...readDraft(config),
};
/** The newest message that was announced; 0 before the first. */
let newest = 0;
let hadContact = false;
/** Who spoke for the team. */
let speaker: string | undefined;
let drawing = false;
/** The visitor has signed out on a page that was left before they were forgotten. */
const isSignedOut = /kept=0/.test(location.search);
/** What was reported to the page already; `preview` is the id of the answer. */
let reported: { count?: number; chatting?: boolean; expired?: boolean; preview?: string | undefined } = {};

const host = listenToHostPage({
  hello() {
    host.post({ type: "ready" });
    if (isSignedOut) host.post({ type: "forgotten" });
    // Before this nothing could be sent to the page.
    reported = {};
    host.pages.slice(-1).forEach(chat.page);
    redraw();
  },
  identified() {
    Object.assign(frame.values, host.identity);
    const details = identifyDetailsOf(host.identity);
    if (details) chat.identify(details);
    redraw();
  },
  open(kept) {
    if (reported.preview) follow();
    change({ open: true });
    // The frame has just been shown; its elements can be measured and focused from now on.
    setTimeout(() => {
      redraw();
      if (!kept) document.querySelector<HTMLElement>("[aria-required=true], textarea")?.focus();
    });
  },
  close() {
    // What came before needs no preview.
    change({ open: false, picking: false, dismissed: onDemand?.newestAnswer(chat.state)?.id });
  },
  previewed: () => onDemand?.announce(partsNow()),
  send(text) {
    const parts = partsNow();
    if (asksFirst(parts)) change({ draft: text });
    else chat.send({ content: text, ...messageDetails(parts) });
  },
  page: chat.page,
  shutdown: forget,
});

chat.subscribe(onChat);
addEventListener("online", () => change({ networked: true }));
addEventListener("offline", () => change({ networked: false }));
// The forms' own handlers send.
addEventListener("submit", (event) => event.preventDefault());
addEventListener("keydown", ({ key }) => key === "Escape" && host.post({ type: "close" }));
document.addEventListener("visibilitychange", redraw);
onDemandLoaded.then(({ listenForFiles }) => listenForFiles(partsNow));
setInterval(redraw, LOOK_MS);
if (isSignedOut) forget();
redraw();
chat.open();

function App(parts: Parts) {
  const { t, frame, reachable } = parts;
  return (
    <>
      <Head {...parts} onMute={mute} />
      <main>
        <Thread {...parts} />
        {!reachable && (
          <p class="offline" role="status">
            {t.$offline}
          </p>
        )}
        {asksFirst(parts) ? <PreChatForm {...parts} /> : <Composer {...parts} />}
        {frame.dropping && <p class="drop">{t.$attach}</p>}
      </main>
      <div class="aside" aria-live="polite">
        {frame.announcement}
      </div>
      {onDemand && <onDemand.Preview {...parts} />}
    </>
  );
}

function partsNow(): Parts {
  const { state } = chat;
  const { open, next } = hoursAt(config, Date.now());
  return {
    ...{ ...wording, config, chat, host, state, frame, onDemand, open, change },
    here: open && (state.teamOnline ?? config.online.length > 0),
    back: open || !next ? null : wording.backAt(next),
    reachable: frame.networked && state.connection !== "offline",
  };
}

function change(changes: Partial<FrameState>): void {
  Object.assign(frame, changes);
  redraw();
}

function forget(): void {
  chat.forget();
  change({ draft: "", files: [], passedEmail: false, dismissed: "", announced: "" });
  host.post({ type: "forgotten" });
}

/** Once, however many changes come until then. */
function redraw(): void {
  if (drawing) return;
  drawing = true;
  queueMicrotask(() => {
    drawing = false;
    const parts = partsNow();
    const { activeElement } = document;
    document.body.className = frame.open ? "open" : "";
    draw(document.body, <App {...parts} />);
    // The focused element is gone: the focus moves to the message field.
    if (activeElement !== document.body && !activeElement?.isConnected) document.querySelector("textarea")?.focus();
    keepScrollPosition(parts);
    fitToText();
    keepDraft(parts);
    report(parts.state);
    if (frame.open || parts.state.contact) loadOnDemand(config.onDemandScript, redraw);
  });
}

function onChat(state: ChatState): void {
  const fresh = newest
    ? state.messages.filter(({ sort_number, is_redacted }) => sort_number > newest && !is_redacted)
    : [];
  newest = state.messages.at(-1)?.sort_number ?? 0;
  // Another visitor, or one who was erased.
  if (hadContact && !state.contact)
    Object.assign(frame, { values: { ...NO_VALUES, ...host.identity }, rating: 0, passedEmail: false });
  hadContact = !!state.contact;
  // Who wants a person may want an answer by e-mail, too.
  if (speaker === "ai" && state.conversation?.speaker === "waiting") frame.passedEmail = false;
  speaker = state.conversation?.speaker;
  for (const { from } of fresh) host.post({ type: "message", detail: { from } });
  const received = fresh.filter(({ from }) => from === "agent");
  if (received.length) {
    // In a closed chat it is announced with its preview.
    if (frame.open) frame.announcement = received.map((message) => spokenAnswer(message, partsNow())).join("\n");
    if (!frame.muted && !(frame.open && document.hasFocus())) onDemand?.chime();
  }
  redraw();
}

/** After rendering. */
function report(state: ChatState): void {
  const count = unreadMessages(state);
  if (count !== reported.count) {
    const badge = `${count > 9 ? "9+" : count || ""}`;
    const label = count ? `${wording.t.$chat}, ${wording.unread(count)}` : wording.t.$chat;
    host.post({ type: "unread", count, badge, label });
  }
  // From the first message on, also unanswered: the next page of the site sends it.
  const chatting = !!state.contact || state.outbox.length > 0;
  if (chatting && !reported.chatting) host.post({ type: "chatting" });
  if (state.expired && !reported.expired) host.post({ type: "identityExpired" });
  const preview = document.querySelector(".preview")?.id;
  if (preview !== reported.preview) host.post({ type: "preview", shown: !!preview });
  reported = { count, chatting, expired: state.expired, preview };
}

function mute(): void {
  change({ muted: !frame.muted });
  // A setting of this browser, not of a conversation.
  browserValues.set(MUTED_KEY, frame.muted ? "1" : "");
}
