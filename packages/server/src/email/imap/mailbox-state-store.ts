import { sql } from "kysely";
import type { ChannelAccountState } from "../../channels/channel-account.ts";
import { every, statement } from "../../storage/statement.ts";
import { imapReasons } from "./imap-reasons.ts";

interface ById {
  team_id: string;
  id: string;
}

const connected = (["active", "needs-sign-in", "failing"] satisfies ChannelAccountState[]).map((one) => sql.lit(one));
const ownReasons = Object.values(imapReasons).map((reason) => sql.lit(reason));

export const noteTrouble = statement<ById & { state: string; state_reason: string }>((db, param) =>
  db
    .updateTable("channel_accounts")
    .set(every(param, ["state", "state_reason"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("state", "in", connected)
    .where("deleted_at", "is", null),
);

/** Ends only trouble that the reader has noted: sending has its own. */
export const endTrouble = statement<ById>((db, param) =>
  db
    .updateTable("channel_accounts")
    .set({ state: "active", state_reason: null })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("state", "in", connected)
    .where("state_reason", "in", ownReasons),
);
