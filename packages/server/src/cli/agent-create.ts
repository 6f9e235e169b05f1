import { type AgentRole, agentRoles } from "@frontdesk/core/domain/agent";
import { createAgent } from "../agents/create-agent.ts";
import { getTeam } from "../teams/get-team.ts";
import { chooseTeam } from "./choose-team.ts";
import { defineCommand, teamOption, UsageError } from "./command.ts";
import { readEmail, readName, readPassword } from "./person-options.ts";
import { withStorage } from "./with-storage.ts";

const ROLE_WORDS = ["owner", "admin", "member"];

/** `frontdesk agent create`: an active agent. A repeat with the same e-mail is refused. */
export const agentCreate = defineCommand({
  name: "agent create",
  summary: "Adds an active agent to a team.",
  options: {
    team: teamOption,
    name: { value: "NAME", help: "The agent's name.", required: true },
    email: { value: "EMAIL", help: "The agent's email address.", required: true },
    role: { value: "ROLE", help: `One of ${[...ROLE_WORDS, ...agentRoles].join(", ")}.`, required: true },
    password: { value: "PASSWORD", help: "A password, or - to read it from standard input. Default: none." },
  },
  async run(values, { settings, print }) {
    const agent = {
      name: readName("--name", values.name),
      email: readEmail(values.email),
      role: readRole(values.role),
    };
    const { password } = values;
    const made = await withStorage(settings, async ({ storage, perform }) => {
      const operator = await chooseTeam(storage, values.team);
      const { name: teamName } = await perform(operator, getTeam, {});
      const passwordHash = password === undefined ? null : await readPassword(password, { ...agent, teamName });
      return perform(operator, createAgent, { ...agent, passwordHash });
    });
    print({ json: { id: made.id }, text: `id  ${made.id}` });
  },
});

function readRole(word: string): AgentRole {
  const role = agentRoles.find((known) => known === word || known === `CHAT_AGENT_${word.toUpperCase()}`);
  if (role) return role;
  throw new UsageError(`--role: unknown role "${word}". Available roles: ${ROLE_WORDS.join(", ")}.`);
}
