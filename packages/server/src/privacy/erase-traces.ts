import { searchable } from "@frontdesk/core/domain/search-text";
import type { Vault } from "../access/vault.ts";
import { mailLineAgain } from "../email/in/mail-line.ts";
import { foldAddress } from "../email/rules/mail-address.ts";
import type { SaidLine } from "../events/event.ts";
import type { Database, Storage } from "../storage/database.ts";
import { listParam } from "../storage/dialect.ts";
import type { ErasedContactRow } from "../storage/tables.ts";
import { eraseAgentNames } from "./erase-agent-names.ts";
import { eraseJobErrors } from "./erase-job-errors.ts";
import { contactsLeft, conversationsLeft, erasureById, forgetSealedText } from "./erasure-store.ts";
import { type Naming, names, namingPlace, repeats, sealedTextPlace, textsIn } from "./naming.ts";
import { eachPage, eachPartOfLog } from "./read-in-pages.ts";
import { replaceData } from "./redact-store.ts";
import {
  assistantIds,
  callsAfter,
  emptyCalls,
  type LoggedCall,
  type NamingEvent,
  namingEvents,
  reasonedLines,
  replaceContent,
  replaceWhat,
  someMailbox,
} from "./traces-store.ts";

/** Rows of one read. */
const CALLS_AT_ONCE = 1_000;
/** What the line says when it need not name anyone (`recognise-visitor.ts`). */
const NAMELESS_LINE =
  "The website has recognised this visitor as a known contact. They go on in that contact's conversation.";

interface Parts {
  storage: Storage;
  vault: Vault;
}

interface Ongoing {
  teamId: string;
  erasureId: string;
  signal?: AbortSignal | undefined;
}

/**
 * Erases what names the contacts and conversations that an erasure has hidden, in rows that are about others: calls of assistants,
 * reasons of failed jobs and of holds, and the lines in another contact's conversation that say whom its visitor was recognised as, or
 * whose mail has something to do with it. Of a redacted message, the calls that have its text. It costs a read of these, in pieces that hold up no write; only what is found is
 * written. A repeat finds what is left.
 */
export async function eraseTraces(parts: Parts, one: Ongoing): Promise<void> {
  await eraseRepeated(parts, one);
  await eraseNamed(parts, one);
}

/** Above all the call by which an assistant wrote a redacted message. Of a removed agent, the address, and the name in what they did. */
async function eraseRepeated({ storage, vault }: Parts, { teamId: team_id, erasureId: id, signal }: Ongoing) {
  const erasure = await storage.first(erasureById, { team_id, id });
  if (!erasure?.text_sealed) return;
  const text = vault.open(erasure.text_sealed, sealedTextPlace(team_id, id));
  const { agent_id: agentId } = erasure;
  if (agentId !== null) await eraseAgentNames(storage, { teamId: team_id, agentId, email: text, signal });
  const isRepeated = repeats(text);
  await eraseCalls(storage, team_id, (call) => isRepeated(call.arguments), signal);
  await storage.write(team_id, (db) => db.run(forgetSealedText, { team_id, id }));
}

async function eraseNamed(
  { storage, vault }: Parts,
  { teamId: team_id, erasureId: erasure_id, signal }: Ongoing,
): Promise<void> {
  const [contacts, conversations] = await storage.read((db) =>
    Promise.all([db.all(contactsLeft, { team_id, erasure_id }), db.all(conversationsLeft, { team_id, erasure_id })]),
  );
  const ids = [...contacts.map(({ contact_id }) => contact_id), ...conversations.map((one) => one.conversation_id)];
  if (ids.length === 0) return;
  const named = contacts.map((contact) => ({ contactId: contact.contact_id, naming: namingIn(contact, vault) }));
  const isNamed = names(
    named.map(({ naming }) => naming),
    new Set(ids),
  );
  const isNaming = ({ arguments: given, message }: LoggedCall) => isNamed(`${textsIn(given)}\n${message ?? ""}`);
  await eraseCalls(storage, team_id, isNaming, signal);
  await eraseReasons(storage, team_id, isNamed);
  if (contacts.length === 0) return;
  await eraseJobErrors(storage, team_id, isNamed);
  const inLines = await namedInLines(storage, team_id, named);
  if (inLines) await eraseLines(storage, team_id, inLines, signal);
}

/** The people that lines in the conversations of others may name; undefined where there can be none, so that the log need not be read. */
async function namedInLines(
  storage: Storage,
  team_id: string,
  named: readonly { contactId: string; naming: Naming }[],
): Promise<NamedInLines | undefined> {
  const contactIds = new Set(named.map(({ contactId }) => contactId));
  const verifiedIds = new Set(named.flatMap(({ naming: { verifiedId } }) => verifiedId ?? []));
  const found = named.flatMap(({ naming: { email, addresses = [] } }) => [...addresses, ...(email ? [email] : [])]);
  const addresses = new Set(found.map(foldAddress));
  // Browsers go over to verified contacts alone, and mails come in where there is a mailbox.
  const isPossible =
    verifiedIds.size > 0 || (addresses.size > 0 && (await storage.first(someMailbox, { team_id })) !== undefined);
  return isPossible ? { contactIds, verifiedIds, addresses } : undefined;
}

function namingIn({ team_id, contact_id, naming_sealed }: ErasedContactRow, vault: Vault): Naming {
  return JSON.parse(vault.open(naming_sealed, namingPlace(team_id, contact_id)));
}

async function eraseCalls(
  storage: Storage,
  team_id: string,
  isFound: (call: LoggedCall) => boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const { id: assistant_id } of await storage.read((db) => db.all(assistantIds, { team_id }))) {
    await eachPage({ limit: CALLS_AT_ONCE, signal }, async (after) => {
      const page = { team_id, assistant_id, after, limit: CALLS_AT_ONCE };
      const calls = await storage.read((db) => db.all(callsAfter, page));
      const found = calls.filter(isFound);
      const ids = listParam(found.map(({ id }) => id));
      if (found.length > 0) await storage.write(team_id, (db) => db.run(emptyCalls, { team_id, assistant_id, ids }));
      return calls;
    });
  }
}

/** The line of the audit log stays, and names by ids whom it is about. */
async function eraseReasons(storage: Storage, team_id: string, isNamed: (text: string) => boolean): Promise<void> {
  const lines = await storage.read((db) => db.all(reasonedLines, { team_id }));
  const found = lines.filter(({ what }) => what.includes('"reason"') && isNamed(textsIn(what)));
  if (found.length === 0) return;
  await storage.write(team_id, (db) =>
    Promise.all(found.map(({ id, what }) => db.run(replaceWhat, { team_id, id, what: withoutReason(what) }))),
  );
}

function withoutReason(what: string): string {
  const { reason: _, ...rest } = JSON.parse(what);
  return JSON.stringify(rest);
}

/** How lines name the contacts. */
interface NamedInLines {
  contactIds: ReadonlySet<string>;
  /** The contacts that the browsers of others now belong to. */
  verifiedIds: ReadonlySet<string>;
  /** Folded, of those whose mails have something to do with others. */
  addresses: ReadonlySet<string>;
}

async function eraseLines(
  storage: Storage,
  team_id: string,
  named: NamedInLines,
  signal: AbortSignal | undefined,
): Promise<void> {
  await eachPartOfLog(storage, { team_id, signal }, async (part) => {
    const events = await storage.read((db) => db.all(namingEvents, part));
    const found = events.flatMap((event) => withoutName(event, named) ?? []);
    if (found.length > 0) await storage.write(team_id, (db) => replaceAll(db, team_id, found));
  });
}

interface Nameless {
  number: number;
  data: string;
  /** The line of the conversation that the event is about. */
  line: { id: string; content: string } | undefined;
}

/** The event without the contacts, or undefined when it does not name them. */
function withoutName({ number, name, data }: NamingEvent, named: NamedInLines): Nameless | undefined {
  const payload = JSON.parse(data);
  if (name === "visitor-session.moved") {
    if (!named.contactIds.has(payload.moved_to?.id)) return undefined;
    return { number, data: JSON.stringify({ ...payload, moved_to: null }), line: undefined };
  }
  const nameless = namelessLine(payload.said, named);
  if (!nameless) return undefined;
  const { content, said } = nameless;
  const message = { ...payload.message, content };
  return { number, data: JSON.stringify({ ...payload, message, said }), line: { id: message.id, content } };
}

function namelessLine(said: SaidLine | undefined, { contactIds, verifiedIds, addresses }: NamedInLines) {
  const { id = "", contact_id = "", who = "" } = said?.values ?? {};
  if (verifiedIds.has(id)) return { content: NAMELESS_LINE, said: { ...said, values: { who: "", id: "" } } };
  if (!contactIds.has(contact_id) && !addresses.has(foldAddress(who))) return undefined;
  return mailLineAgain(said, { who: "", contact_id: "", conversation_id: "" });
}

async function replaceAll(db: Database, team_id: string, found: readonly Nameless[]): Promise<void> {
  await Promise.all(
    found.flatMap(({ number, data, line }) => [
      db.run(replaceData, { team_id, number, data }),
      ...(line ? [db.run(replaceContent, { team_id, ...line, content_folded: searchable(line.content) })] : []),
    ]),
  );
}
