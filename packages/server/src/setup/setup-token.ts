import { createHash } from "node:crypto";
import type { SetupState } from "@frontdesk/core/contract/session";
import type { Context, Operation, Runtime } from "../context.ts";
import type { Database, Storage } from "../storage/database.ts";
import { anyTeam, deleteInstallationValue, installationValue, setInstallationValue } from "./installation-store.ts";

/*
 * The one-time token of the set-up page.
 *
 * ```
 * no team --(serve starts)--> open: one token works --(serve starts again)--> open: only the new token works
 *                              |--(set-up page, command line)--> done: no token works, ever again
 * ```
 */
const TOKEN_HASH = "setup_token_hash";
const LOCK = "setup_lock";
const TOKEN_BYTES = 32;

/** A new token when there is no team yet, else undefined. The previous one becomes invalid; only a hash is stored. */
export async function newSetupToken(storage: Storage, runtime: Runtime): Promise<string | undefined> {
  return storage.write(null, async (db) => {
    await lockSetup(db);
    if (await db.first(anyTeam, {})) return undefined;
    const token = runtime.random(TOKEN_BYTES).toString("base64url");
    await db.run(setInstallationValue, { name: TOKEN_HASH, value: hashOf(token) });
    return token;
  });
}

/** The page of the set-up. The token follows `#`, so that it is in no log of a server or a proxy, and in no Referer. */
export function setupLink(publicUrl: string, token: string): string {
  return `${publicUrl}/app/setup#${token}`;
}

/** Whether `token` opens the set-up page. */
export const getSetupState: Operation<{ token: string }, SetupState> = {
  name: "get-setup-state",
  mode: "read",
  run: (ctx, { token }) => setupState(ctx, token),
};

/** What a token is valid for at this moment; under `lockSetup` it stays so until the commit. */
export async function setupState(ctx: Context, token: string): Promise<SetupState> {
  if (await ctx.db.first(anyTeam, {})) return "done";
  const kept = await ctx.db.first(installationValue, { name: TOKEN_HASH });
  return kept?.value === hashOf(token) ? "open" : "refused";
}

/** Set-ups run one after another from here on, also those of other processes: each sees the result of the previous one. */
export async function lockSetup(db: Database): Promise<void> {
  await db.run(setInstallationValue, { name: LOCK, value: "" });
}

/** From this commit on no token is valid. */
export async function closeSetup(db: Database): Promise<void> {
  await db.run(deleteInstallationValue, { name: TOKEN_HASH });
}

/** A token has 256 random bits, so a plain hash is enough. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
