import { mailDomainOf } from "../email/check-mail-domain.ts";
import { readEmailSettings } from "../email/email-settings.ts";
import { createTurns } from "../email/imap/turns.ts";
import { mailImportByKey } from "../email/in/mail-import-store.ts";
import { makeRoundTrip, type RoundTripParts } from "../email/round-trip/round-trip.ts";
import type { DomainRecords } from "../outbound/domain-records.ts";
import type { Progress } from "../progress.ts";
import type { Storage } from "../storage/database.ts";
import type { ChannelAccountRow } from "../storage/tables.ts";
import { allTeams } from "../teams/team-store.ts";
import { attemptAll, type Check } from "./check.ts";
import { activeMailboxes } from "./doctor-store.ts";
import { dkimFinding, messageIdFinding, verdictFinding } from "./received-mail-findings.ts";
import { tripFinding } from "./test-mail-findings.ts";

export interface TestMailParts extends Omit<RoundTripParts, "isTaken"> {
  storage: Storage;
  records: DomainRecords;
  progress: Progress;
}

/** Mailboxes whose mails are on their way at once. */
const AT_ONCE = 10;

/** Sends a mail from each active mailbox to itself, and says what became of it: whether it came in, and what it looked like then. */
export async function checkTestMails(parts: TestMailParts): Promise<Check[]> {
  const { storage, progress } = parts;
  const mailboxes: ChannelAccountRow[] = [];
  for (const { team_id } of await storage.read((db) => db.all(allTeams, {}))) {
    mailboxes.push(...(await storage.read((db) => db.all(activeMailboxes, { team_id }))));
  }
  if (mailboxes.length === 0) {
    const says = "No mailbox is connected and active, so no test email was sent.";
    return [{ name: "test emails", state: "note", says }];
  }
  const turn = createTurns(AT_ONCE);
  let done = 0;
  progress.begin(mailboxes.length);
  progress.at(done);
  const found = await Promise.all(
    mailboxes.map(async (row) => {
      const endTurn = await turn();
      const { address } = readEmailSettings(JSON.parse(row.settings));
      const checks = await attemptAll(`test email of ${address}`, () => checkMailbox(parts, row));
      endTurn();
      done += 1;
      progress.at(done);
      return checks;
    }),
  );
  progress.end();
  return found.flat();
}

async function checkMailbox(parts: TestMailParts, row: ChannelAccountRow): Promise<Check[]> {
  const { storage, records } = parts;
  const isTaken: RoundTripParts["isTaken"] = async (of, key) =>
    (await storage.first(mailImportByKey, { ...of, key })) !== undefined;
  const trip = await makeRoundTrip({ ...parts, isTaken }, row);
  const stored: object = JSON.parse(row.settings);
  const settings = readEmailSettings(stored);
  const arrival = tripFinding(trip, settings);
  if (trip.outcome !== "found") return [arrival];
  const { headers } = trip.copy;
  const findings = [
    arrival,
    trip.isRenamed ? messageIdFinding(settings) : undefined,
    verdictFinding(headers, settings),
    // The key of a name that is in no DNS cannot be looked up.
    mailDomainOf(stored) && (await dkimFinding(headers, settings, records)),
  ];
  return findings.filter((each) => each !== undefined);
}
