import { FORMER_COLLEAGUE } from "@frontdesk/core/domain/agent";
import { fileTokenIn } from "../files/file-address.ts";
import type { AgentFaceRow } from "./conversation-store.ts";

/**
 * An agent as visitors and colleagues see one. A photo is shown only when it is a file of the team: any other address, which
 * earlier versions accepted, would make each visitor's browser request another site.
 */
export function presentFace(agent: AgentFaceRow): { id: string; name: string | null; photo_url: string | null } {
  return { id: agent.id, name: agent.name, photo_url: ownPhoto(agent) };
}

/** The same for visitors, to whom a former colleague of the team is the team. */
export function presentFaceToVisitors(agent: AgentFaceRow): ReturnType<typeof presentFace> {
  return { ...presentFace(agent), name: agent.name === FORMER_COLLEAGUE ? null : agent.name };
}

/** The photo's address; null when it is not a file of the team. */
export function ownPhoto({
  team_id: teamId,
  resized_profile_photo_url: url,
}: Pick<AgentFaceRow, "team_id" | "resized_profile_photo_url">): string | null {
  return url !== null && fileTokenIn(url, teamId) !== undefined ? url : null;
}
