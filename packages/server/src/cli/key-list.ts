import { listApiKeys } from "../access/list-api-keys.ts";
import { isoTimeOrNull } from "../timestamp.ts";
import { chooseTeam } from "./choose-team.ts";
import { defineCommand, teamOption } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk key list`: the team's API keys, without their values. */
export const keyList = defineCommand({
  name: "key list",
  summary: "Lists a team's API keys.",
  options: { team: teamOption },
  async run(values, { settings, print }) {
    const keys = await withStorage(settings, async ({ storage, perform }) =>
      perform(await chooseTeam(storage, values.team), listApiKeys, {}),
    );
    const state = (key: (typeof keys)[number]) =>
      key.revoked_at === null
        ? `last used ${isoTimeOrNull(key.last_used_at) ?? "never"}`
        : `revoked ${isoTimeOrNull(key.revoked_at)}`;
    print({
      json: keys.map((key) => ({
        id: key.id,
        name: key.name,
        ending: key.key_ending,
        scopes: JSON.parse(key.scopes),
        agent_id: key.agent_id,
        created_at: isoTimeOrNull(key.created_at),
        expires_at: isoTimeOrNull(key.expires_at),
        last_used_at: isoTimeOrNull(key.last_used_at),
        revoked_at: isoTimeOrNull(key.revoked_at),
      })),
      text:
        keys.map((key) => `${key.id}  …${key.key_ending}  ${key.name}, ${state(key)}`).join("\n") ||
        "No API keys yet. Create one with: frontdesk key create --name N",
    });
  },
});
