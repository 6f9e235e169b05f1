import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import { assistantActor, creatorCanAct, isLive } from "../assistants/assistant.ts";
import { assistantByToken, markAssistantUsed } from "../assistants/assistant-store.ts";
import type { Storage } from "../storage/database.ts";
import type { AssistantActor } from "./actor.ts";
import type { NoteUse } from "./note-use.ts";
import { remembered } from "./remembered.ts";
import { tokenHash, tokenTeam } from "./token.ts";

/** An assistant connection that is not revoked. */
export interface KnownAssistant {
  actor: AssistantActor;
  /** Whether it is active, is granted anything, and its creator can act; if not, it has no tools (decisions 49, 51). */
  live: boolean;
  /** Whether the agent who created it is not deactivated. */
  creatorCanAct: boolean;
}

interface AssistantInMemory extends KnownAssistant {
  notedAt: number;
}

export function authenticateAssistants(storage: Storage, noteUse: NoteUse) {
  const assistants = remembered<AssistantInMemory>(storage);

  /**
   * A paused connection is known, and has no usable grant (decision 51).
   *
   * @throws Refusal `not-authenticated` for a missing, malformed, unknown or revoked token
   */
  return async (token: string | undefined): Promise<KnownAssistant> => {
    if (token === undefined) throw notAuthenticated("token");
    const hash = tokenHash(token);
    const assistant = await assistants.get(hash, () => lookUp(storage, token, hash));
    noteUse(assistant, assistant.actor.assistantId, markAssistantUsed);
    return assistant;
  };
}

async function lookUp(storage: Storage, token: string, hash: string): Promise<AssistantInMemory> {
  const teamId = tokenTeam("assistant", token);
  if (teamId === undefined) throw notAuthenticated("token");
  const row = await storage.first(assistantByToken, { team_id: teamId, token_hash: hash });
  if (!row || row.state === "revoked") throw notAuthenticated("token");
  return {
    actor: assistantActor(row),
    live: isLive(row),
    creatorCanAct: creatorCanAct(row),
    notedAt: row.last_used_at ?? 0,
  };
}
