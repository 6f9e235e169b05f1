import { accountsOfChannel } from "../channels/channel-account-store.ts";
import type { Context } from "../context.ts";
import { readEmailSettings } from "./email-settings.ts";
import { foldAddress } from "./rules/mail-address.ts";

/** The addresses of a team's mailboxes and their aliases, in lower case: never recipients of a reply, and never answered. */
export async function ownAddresses({ db, teamId }: Pick<Context, "db" | "teamId">): Promise<ReadonlySet<string>> {
  const accounts = await db.all(accountsOfChannel, { team_id: teamId, channel: "email" });
  const all = accounts.map(({ settings }) => readEmailSettings(JSON.parse(settings)));
  return new Set(all.flatMap(({ address, aliases }) => [address, ...aliases]).map(foldAddress));
}
