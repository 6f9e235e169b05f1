/** The frame: one store (`@frontdesk/client/visitor`), drawn anew whenever it or `frame-state.ts` changes. */
import { type ChatState, createVisitorChat, unreadMessages } from "@frontdesk/client/visitor";
import { chime } from "./chime.ts";
import { Composer, fitToText } from "./composer.tsx";
import { draw } from "./draw.ts";
import { firstMessageDetails } from "./first-message.ts";
import { readConfig } from "./frame-config.ts";
import type { FrameState, Parts } from "./frame-state.ts";
import { Head } from "./head.tsx";
import { listenToHostPage } from "./host-page.ts";
import { SLOW_MS } from "./message.tsx";
import { asksFirst, PreChatForm } from "./pre-chat-form.tsx";
import { wordingOf } from "./texts.ts";
import { keepPlace, Thread } from "./thread.tsx";

const MUTED_KEY = "frontdesk-muted";

const config = readConfig();
const wording = wordingOf(config);
const chat = createVisitorChat({ origin: new URL("..", location.href).href.slice(0, -1), widgetId: config.widget });
const frame: FrameState = {
  // Without a page around it the frame is a page itself.
  open: parent === window,
  muted: kept() === "1",
  networked: navigator.onLine,
  draft: "",
  picking: false,
  news: "",
  behind: false,
  loadingOlder: false,
  values: { name: "", email: "" },
  problems: {},
};
/** The newest message that was told of; 0 until there was one. */
let newest = 0;
let drawing = false;
let wasLive = false;
/** What the page knows already. */
let told: { count?: number; chatting?: true } = {};
let slowTimer: ReturnType<typeof setTimeout> | undefined;

const host = listenToHostPage({
  hello() {
    host.tell({ type: "ready", ...config.look });
    // Before this nothing could be told.
    told = {};
    tell(chat.state);
  },
  identified() {
    Object.assign(frame.values, host.identity);
    redraw();
  },
  open() {
    change({ open: true });
    // The frame has just been shown; what stands in it can be measured, and focused, from now on.
    setTimeout(() => {
      redraw();
      document.querySelector<HTMLElement>("[aria-required=true], textarea")?.focus();
    });
  },
  close: () => change({ open: false, picking: false }),
  send(text) {
    if (asksFirst(partsNow())) change({ draft: text });
    else write(text);
  },
  page: (visit) => chat.page(visit),
  shutdown: () => chat.forget(),
});

chat.subscribe(onChat);
addEventListener("online", () => change({ networked: true }));
addEventListener("offline", () => change({ networked: false }));
addEventListener("keydown", ({ key }) => key === "Escape" && host.tell({ type: "close" }));
document.addEventListener("visibilitychange", redraw);
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
            {t("offline")}
          </p>
        )}
        {asksFirst(parts) ? <PreChatForm {...parts} /> : <Composer {...parts} onSend={write} />}
      </main>
      <div class="aside" aria-live="polite">
        {frame.news}
      </div>
    </>
  );
}

function partsNow(): Parts {
  const { state } = chat;
  return {
    ...{ ...wording, config, chat, host, state, frame, change },
    here: state.teamOnline ?? config.online.length > 0,
    reachable: frame.networked && state.connection !== "offline",
  };
}

function change(changes: Partial<FrameState>): void {
  Object.assign(frame, changes);
  redraw();
}

/** Once, however much has changed until then. */
function redraw(): void {
  if (drawing) return;
  drawing = true;
  queueMicrotask(() => {
    drawing = false;
    const parts = partsNow();
    const { activeElement } = document;
    draw(document.body, <App {...parts} />);
    // What had the focus is gone: whoever types goes on at the message.
    if (activeElement !== document.body && !activeElement?.isConnected) document.querySelector("textarea")?.focus();
    keepPlace(parts);
    fitToText();
  });
}

function onChat(state: ChatState): void {
  const fresh = newest === 0 ? [] : state.messages.filter(({ sort_number }) => sort_number > newest);
  newest = Math.max(newest, state.messages.at(-1)?.sort_number ?? 0);
  for (const { from } of fresh) host.tell({ type: "message", from });
  const said = fresh.filter(({ from }) => from === "agent");
  if (said.length > 0) {
    frame.news = said
      .map(({ agent, content }) => wording.t("says", { name: agent?.name ?? config.team, text: content }))
      .join("\n");
    if (!frame.muted && !(frame.open && document.hasFocus())) chime();
  }
  tell(state);
  const live = state.connection === "live" && state.contact !== null;
  const visit = host.pages.at(-1);
  if (live && !wasLive && visit) chat.page(visit);
  wasLive = live;
  clearTimeout(slowTimer);
  // What then still waits says so.
  if (state.outbox.length > 0) slowTimer = setTimeout(redraw, SLOW_MS);
  redraw();
}

function tell(state: ChatState): void {
  const count = unreadMessages(state);
  if (count !== told.count) {
    const badge = count > 9 ? "9+" : count ? String(count) : "";
    const label = count ? `${wording.t("chat")}, ${wording.unread(count)}` : wording.t("chat");
    host.tell({ type: "unread", count, badge, label });
  }
  if (state.contact && !told.chatting) host.tell({ type: "chatting" });
  told = { count, ...(state.contact && { chatting: true }) };
}

function write(content: string): void {
  chat.send({ content, ...(!chat.state.contact && firstMessageDetails(host, config)) });
  change({ draft: "" });
}

function mute(): void {
  kept(frame.muted ? "0" : "1");
  change({ muted: !frame.muted });
}

/** Whether sounds are off is a wish about this browser, not about a conversation. */
function kept(value?: string): string | null {
  try {
    if (value) localStorage.setItem(MUTED_KEY, value);
    return localStorage.getItem(MUTED_KEY);
  } catch {
    return null;
  }
}
