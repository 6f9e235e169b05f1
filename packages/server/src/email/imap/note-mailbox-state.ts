import { noteAccountState } from "../../channels/note-account-state.ts";
import type { Perform } from "../../perform.ts";
import type { MailboxName } from "./imap-reader.ts";
import { imapReasons } from "./imap-reasons.ts";
import type { NotedState } from "./imap-session.ts";

/** Notes what the connection to a mailbox says of its account. It ends only trouble that it has noted itself: sending has its own. */
export const noteMailboxState =
  (perform: Perform) =>
  ({ teamId, accountId }: MailboxName, noted: NotedState): Promise<void> => {
    const reason = noted.state === "active" ? null : noted.reason;
    const state = { accountId, state: noted.state, reason, ownReasons: imapReasons };
    return perform({ kind: "system", teamId }, noteAccountState, state);
  };
