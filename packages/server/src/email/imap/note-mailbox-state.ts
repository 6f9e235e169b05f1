import { REPLAY_RUN_AT } from "../../outbox/outbox-item.ts";
import { makeRetriesDue, markQueueDue } from "../../outbox/outbox-store.ts";
import type { Database } from "../../storage/database.ts";
import type { NotedState } from "./imap-session.ts";
import type { OfMailbox } from "./mail-folder-store.ts";
import { endTrouble, noteTrouble } from "./mailbox-state-store.ts";

/** Notes what the connection to a mailbox says of its account. A paused account stays paused. */
export async function noteMailboxState(db: Database, name: OfMailbox, noted: NotedState): Promise<void> {
  const itself = { team_id: name.team_id, id: name.account_id };
  if (noted.state !== "active") {
    await db.run(noteTrouble, { ...itself, state: noted.state, state_reason: noted.reason });
    return;
  }
  const ended = await db.run(endTrouble, itself);
  // Replies have waited for the sign-in.
  if (ended === 0) return;
  const queue = { team_id: name.team_id, queue_id: name.account_id };
  await db.run(makeRetriesDue, { ...queue, run_at: REPLAY_RUN_AT });
  await db.run(markQueueDue, { ...queue, due_at: 0 });
}
