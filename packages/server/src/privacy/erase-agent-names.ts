import { FORMER_COLLEAGUE, formerEmail } from "@frontdesk/core/domain/agent";
import { foldText } from "@frontdesk/core/domain/folded-text";
import type { Doer } from "../events/event.ts";
import type { Database, Storage } from "../storage/database.ts";
import { listParam } from "../storage/dialect.ts";
import {
  auditNaming,
  eventsNaming,
  namingOfDoers,
  renamingOfDoers,
  replaceLine,
  tablesOfDoers,
} from "./agent-names-store.ts";
import { eraseJobErrors } from "./erase-job-errors.ts";
import { blankAttempts } from "./erase-rows-store.ts";
import { eachPage, eachPartOfLog } from "./read-in-pages.ts";
import { replaceData } from "./redact-store.ts";

/** Rows of one commit: the team's other writes wait for it. */
const AT_ONCE = 500;

interface RemovedAgent {
  teamId: string;
  agentId: string;
  /** The address that they had. */
  email: string;
  signal: AbortSignal | undefined;
}

/**
 * Replaces the name and the address of a removed agent where they are stored with what the agent did: in the log, in the audit log,
 * and with conversations. A repeat finds what is left.
 */
export async function eraseAgentNames(storage: Storage, agent: RemovedAgent): Promise<void> {
  await eraseDoers(storage, agent);
  await eraseInLog(storage, agent);
  await eraseInAudit(storage, agent);
  const address = foldText(agent.email);
  await eraseJobErrors(storage, agent.teamId, (error) => foldText(error).includes(address));
}

async function eraseDoers(storage: Storage, { teamId: team_id, agentId, signal }: RemovedAgent): Promise<void> {
  const about = listParam([`{"agent":{"id":"${agentId}"`]);
  const former: Doer = { agent: { id: agentId, name: FORMER_COLLEAGUE, email: formerEmail(agentId) } };
  const doer = JSON.stringify(former);
  for (const table of tablesOfDoers) {
    await eachPage({ limit: AT_ONCE, signal }, async (after) => {
      const rows = await storage.read((db) => db.all(namingOfDoers[table], { team_id, after, about, limit: AT_ONCE }));
      const ids = listParam(rows.map(({ id }) => id));
      if (rows.length > 0)
        await storage.write(team_id, (db) => db.run(renamingOfDoers[table], { team_id, ids, about, doer }));
      return rows;
    });
  }
}

async function eraseInLog(storage: Storage, agent: RemovedAgent): Promise<void> {
  const { teamId: team_id, agentId, signal } = agent;
  const about = listParam([agentId]);
  await eachPartOfLog(storage, { team_id, signal }, async (part) => {
    const events = await storage.read((db) => db.all(eventsNaming, { ...part, about }));
    const found = events.flatMap(({ data, ...event }) => {
      const nameless = withoutName(data, agent);
      return nameless === data ? [] : [{ ...event, data: nameless }];
    });
    for (let first = 0; first < found.length; first += AT_ONCE) {
      await storage.write(team_id, (db) => replaceEvents(db, team_id, found.slice(first, first + AT_ONCE)));
    }
  });
}

/** What receivers answered may repeat the name. */
async function replaceEvents(
  db: Database,
  team_id: string,
  found: readonly { number: number; id: string; data: string }[],
): Promise<void> {
  await db.run(blankAttempts, { team_id, event_ids: listParam(found.map(({ id }) => id)) });
  await Promise.all(found.map(({ number, data }) => db.run(replaceData, { team_id, number, data })));
}

async function eraseInAudit(storage: Storage, agent: RemovedAgent): Promise<void> {
  const { teamId: team_id, agentId: agent_id, email, signal } = agent;
  const about = listParam([agent_id, email]);
  await eachPage({ limit: AT_ONCE, signal }, async (after) => {
    const page = { team_id, after, about, agent_id, limit: AT_ONCE };
    const lines = await storage.read((db) => db.all(auditNaming, page));
    await storage.write(team_id, (db) =>
      Promise.all(
        lines.map(({ id, actor_id, what, ip }) =>
          db.run(replaceLine, {
            team_id,
            id,
            what: withoutName(what, agent),
            ip: actor_id === agent_id ? null : ip,
          }),
        ),
      ),
    );
    return lines;
  });
}

/** JSON in which the agent has no name, address or photo, and the address is nowhere. */
function withoutName(json: string, { agentId, email }: RemovedAgent): string {
  const former = { name: FORMER_COLLEAGUE, email: formerEmail(agentId), profile_photo_url: null };
  const address = foldText(email);
  const text = JSON.parse(json, (_, value) => {
    if (typeof value === "string" && foldText(value) === address) return former.email;
    if (typeof value !== "object" || value?.id !== agentId) return value;
    const named = Object.entries(former).filter(([key]) => key in value);
    return { ...value, ...Object.fromEntries(named) };
  });
  return JSON.stringify(text);
}
