import { agentsLeftOnline, markAgentPresent, teamsWithAgentsLeftOnline } from "../agents/agent-store.ts";
import type { Operation } from "../context.ts";
import type { Perform } from "../perform.ts";
import type { Storage } from "../storage/database.ts";
import { contactsLeftOnline, markContactPresent, teamsWithContactsLeftOnline } from "./contact-store.ts";

/** In one transaction: the team's other writes wait at most for these. */
const AT_A_TIME = 500;

/**
 * Takes offline everyone, in all teams, whom a dead process has left online: they were last seen before `before` (ms since the
 * epoch). A person who is still online is noted again within a minute.
 */
export async function endAllLeftPresence(
  { storage, perform }: { storage: Storage; perform: Perform },
  before: number,
): Promise<void> {
  const [contacts, agents] = await storage.read((db) =>
    Promise.all([db.all(teamsWithContactsLeftOnline, { before }), db.all(teamsWithAgentsLeftOnline, { before })]),
  );
  for (const teamId of new Set([...contacts, ...agents].map(({ team_id }) => team_id))) {
    let ended = AT_A_TIME;
    while (ended >= AT_A_TIME) {
      ended = await perform({ kind: "system", teamId }, endLeftPresence, { before, limit: AT_A_TIME });
    }
  }
}

/** The same for some of one team. Returns how many; a repeat takes the next ones, if any. When they were last seen stays. */
export const endLeftPresence: Operation<{ before: number; limit: number }, number> = {
  name: "end-left-presence",
  mode: "write",
  async run(ctx, request) {
    const asked = { team_id: ctx.teamId, ...request };
    const [contacts, agents] = await Promise.all([
      ctx.db.all(contactsLeftOnline, asked),
      ctx.db.all(agentsLeftOnline, asked),
    ]);
    const offline = { team_id: ctx.teamId, online_status: "offline" };
    for (const row of contacts) ctx.write(markContactPresent, { ...offline, ...row });
    for (const row of agents) ctx.write(markAgentPresent, { ...offline, ...row });
    return contacts.length + agents.length;
  },
};
