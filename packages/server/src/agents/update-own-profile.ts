import type { Availability } from "@frontdesk/core/domain/agent";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import { takeOwnFile } from "../files/take-files.ts";
import { signedInAgent } from "../sessions/signed-in-agent.ts";
import type { AgentRow } from "../storage/tables.ts";
import { findAgent } from "./find-agent.ts";
import { changeAgent } from "./manage-agent.ts";

export interface ProfileChange {
  name?: string | undefined;
  /** A picture that the agent has uploaded; null for none. */
  photoUrl?: string | null | undefined;
  availability?: Availability | undefined;
}

/**
 * Changes the profile of the signed-in agent; what is left out stays. Unchanged values change nothing.
 *
 * @param filesUrl the beginning of the addresses of all files
 * @throws Refusal `invalid` on `profile_photo_url` for an address that is no picture of the agent's own
 */
export const updateOwnProfile: Operation<ProfileChange & { filesUrl: string }, AgentRow> = {
  name: "update-own-profile",
  mode: "write",
  async run(ctx, { name, photoUrl, availability, filesUrl }) {
    const before = await findAgent(ctx, signedInAgent(ctx).agentId);
    if (photoUrl && photoUrl !== before.profile_photo_url) await takePhoto(ctx, photoUrl, filesUrl);
    const agent: AgentRow = {
      ...before,
      ...(name !== undefined && { name }),
      ...(photoUrl !== undefined && { profile_photo_url: photoUrl, resized_profile_photo_url: photoUrl }),
      ...(availability !== undefined && { availability, online_status: shownAs(before, availability) }),
    };
    const isSame = (Object.keys(agent) as (keyof AgentRow)[]).every((column) => agent[column] === before[column]);
    if (isSame) return before;
    return changeAgent(ctx, agent);
  },
};

/** An uploaded photo is kept as long as there are messages: any of them may show it. */
async function takePhoto(ctx: Context, url: string, filesUrl: string): Promise<void> {
  const photo = await takeOwnFile(ctx, url, filesUrl);
  if (!photo) throw invalid({ profile_photo_url: "not-a-sent-file" });
  if (photo.type !== "image") throw invalid({ profile_photo_url: "not-an-image" });
}

/** An offline agent stays offline. */
function shownAs({ online_status }: AgentRow, availability: Availability): string {
  if (online_status === "offline") return online_status;
  return availability === "away" ? "away" : "online";
}
