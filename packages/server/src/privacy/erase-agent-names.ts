import { FORMER_COLLEAGUE, formerEmail } from "@frontdesk/core/domain/agent";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { searchable } from "@frontdesk/core/domain/search-text";
import { readEmailSettings } from "../email/email-settings.ts";
import { mailLineAgain } from "../email/in/mail-line.ts";
import { senderName } from "../email/out/compose-mail.ts";
import type { MailAddress } from "../email/parse/parsed-mail.ts";
import type { Doer } from "../events/event.ts";
import type { Database, Storage } from "../storage/database.ts";
import { listParam } from "../storage/dialect.ts";
import type { EventRow } from "../storage/tables.ts";
import {
  auditNaming,
  eventsNaming,
  mailsAfter,
  namingOfDoers,
  renameSender,
  renamingOfDoers,
  replaceLine,
  tablesOfDoers,
} from "./agent-names-store.ts";
import { eraseJobErrors } from "./erase-job-errors.ts";
import { blankAttempts } from "./erase-rows-store.ts";
import { eachPage, eachPartOfLog } from "./read-in-pages.ts";
import { replaceData } from "./redact-store.ts";
import { replaceContent } from "./traces-store.ts";

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
 * Replaces the name and the address of a removed agent where they are stored with what the agent did: in the log with the lines of
 * conversations, in the audit log, as the sender of mails, and with conversations. A repeat finds what is left.
 */
export async function eraseAgentNames(storage: Storage, agent: RemovedAgent): Promise<void> {
  await eraseDoers(storage, agent);
  await eraseInMails(storage, agent);
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

/** Their mails are from the team alone, and from its address. The originals stay as they were sent. */
async function eraseInMails(
  storage: Storage,
  { teamId: team_id, agentId, email, signal }: RemovedAgent,
): Promise<void> {
  await eachPage({ limit: AT_ONCE, signal }, async (after) => {
    const mails = await storage.read((db) => db.all(mailsAfter, { team_id, after, limit: AT_ONCE }));
    const renamed = mails.flatMap(({ id, agent_id, sender, settings, brand }) => {
      if (agent_id !== agentId || sender === null) return [];
      const { displayName, address } = readEmailSettings(JSON.parse(settings));
      const from: MailAddress = JSON.parse(sender);
      // Sent from a mail program.
      const isTheirs = foldText(from.address) === foldText(email);
      const name = displayName ?? senderName(null, brand);
      const nameless = JSON.stringify({ ...from, name, ...(isTheirs && { address }) });
      return nameless === sender ? [] : [{ team_id, message_id: id, sender: nameless }];
    });
    if (renamed.length > 0)
      await storage.write(team_id, (db) => Promise.all(renamed.map((mail) => db.run(renameSender, mail))));
    return mails;
  });
}

async function eraseInLog(storage: Storage, agent: RemovedAgent): Promise<void> {
  const { teamId: team_id, agentId, signal } = agent;
  const about = listParam([agentId]);
  await eachPartOfLog(storage, { team_id, signal }, async (part) => {
    const events = await storage.read((db) => db.all(eventsNaming, { ...part, about }));
    const found = events.flatMap(({ data, ...event }) => {
      const { data: nameless, line } = withoutNameInLine(withoutName(data, agent), agent);
      return nameless === data ? [] : [{ ...event, data: nameless, line }];
    });
    for (let first = 0; first < found.length; first += AT_ONCE) {
      await storage.write(team_id, (db) => replaceEvents(db, team_id, found.slice(first, first + AT_ONCE)));
    }
  });
}

interface Nameless {
  data: string;
  /** The line of the conversation that the event is about, where it is changed. */
  line: { id: string; content: string } | undefined;
}

/** A line about a mail names its agent in a text. */
function withoutNameInLine(data: string, { agentId }: RemovedAgent): Nameless {
  const payload = JSON.parse(data);
  if (payload.said?.values?.agent_id !== agentId) return { data, line: undefined };
  const again = mailLineAgain(payload.said, { who: FORMER_COLLEAGUE });
  if (!again) return { data, line: undefined };
  const { content, said } = again;
  const message = { ...payload.message, content };
  return { data: JSON.stringify({ ...payload, message, said }), line: { id: message.id, content } };
}

/** What receivers answered may repeat the name. */
async function replaceEvents(
  db: Database,
  team_id: string,
  found: readonly (Pick<EventRow, "number" | "id"> & Nameless)[],
): Promise<void> {
  await db.run(blankAttempts, { team_id, event_ids: listParam(found.map(({ id }) => id)) });
  await Promise.all(
    found.flatMap(({ number, data, line }) => [
      db.run(replaceData, { team_id, number, data }),
      ...(line ? [db.run(replaceContent, { team_id, ...line, content_folded: searchable(line.content) })] : []),
    ]),
  );
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
