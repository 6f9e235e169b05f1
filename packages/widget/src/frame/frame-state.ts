import type { ChatState, VisitorChat } from "@frontdesk/client/visitor";
import type { DraftFile } from "./attachments.tsx";
import type { FrameConfig } from "./frame-config.ts";
import type { HostPage } from "./host-page.ts";
import type { OnDemand } from "./load-on-demand.ts";
import type { Wording } from "./texts.ts";

/** The state of the frame besides the chat itself. */
export interface FrameState {
  open: boolean;
  muted: boolean;
  /** Whether the browser is online. */
  networked: boolean;
  draft: string;
  files: readonly DraftFile[];
  /** More files were chosen than a message may have. */
  tooMany?: boolean;
  /** The message is sent once its files are uploaded. */
  sending?: boolean;
  /** Files are being dragged over the chat. */
  dropping?: boolean;
  picking?: boolean;
  /** The announcement of new messages for screen readers. */
  announcement?: string;
  /** The answer whose preview was dismissed, and the one that was announced with its preview: ids. */
  dismissed?: string | undefined;
  announced?: string | undefined;
  /** There is a new message below the visible part. */
  behind?: boolean;
  loadingOlder?: boolean;
  /** Of the form before the first message, of the rating, and of the e-mail form. */
  values: Record<FieldName, string>;
  problems: Partial<Record<FieldName, string>>;
  /** What a verified identity says of a visitor who has not written. */
  given?: readonly FieldName[];
  /** The visitor has declined to leave an e-mail. */
  passedEmail?: boolean;
  /** The visitor has just left an e-mail. */
  tookEmail?: boolean;
  /** An article is read from a conversation. */
  reading?: boolean;
  /** The chosen rating; 0 for none yet. */
  rating: number;
}

export type FieldName = "name" | "email" | "comment";

/** What every component renders from. */
export interface Parts extends Wording {
  config: FrameConfig;
  chat: VisitorChat;
  host: HostPage;
  state: ChatState;
  frame: FrameState;
  /** The parts that are loaded on demand; undefined until they are there. */
  onDemand: OnDemand | undefined;
  /** Whether it is within the opening hours, and whether an agent is online then. */
  open: boolean;
  here: boolean;
  /** When the team is back, as text; null when it is unknown, or there is nothing to wait for. */
  back: string | null;
  /** Whether a message can be sent now. */
  reachable: boolean;
  /** Changes the frame's state, and renders it. */
  change(changes: Partial<FrameState>): void;
}
