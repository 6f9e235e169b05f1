import { listAgents } from "../agents/list-agents.ts";
import { OperatorError } from "../operator-error.ts";
import type { AgentRow } from "../storage/tables.ts";
import { chooseTeam } from "./choose-team.ts";
import { readEmail } from "./person-options.ts";
import type { Installation } from "./with-storage.ts";

/**
 * The agent with this e-mail, and the operator acting in their team.
 *
 * @throws OperatorError when the team has no such agent, or as `chooseTeam`
 */
export async function chooseAgent(
  { storage, perform }: Installation,
  values: { email: string; team: string | undefined },
): Promise<{ operator: Awaited<ReturnType<typeof chooseTeam>>; agent: AgentRow }> {
  const email = readEmail(values.email);
  const operator = await chooseTeam(storage, values.team);
  const [agent] = (await perform(operator, listAgents, { email, page: 1, limit: 1 })).rows;
  if (!agent) throw new OperatorError(`No agent in the team has the email address ${email}.`);
  return { operator, agent };
}
