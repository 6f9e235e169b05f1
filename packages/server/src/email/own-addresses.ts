import { accountsOfChannel } from "../channels/channel-account-store.ts";
import type { Context } from "../context.ts";
import { readEmailSettings } from "./email-settings.ts";

/** The addresses of a team's mailboxes, in lower case: never recipients of a reply, and never answered. */
export async function ownAddresses({ db, teamId }: Pick<Context, "db" | "teamId">): Promise<ReadonlySet<string>> {
  const accounts = await db.all(accountsOfChannel, { team_id: teamId, channel: "email" });
  return new Set(accounts.map(({ settings }) => readEmailSettings(JSON.parse(settings)).address.toLowerCase()));
}
