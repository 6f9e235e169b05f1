import type { AppResource } from "@frontdesk/core/domain/app-resource";
import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import { type AssistantWithCreator, assistantActor, creatorCanAct, isLive } from "../assistants/assistant.ts";
import { assistantByToken, markAssistantUsed } from "../assistants/assistant-store.ts";
import { assistantByAccessToken, markAppTokensUsed } from "../authorization/app-grant-store.ts";
import type { Storage } from "../storage/database.ts";
import type { AssistantActor } from "./actor.ts";
import type { NoteUse } from "./note-use.ts";
import { remembered } from "./remembered.ts";
import { tokenHash, tokenTeam } from "./token.ts";

/** Where a token is shown: an address for apps, or `/tools`, which takes none of theirs. */
export type AssistantDoor = AppResource | "tools";

/** An assistant connection that is not revoked. */
export interface KnownAssistant {
  actor: AssistantActor;
  /** Whether it is active, is granted anything, and its creator can act; if not, it has no tools (decisions 49, 51). */
  live: boolean;
  /** Whether the agent who created it is not deactivated. */
  creatorCanAct: boolean;
  /** Of the access token of an app: what it is for, and when it ends. */
  token?: { resource: AppResource; endsAt: number };
}

interface AssistantInMemory extends KnownAssistant {
  notedAt: number;
}

/** Whether it has the form of an app's access token, checksum included: no one types or guesses such a text. */
export const isAccessToken = (token: string | undefined): boolean =>
  token !== undefined && tokenTeam("access", token) !== undefined;

export function authenticateAssistants(storage: Storage, now: () => number, noteUse: NoteUse) {
  const assistants = remembered<AssistantInMemory>(storage);

  /**
   * A paused connection is known, and has no usable grant (decision 51).
   *
   * @param door by default the one that takes no token of an app
   * @throws Refusal `not-authenticated` for a missing, malformed, unknown or revoked token, and for one of an app that has ended, or
   *   is for another door
   */
  return async (token: string | undefined, door: AssistantDoor = "tools"): Promise<KnownAssistant> => {
    if (token === undefined) throw notAuthenticated("token");
    const hash = tokenHash(token);
    const assistant = await assistants.get(hash, () => lookUp(token, hash));
    if (assistant.token && !opens(assistant.token, door)) throw notAuthenticated("token-of-app");
    noteUse(assistant, assistant.actor.assistantId, markAssistantUsed);
    return assistant;
  };

  /** The read-only address takes what the other one does: it is less. */
  function opens({ resource, endsAt }: NonNullable<KnownAssistant["token"]>, door: AssistantDoor): boolean {
    return endsAt > now() && door !== "tools" && (resource === "mcp" || door === "readonly");
  }

  async function lookUp(token: string, hash: string): Promise<AssistantInMemory> {
    if (isAccessToken(token)) return lookUpApp(token, hash);
    const teamId = tokenTeam("assistant", token);
    if (teamId === undefined) throw notAuthenticated("token");
    const row = await storage.first(assistantByToken, { team_id: teamId, token_hash: hash });
    if (!row || row.state === "revoked") throw notAuthenticated("token");
    return known(row);
  }

  async function lookUpApp(token: string, hash: string): Promise<AssistantInMemory> {
    const teamId = tokenTeam("access", token) as string;
    const row = await storage.first(assistantByAccessToken, { team_id: teamId, access_hash: hash });
    if (!row || row.state === "revoked" || row.access_ends_at <= now()) throw notAuthenticated("token-of-app");
    if (row.used_at === null) {
      noteUse({ actor: { teamId }, notedAt: Number.NEGATIVE_INFINITY }, row.tokens_id, markAppTokensUsed);
    }
    return { ...known(row), token: { resource: row.resource as AppResource, endsAt: row.access_ends_at } };
  }
}

const known = (row: AssistantWithCreator): AssistantInMemory => ({
  actor: assistantActor(row),
  live: isLive(row),
  creatorCanAct: creatorCanAct(row),
  notedAt: row.last_used_at ?? 0,
});
