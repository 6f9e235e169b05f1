/**
 * The only script that a page loads: the button in the corner, and the frame on first use. Until then there is no other
 * request, no frame, no socket, no cookie and no storage. The server adds the widget's look (`widget-files.ts`), so that the
 * button never changes once it is seen.
 *
 * The button is in a closed shadow root with its own style sheet, so that the page's styles and the strictest content security
 * policy do not affect it: the page allows our origin for scripts and frames, and nothing else.
 */
import css from "./loader.css";
import type { Identity, PageVisit, ToFrame, ToPage } from "./messages.ts";

type Listener = (detail?: unknown) => void;
type EventName = "ready" | "open" | "close" | "message" | "unread" | "identityExpired";
type Api = Record<string, (...args: never[]) => unknown>;

/** A rule with the colors of the button and its side. */
declare const LOOK: string;

declare global {
  interface Window {
    Frontdesk?: ((name: string, ...args: unknown[]) => unknown) & { q?: Iterable<unknown>[]; here?: true };
  }
}

/** On narrower screens the chat covers the whole page. */
const PHONE = "(max-width: 480px)";

const script = (document.currentScript ?? document.querySelector("script[data-widget]")) as HTMLScriptElement;
const { widget, language, theme } = script.dataset;
const base = new URL("./", script.src);
/** After the page itself has finished loading. */
const IDLE_MS = 1_000;
const SVG = "http://www.w3.org/2000/svg";
const MARK_KEY = `frontdesk:${widget}`;
/** Stored instead of the mark of a conversation, until the frame has forgotten the visitor. */
const SIGNED_OUT = "0";

if (widget && !window.Frontdesk?.here) start();

function start(): void {
  const host = document.createElement("frontdesk-chat");
  const root = host.attachShadow({ mode: "closed" });
  const button = document.createElement("button");
  const badge = document.createElement("b");
  const dialog = document.createElement("dialog");
  const sheet = new CSSStyleSheet();
  let listeners: [EventName, Listener][] = [];
  const pages: PageVisit[] = [];
  const identity: Identity = {};
  const choice: Record<string, string | undefined> = { lang: language, theme };
  const queue = window.Frontdesk?.q ?? [];
  let frame: HTMLIFrameElement | undefined;
  let ready = false;
  const waiting: ToFrame[] = [];
  let gone = false;

  sheet.replaceSync(css + LOOK);
  root.adoptedStyleSheets = [sheet];
  button.append(icon("M4 5.5h16v11H9.5L5 20v-3.5H4zM8.5 11h7"), icon("M6 9.5l6 6 6-6"), badge);
  label("Chat");
  button.ariaExpanded = "false";
  root.append(button, dialog);

  button.onpointerenter = button.onfocus = load;
  button.onclick = () => api.toggle();
  dialog.oncancel = (event) => {
    event.preventDefault();
    api.close();
  };
  // A handler that returns false would keep Enter from pressing the button.
  button.onkeydown = ({ key }) => {
    if (key === "Escape") api.close();
  };
  addEventListener("message", listen);

  const api = {
    open: () => open(),
    close() {
      if (!dialog.open) return;
      dialog.close();
      stored(() => sessionStorage, "");
      button.ariaExpanded = "false";
      button.focus();
      sendToFrame({ type: "close" });
      emit("close");
    },
    toggle: () => (dialog.open ? api.close() : api.open()),
    /** Name, e-mail and phone, as the page knows them, and the signed token. */
    identify(details: Identity) {
      Object.assign(identity, details);
      sendToFrame({ type: "identify", identity });
    },
    /** The language of the chat, its theme, and custom data of the visitor. */
    set({ language, theme, data }: { language?: string; theme?: string; data?: Identity["data"] }) {
      if (data) api.identify({ data: { ...identity.data, ...data } });
      choice.lang = language ?? choice.lang;
      choice.theme = theme ?? choice.theme;
      if (frame && (language || theme)) reload();
    },
    send(text: string) {
      api.open();
      sendToFrame({ type: "send", text: String(text) });
    },
    on: (name: EventName, listener: Listener) => void listeners.push([name, listener]),
    off(name: EventName, listener: Listener) {
      listeners = listeners.filter(([each, known]) => each !== name || known !== listener);
    },
    /** Removes the chat from the page and forgets the visitor in this browser: for signing out. */
    shutdown() {
      // The page is often left right after signing out: then the next page does the rest.
      leave(SIGNED_OUT);
      load();
      sendToFrame({ type: "shutdown" });
    },
  };

  const call = (...[name, ...args]: unknown[]) => (api as unknown as Api)[name as string]?.(...(args as never[]));
  window.Frontdesk = Object.assign(call, { here: true as const });

  visit();
  // biome-ignore lint/suspicious/noExplicitAny: newer than the types of browsers
  const navigation = (window as any).navigation as EventTarget | undefined;
  (navigation ?? window).addEventListener(navigation ? "navigatesuccess" : "popstate", visit);

  if (document.body) show();
  else addEventListener("DOMContentLoaded", show);

  function show(): void {
    document.body.append(host);
    for (const each of queue) call(...each);
    // On a phone it would cover the page.
    if (stored(() => sessionStorage) && !matchMedia(PHONE).matches) open(true);
    setTimeout(() => {
      if (mark()) load();
    }, IDLE_MS);
  }

  /** Takes the focus, also where it is open already; but not as `kept`, when it was open on the page before. */
  function open(kept = false): void {
    if (gone) return;
    const wasOpen = dialog.open;
    load();
    dialog.className = "";
    if (kept) dialog.open = true;
    else if (!wasOpen) dialog[matchMedia(PHONE).matches ? "showModal" : "show"]();
    button.ariaExpanded = "true";
    if (!kept) frame?.focus();
    sendToFrame({ type: "open", kept });
    stored(() => sessionStorage, "1");
    if (!wasOpen) emit("open");
  }

  function leave(left: string): void {
    gone = true;
    mark(left);
    stored(() => sessionStorage, "");
    dialog.close();
    preview(false);
    button.remove();
  }

  /** Creates the frame, on the first sign of interest. */
  function load(): void {
    if (frame) return;
    frame = document.createElement("iframe");
    frame.title = "Chat";
    frame.onload = () => {
      post({ type: "hello", pages });
      post({ type: "identify", identity });
    };
    reload();
    dialog.append(frame);
  }

  /**
   * Shows the newest answer above the button while the chat is closed. The frame draws it, so that the page can neither read nor
   * restyle it.
   */
  function preview(shown: boolean): void {
    if (dialog.open) return;
    dialog.className = shown && !gone ? "preview" : "";
    if (dialog.className) post({ type: "previewed" });
    else if (root.activeElement) button.focus();
  }

  function reload(): void {
    preview(false);
    // A reloaded frame is opened if the dialog is open.
    if (ready && dialog.open) waiting.push({ type: "open", kept: false });
    ready = false;
    const lang = choice.lang ?? document.documentElement.lang;
    const query = new URLSearchParams({ lang, theme: choice.theme ?? "", kept: mark() ?? "" });
    if (frame) frame.src = new URL(`frame/${widget}?${query}`, base).href;
  }

  /** Messages wait until the frame is ready; without a frame they are not needed. */
  function sendToFrame(message: ToFrame): void {
    if (ready) post(message);
    else if (frame) waiting.push(message);
  }

  function post(message: ToFrame): void {
    frame?.contentWindow?.postMessage({ frontdesk: message }, base.origin);
  }

  function listen({ source, origin, data }: MessageEvent): void {
    const message: ToPage | undefined = data?.frontdesk;
    if (!message || !frame || source !== frame.contentWindow || origin !== base.origin) return;
    switch (message.type) {
      case "ready":
        ready = true;
        waiting.splice(0).forEach(post);
        emit("ready");
        break;
      case "unread":
        badge.textContent = message.badge;
        label(message.label);
        emit("unread", message.count);
        break;
      case "chatting":
        if (!gone) mark("1");
        break;
      case "forgotten":
        mark("");
        break;
      case "gone":
        leave("");
        host.remove();
        break;
      case "message":
      case "identityExpired":
        emit(message.type, message.detail);
        break;
      case "preview":
        preview(message.shown);
        break;
      case "open":
      case "close":
        api[message.type]();
        break;
      default:
        message satisfies never;
    }
  }

  function emit(name: EventName, detail?: unknown): void {
    for (const [each, listener] of listeners) if (each === name) listener(detail);
  }

  function label(text: string): void {
    button.ariaLabel = dialog.ariaLabel = text;
  }

  function visit(): void {
    const { href } = location;
    if (pages.at(-1)?.url === href) return;
    const visit = { url: href, title: document.title, at: Date.now() };
    pages.push(visit);
    if (ready) post({ type: "page", visit });
  }

  /** Reads or sets the mark that this browser has a conversation here. Without a conversation nothing is stored. */
  function mark(value?: string): string | undefined {
    return stored(() => localStorage, value);
  }

  /** Reads or sets our value in a storage. In that of the tab it says that the chat is open. */
  function stored(storage: () => Storage, value?: string): string | undefined {
    try {
      if (value !== undefined) storage()[MARK_KEY] = value;
      return storage()[MARK_KEY];
    } catch {
      return "";
    }
  }
}

/** Built from elements: a page may forbid markup from strings. */
function icon(line: string): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("width", "26");
  svg.setAttribute("viewBox", "0 0 24 24");
  path.setAttribute("d", line);
  svg.append(path);
  return svg;
}
