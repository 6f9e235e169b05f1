import { removeAgentFactors } from "../factors/remove-factor.ts";
import { chooseAgent } from "./choose-agent.ts";
import { defineCommand, teamOption } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/**
 * `frontdesk agent reset-factors`: for an agent who has lost their passkeys, app and recovery codes, and has no admin to ask. Their
 * password is as before. A repeat changes nothing.
 */
export const agentResetFactors = defineCommand({
  name: "agent reset-factors",
  summary: "Removes an agent's passkeys, authenticator app and recovery codes.",
  options: {
    email: { value: "EMAIL", help: "The agent's email address.", required: true },
    team: teamOption,
  },
  async run(values, { settings, print }) {
    const { removed } = await withStorage(settings, async (open) => {
      const { operator, agent } = await chooseAgent(open, values);
      return open.perform(operator, removeAgentFactors, { agentId: agent.id });
    });
    print({
      json: { removed },
      text: removed
        ? `${values.email} signs in with the password alone, until they add a new second factor.`
        : `${values.email} has no second factor. Nothing was changed.`,
    });
  },
});
