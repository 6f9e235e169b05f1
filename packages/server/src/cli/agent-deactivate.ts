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
  summary: "Takes an agent out of the team's work, and signs them out.",
  options: {
    email: { value: "EMAIL", help: "The agent's e-mail.", required: true },
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
        ...list("Their API keys work no more while that is so; frontdesk key revoke ends one for good:", keys),
        ...list("Neither do their assistants; frontdesk assistant revoke ends one for good:", assistants),
      ].join("\n"),
    });
  },
});

function list(title: string, things: readonly { id: string; name: string }[]): string[] {
  return things.length === 0 ? [] : [title, ...things.map(({ id, name }) => `  ${id}  ${name}`)];
}
