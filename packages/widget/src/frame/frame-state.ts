import type { ChatState, VisitorChat } from "@frontdesk/client/visitor";
import type { DraftFile } from "./attachments.tsx";
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
  files: readonly DraftFile[];
  /** More files were chosen than a message takes. */
  tooMany?: boolean;
  /** The message is to be sent as soon as its files are there. */
  sending?: boolean;
  /** Files are held over the chat. */
  dropping?: boolean;
  picking?: boolean;
  /** What a screen reader says of new messages. */
  news?: string;
  /** Something new stands below what is in sight. */
  behind?: boolean;
  loadingOlder?: boolean;
  /** Of the form before the first message, of the rating, and of what asks for an e-mail. */
  values: Record<FieldName, string>;
  problems: Partial<Record<FieldName, string>>;
  /** The visitor would rather not leave an e-mail. */
  passedEmail?: boolean;
  /** They have just left one. */
  tookEmail?: boolean;
  /** What is chosen of the rating; 0 for nothing yet. */
  rating: number;
}

export type FieldName = "name" | "email" | "comment";

/** What every part of the frame draws from. */
export interface Parts extends Wording {
  config: FrameConfig;
  chat: VisitorChat;
  host: HostPage;
  state: ChatState;
  frame: FrameState;
  /** Whether anybody of the team is there, in its hours. */
  here: boolean;
  /** When the team is back, in words; null where that is not known, or not to be waited for. */
  back: string | null;
  /** Whether what is written now can be sent now. */
  reachable: boolean;
  /** Changes what the frame shows, and draws it. */
  change(changes: Partial<FrameState>): void;
}
