import { removeAgent } from "../agents/remove-agent.ts";
import { chooseAgent } from "./choose-agent.ts";
import { defineCommand, teamOption } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/**
 * `frontdesk agent remove`: deletes the personal data of a deactivated agent for good. Their open conversations are unassigned. A
 * running server replaces the name where it is stored with what they did, or the next one that runs.
 */
export const agentRemove = defineCommand({
  name: "agent remove",
  summary: "Deletes the personal data of a deactivated agent. Can't be undone.",
  options: {
    email: { value: "EMAIL", help: "The agent's email address.", required: true },
    team: teamOption,
  },
  async run(values, { settings, print }) {
    const { id, name } = await withStorage(settings, async (open) => {
      const chosen = await chooseAgent(open, values);
      return open.perform(chosen.operator, removeAgent, { agentId: chosen.agent.id });
    });
    print({
      json: { id, name },
      text: `The personal data of ${values.email} is being deleted. What they wrote is shown as by “${name}”.`,
    });
  },
});
