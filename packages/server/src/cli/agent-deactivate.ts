import { deactivateAgent } from "../agents/deactivate-agent.ts";
import { chooseAgent } from "./choose-agent.ts";
import { defineCommand, teamOption } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/**
 * `frontdesk agent deactivate`: signs an agent out for good, and stops their keys and assistants, also while a server runs. A
 * repeat changes nothing.
 */
export const agentDeactivate = defineCommand({
  name: "agent deactivate",
  summary: "Deactivates an agent and signs them out.",
  options: {
    email: { value: "EMAIL", help: "The agent's email address.", required: true },
    team: teamOption,
  },
  async run(values, { settings, print }) {
    const { agent, keys, assistants } = await withStorage(settings, async (open) => {
      const chosen = await chooseAgent(open, values);
      return open.perform(chosen.operator, deactivateAgent, { agentId: chosen.agent.id });
    });
    print({
      json: { id: agent.id, status: agent.status, api_keys: keys, assistants },
      text: [
        `${agent.email} is deactivated.`,
        ...list(
          "Their API keys don't work while they are deactivated. To end one permanently, use frontdesk key revoke:",
          keys,
        ),
        ...list(
          "Their assistants don't work either. To end one permanently, use frontdesk assistant revoke:",
          assistants,
        ),
      ].join("\n"),
    });
  },
});

function list(title: string, things: readonly { id: string; name: string }[]): string[] {
  return things.length === 0 ? [] : [title, ...things.map(({ id, name }) => `  ${id}  ${name}`)];
}
