import { revokeApiKey } from "../access/revoke-api-key.ts";
import { chooseTeamOf } from "./choose-team.ts";
import { defineCommand, teamOfIdOption } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk key revoke`: ends an API key, also while a server runs. A repeat changes nothing. */
export const keyRevoke = defineCommand({
  name: "key revoke",
  summary: "Revokes an API key immediately.",
  options: {
    id: { value: "ID", help: "The key. Run `frontdesk key list` to see IDs.", positional: true, required: true },
    team: teamOfIdOption,
  },
  async run(values, { settings, print }) {
    const key = await withStorage(settings, async ({ storage, perform }) =>
      perform(await chooseTeamOf(storage, "api-key", values.id, values.team), revokeApiKey, { keyId: values.id }),
    );
    print({ json: { id: key.id, revoked: true }, text: `The key ${key.name} (…${key.key_ending}) is revoked.` });
  },
});
