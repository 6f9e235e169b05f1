import type { Storage } from "../storage/database.ts";
import { allTeams } from "../teams/team-store.ts";
import type { Check } from "./check.ts";
import { failedMails, troubledChannels } from "./doctor-store.ts";

/** Whether the accounts of channels work, and whether all mails that came in could be read. */
export async function checkChannels(storage: Storage): Promise<Check> {
  const name = "channels";
  const problems: string[] = [];
  for (const { team_id } of await storage.read((db) => db.all(allTeams, {}))) {
    const of = { team_id };
    for (const account of await storage.read((db) => db.all(troubledChannels, of))) {
      problems.push(`${account.name ?? account.provider_key} (${account.state}): ${account.state_reason}`);
    }
    for (const { total, name: channel, provider_key } of await storage.read((db) => db.all(failedMails, of))) {
      problems.push(
        `${channel ?? provider_key}: ${total === 1 ? "an email" : `${total} emails`} could not be imported`,
      );
    }
  }
  if (problems.length === 0) return { name, state: "ok", says: "Every channel works." };
  return {
    name,
    state: "warning",
    says: `${problems.join("; ")}.`.replace(/\.+$/, "."),
    do: "Open Settings > Channels: each account says what to do. Emails that could not be imported are kept with their reason in the log.",
  };
}
