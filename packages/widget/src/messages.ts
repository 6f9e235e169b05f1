/** What the loader on the owner's page and the frame on our origin say to each other, each as `{frontdesk: message}`. */

export interface PageVisit {
  url: string;
  title: string;
  /** In milliseconds since 1970. */
  at: number;
}

/** What the page knows of its visitor. It is taken as said by the visitor, but for what `token` vouches for. */
export interface Identity {
  /** Signed by the owner's server (docs/decisions/0023-verified-visitors.md). */
  token?: string;
  name?: string;
  email?: string;
  phone?: string;
  /** Custom data. */
  data?: Record<string, unknown>;
}

export type ToFrame =
  | { type: "hello"; pages: PageVisit[] }
  | { type: "open" }
  | { type: "close" }
  | { type: "identify"; identity: Identity }
  | { type: "send"; text: string }
  | { type: "page"; visit: PageVisit }
  | { type: "shutdown" };

export type ToPage =
  | { type: "ready"; color: string; ink: string; position: "start" | "end" }
  /** What the button says, to eyes and to screen readers. */
  | { type: "unread"; count: number; badge: string; label: string }
  /** There is a conversation, or its first message waits to be sent: the next page of the site opens the frame by itself. */
  | { type: "chatting" }
  /** Without its text: what is said here is none of the page's business. */
  | { type: "message"; detail: { from: "visitor" | "agent" } }
  /** What vouched for the visitor has run out: the page is to identify them with a new token. */
  | { type: "identityExpired"; detail?: undefined }
  /** Nobody is known here any more: said after `shutdown`, also for a page that did not stay until it was done. */
  | { type: "forgotten" }
  | { type: "close" };
