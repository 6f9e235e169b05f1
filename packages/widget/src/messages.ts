/** The messages between the loader on the owner's page and the frame on our origin, each as `{frontdesk: message}`. */

export interface PageVisit {
  url: string;
  title: string;
  /** In milliseconds since 1970. */
  at: number;
}

/** What the page knows of its visitor. Only `token` is verified; the rest counts as the visitor's own words. */
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
  /** `kept`: it was open before, and takes no focus. */
  | { type: "open"; kept: boolean }
  | { type: "close" }
  /** The preview is visible. */
  | { type: "previewed" }
  | { type: "identify"; identity: Identity }
  | { type: "send"; text: string }
  | { type: "page"; visit: PageVisit }
  | { type: "shutdown" };

export type ToPage =
  | { type: "ready" }
  /** The text of the button, visible and for screen readers. */
  | { type: "unread"; count: number; badge: string; label: string }
  /** Whether there is a preview of the newest answer for a closed chat; sent again with each answer. */
  | { type: "preview"; shown: boolean }
  /** There is a conversation, or its first message waits to be sent: the next page of the site loads the frame by itself. */
  | { type: "chatting" }
  /** Without its text: the page must not read the chat. */
  | { type: "message"; detail: { from: "visitor" | "agent" } }
  /** The visitor's identity is no longer valid: the page has to identify them with a new token. */
  | { type: "identityExpired"; detail?: undefined }
  /** The visitor is forgotten: sent after `shutdown`, also when that page was left before it was done. */
  | { type: "forgotten" }
  /** The widget was removed: the chat leaves the page. */
  | { type: "gone" }
  | { type: "open" }
  | { type: "close" };
