import { markAgentPresent } from "../agents/agent-store.ts";
import type { Context, Operation } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { contactsByIds, markContactPresent } from "./contact-store.ts";
import { notePageVisits } from "./note-page-visit.ts";

/** What the live streams of a process have seen of a team since it was last noted. */
export interface PresenceNote {
  contacts: readonly PresenceChange[];
  agents: readonly PresenceChange[];
  /** The pages that visitors have come to. */
  pages?: readonly { contactId: string; page: string }[];
}

/** Who is there, and who has gone. */
export interface PresenceChange {
  id: string;
  online: boolean;
  /** Of an agent who is there. */
  isAway?: boolean;
}

/**
 * Keeps who is online, as the live streams of a process have seen it. Whoever is gone from the data already, or in it as
 * they are told to be and seen at this moment, stays as they are. It is no event: presence is not part of the log.
 */
export const notePresence: Operation<PresenceNote, void> = {
  name: "note-presence",
  mode: "write",
  async run(ctx, { contacts, agents, pages = [] }) {
    await noteContacts(ctx, contacts);
    await notePageVisits(ctx, pages);
    for (const { id, online, isAway } of agents) {
      const status = !online ? "offline" : isAway ? "away" : "online";
      ctx.write(markAgentPresent, { team_id: ctx.teamId, id, online_status: status, last_active_at: ctx.now });
    }
  },
};

async function noteContacts(ctx: Context, changes: readonly PresenceChange[]): Promise<void> {
  if (changes.length === 0) return;
  const contact_ids = listParam(changes.map(({ id }) => id));
  const rows = await ctx.db.all(contactsByIds, { team_id: ctx.teamId, contact_ids });
  const changeOf = new Map(changes.map((change) => [change.id, change]));
  for (const { id, last_active_at, online_status } of rows) {
    const status = changeOf.get(id)?.online ? "online" : "offline";
    // A clock that was set back takes nobody back.
    const lastActiveAt = Math.max(last_active_at, ctx.now);
    if (status === online_status && lastActiveAt === last_active_at) continue;
    ctx.moveInList("contacts", last_active_at, lastActiveAt);
    ctx.write(markContactPresent, { team_id: ctx.teamId, id, online_status: status, last_active_at: lastActiveAt });
  }
}
