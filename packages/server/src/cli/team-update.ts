import { updateTeam } from "../teams/update-team.ts";
import { chooseTeam } from "./choose-team.ts";
import { defineCommand, UsageError } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk team update`: switches the team's API access. A repeat changes nothing. */
export const teamUpdate = defineCommand({
  name: "team update",
  summary: "Turns a team's API access on or off.",
  options: {
    id: { value: "ID", help: "The team.", positional: true, required: true },
    "api-access": { value: "on|off", help: "Whether its API keys work.", required: true },
  },
  async run(values, { settings, print }) {
    const access = values["api-access"];
    if (access !== "on" && access !== "off") throw new UsageError(`--api-access: must be on or off, not "${access}".`);
    const team = await withStorage(settings, async ({ storage, perform }) =>
      perform(await chooseTeam(storage, values.id), updateTeam, { apiAccess: access === "on" }),
    );
    const apiAccess = team.api_access === 1;
    print({
      json: { id: team.team_id, api_access: apiAccess },
      text: `API access of ${team.name} is ${apiAccess ? "on" : "off"}.`,
    });
  },
});
