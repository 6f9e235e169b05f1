import { sql } from "kysely";
import type { ChannelAccountState } from "../../channels/channel-account.ts";
import { markQueueDue } from "../../outbox/outbox-store.ts";
import type { Database } from "../../storage/database.ts";
import { every, statement } from "../../storage/statement.ts";
import type { NotedState } from "./imap-session.ts";
import { imapReasons } from "./imap-trouble.ts";
import type { OfMailbox } from "./mail-folder-store.ts";

/** Notes what the connection to a mailbox says of its account. A paused account stays paused. */
export async function noteMailboxState(db: Database, name: OfMailbox, noted: NotedState): Promise<void> {
  const itself = { team_id: name.team_id, id: name.account_id };
  if (noted.state !== "active") {
    await db.run(noteTrouble, { ...itself, state: noted.state, state_reason: noted.reason });
    return;
  }
  const ended = await db.run(endTrouble, itself);
  // Replies have waited for the sign-in.
  if (ended > 0) await db.run(markQueueDue, { team_id: name.team_id, queue_id: name.account_id, due_at: 0 });
}

interface ById {
  team_id: string;
  id: string;
}

const connected = (["active", "needs-sign-in", "failing"] satisfies ChannelAccountState[]).map((one) => sql.lit(one));
const ownReasons = Object.values(imapReasons).map((reason) => sql.lit(reason));

const noteTrouble = statement<ById & { state: string; state_reason: string }>((db, param) =>
  db
    .updateTable("channel_accounts")
    .set(every(param, ["state", "state_reason"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("state", "in", connected)
    .where("deleted_at", "is", null),
);

/** Ends only trouble that was noted above: sending has its own. */
const endTrouble = statement<ById>((db, param) =>
  db
    .updateTable("channel_accounts")
    .set({ state: "active", state_reason: null })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("state", "in", connected)
    .where("state_reason", "in", ownReasons),
);
