import { hash } from "node:crypto";
import type { Database } from "../storage/database.ts";
import { accountOfDoor } from "./channel-account-store.ts";

const SECRET_BYTES = 32;
/** 32 bytes as base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** A new secret for the end of a callback address. */
export const newDoorSecret = (random: (bytes: number) => Buffer): string => random(SECRET_BYTES).toString("base64url");

/** What is stored of it to find its account. */
export const doorHash = (secret: string): string => hash("sha256", secret, "hex");

/** The account that a callback address belongs to, in any team; undefined for an unknown secret, and for a text that is none. */
export async function accountOfDoorSecret(
  db: Pick<Database, "first">,
  secret: string,
): Promise<{ teamId: string; accountId: string } | undefined> {
  const found = SECRET.test(secret) ? await db.first(accountOfDoor, { secret_hash: doorHash(secret) }) : undefined;
  return found && { teamId: found.team_id, accountId: found.account_id };
}
