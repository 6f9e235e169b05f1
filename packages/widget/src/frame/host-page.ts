/**
 * The page around the frame. Its messages are accepted only from the parent window, and answered only to its exact origin; the
 * server decides which sites may embed the frame (`frame-ancestors`).
 */
import type { Identity, PageVisit, ToFrame, ToPage } from "../messages.ts";

export interface HostPage {
  post(message: ToPage): void;
  /** The pages visited so far. */
  pages: PageVisit[];
  identity: Identity;
}

export interface HostListener {
  /** The page is ready for messages. */
  hello(): void;
  /** What the page knows of its visitor has changed. */
  identified(): void;
  open(kept: boolean): void;
  close(): void;
  /** The preview is visible. */
  previewed(): void;
  send(text: string): void;
  page(visit: PageVisit): void;
  shutdown(): void;
}

export function listenToHostPage(listener: HostListener): HostPage {
  let origin = "";
  const page: HostPage = {
    pages: [],
    identity: {},
    post(message) {
      if (origin) parent.postMessage({ frontdesk: message }, origin);
    },
  };
  addEventListener("message", ({ source, data, origin: from }: MessageEvent) => {
    const message: ToFrame | undefined = data?.frontdesk;
    if (!message || source !== parent || parent === window || (origin && from !== origin)) return;
    switch (message.type) {
      case "hello":
        origin = from;
        page.pages = message.pages;
        return listener.hello();
      case "identify":
        page.identity = message.identity;
        return listener.identified();
      case "page":
        page.pages.push(message.visit);
        return listener.page(message.visit);
      case "send":
        return listener.send(message.text);
      case "open":
        return listener.open(message.kept);
      default:
        return listener[message.type]();
    }
  });
  return page;
}
