import { fileTokenIn } from "../files/file-address.ts";
import type { AgentFaceRow } from "./conversation-store.ts";

/**
 * An agent as visitors and colleagues see one. A photo is shown when it is a file of the team: every other address would have
 * each visitor's browser ask another site, and was taken by earlier versions.
 */
export function presentFace(agent: AgentFaceRow): { id: string; name: string | null; photo_url: string | null } {
  return { id: agent.id, name: agent.name, photo_url: ownPhoto(agent) };
}

/** The photo's address, or null when it is none of the team's files. */
export function ownPhoto({
  team_id: teamId,
  resized_profile_photo_url: url,
}: Pick<AgentFaceRow, "team_id" | "resized_profile_photo_url">): string | null {
  return url !== null && fileTokenIn(url, teamId) !== undefined ? url : null;
}
