import { deactivateAgent } from "../agents/deactivate-agent.ts";
import { chooseAgent } from "./choose-agent.ts";
import { defineCommand, teamOption } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/** `frontdesk agent deactivate`: signs an agent out for good, beside a running server as well. A repeat changes nothing. */
export const agentDeactivate = defineCommand({
  name: "agent deactivate",
  summary: "Takes an agent out of the team's work, and signs them out.",
  options: {
    email: { value: "EMAIL", help: "The agent's e-mail.", required: true },
    team: teamOption,
  },
  async run(values, { settings, print }) {
    const { agent, keys } = await withStorage(settings, async (open) => {
      const chosen = await chooseAgent(open, values);
      return open.perform(chosen.operator, deactivateAgent, { agentId: chosen.agent.id });
    });
    const left = keys.map(({ id, name }) => `\n  ${id}  ${name}`).join("");
    print({
      json: { id: agent.id, status: agent.status, api_keys: keys },
      text: `${agent.email} is deactivated.${left && ` Their API keys still work; frontdesk key revoke ends one:${left}`}`,
    });
  },
});
