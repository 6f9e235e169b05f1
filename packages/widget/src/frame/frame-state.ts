import type { ChatState, VisitorChat } from "@frontdesk/client/visitor";
import type { FrameConfig } from "./frame-config.ts";
import type { HostPage } from "./host-page.ts";
import type { Wording } from "./texts.ts";

/** What the frame shows besides the chat itself. */
export interface FrameState {
  open: boolean;
  muted: boolean;
  /** Whether the browser says that there is a network. */
  networked: boolean;
  draft: string;
  picking: boolean;
  /** What a screen reader says of new messages. */
  news: string;
  /** Something new stands below what is in sight. */
  behind: boolean;
  loadingOlder: boolean;
  /** Of the form before the first message. */
  values: Record<FieldName, string>;
  problems: Partial<Record<FieldName, string>>;
}

export type FieldName = "name" | "email";

/** What every part of the frame draws from. */
export interface Parts extends Wording {
  config: FrameConfig;
  chat: VisitorChat;
  host: HostPage;
  state: ChatState;
  frame: FrameState;
  /** Whether anybody of the team is there. */
  here: boolean;
  /** Whether what is written now can be sent now. */
  reachable: boolean;
  /** Changes what the frame shows, and draws it. */
  change(changes: Partial<FrameState>): void;
}
