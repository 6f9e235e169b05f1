import { markAgentPresent } from "../agents/agent-store.ts";
import type { Context, Operation } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { contactsByIds, markContactPresent } from "./contact-store.ts";
import { notePageVisits } from "./note-page-visit.ts";

/** What the live streams of a process have seen of a team since the last note. */
export interface PresenceNote {
  contacts: readonly PresenceChange[];
  agents: readonly PresenceChange[];
  /** The pages that visitors have opened. */
  pages?: readonly { contactId: string; page: string }[];
}

/** Who is online, and who has left. */
export interface PresenceChange {
  id: string;
  online: boolean;
  /** Of an agent who is online. */
  isAway?: boolean;
}

/**
 * Stores who is online, as the live streams of a process have seen it. Rows that are deleted, or already in this state and seen
 * later, are left unchanged. It is no event: presence is not part of the log.
 */
export const notePresence: Operation<PresenceNote, void> = {
  name: "note-presence",
  mode: "write",
  async run(ctx, { contacts, agents, pages = [] }) {
    const known = await noteContacts(ctx, contacts, pages);
    // A contact may have been erased meanwhile.
    await notePageVisits(
      ctx,
      pages.filter(({ contactId }) => known.has(contactId)),
    );
    for (const { id, online, isAway } of agents) {
      const status = !online ? "offline" : isAway ? "away" : "online";
      ctx.write(markAgentPresent, { team_id: ctx.teamId, id, online_status: status, last_active_at: ctx.now });
    }
  },
};

/** Returns the ids of those who exist, visitors of pages included. */
async function noteContacts(
  ctx: Context,
  changes: readonly PresenceChange[],
  pages: readonly { contactId: string }[],
): Promise<Set<string>> {
  const ids = new Set([...changes.map(({ id }) => id), ...pages.map(({ contactId }) => contactId)]);
  if (ids.size === 0) return ids;
  const rows = await ctx.db.all(contactsByIds, { team_id: ctx.teamId, contact_ids: listParam([...ids]) });
  const changeOf = new Map(changes.map((change) => [change.id, change]));
  for (const { id, last_active_at, online_status } of rows) {
    const change = changeOf.get(id);
    if (!change) continue;
    const status = change.online ? "online" : "offline";
    // A clock that was set back must not move the time back.
    const lastActiveAt = Math.max(last_active_at, ctx.now);
    if (status === online_status && lastActiveAt === last_active_at) continue;
    ctx.moveInList("contacts", last_active_at, lastActiveAt);
    ctx.write(markContactPresent, { team_id: ctx.teamId, id, online_status: status, last_active_at: lastActiveAt });
  }
  return new Set(rows.map(({ id }) => id));
}
